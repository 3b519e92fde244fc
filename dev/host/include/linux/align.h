/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_ALIGN_H
#define _LINUX_ALIGN_H

#define ALIGN(x, a)		(((x) + (a) - 1) & ~((typeof(x))(a) - 1))
#define IS_ALIGNED(x, a)	(((x) & ((typeof(x))(a) - 1)) == 0)

#endif /* _LINUX_ALIGN_H */
