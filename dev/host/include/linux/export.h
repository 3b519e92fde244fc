/* SPDX-License-Identifier: GPL-2.0-only */
/* Images other than the program are linked against it: all is exported. */
#ifndef _LINUX_EXPORT_H
#define _LINUX_EXPORT_H

#define EXPORT_SYMBOL(sym)	_Static_assert(1, #sym)

#endif /* _LINUX_EXPORT_H */
