/* SPDX-License-Identifier: GPL-2.0-only */
/* Nothing here is built with -mregparm: all arguments are on the stack. */
#ifndef _LINUX_LINKAGE_H
#define _LINUX_LINKAGE_H

#define asmlinkage

#endif /* _LINUX_LINKAGE_H */
