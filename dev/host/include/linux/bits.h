/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_BITS_H
#define _LINUX_BITS_H

#define BIT_ULL(nr)		(1ULL << (nr))

#endif /* _LINUX_BITS_H */
