/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_LOG2_H
#define _LINUX_LOG2_H

/* Of a constant */
#define ilog2(n)		(31 - __builtin_clz(n))

#endif /* _LINUX_LOG2_H */
