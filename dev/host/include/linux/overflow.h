/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_OVERFLOW_H
#define _LINUX_OVERFLOW_H

#include <linux/stddef.h>

/* Without the kernel's saturation: no count here comes near to it. */
#define struct_size_t(type, member, count)			\
	(offsetof(type, member) +				\
	 sizeof(((type *)NULL)->member[0]) * (size_t)(count))

#endif /* _LINUX_OVERFLOW_H */
