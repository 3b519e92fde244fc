/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_MINMAX_H
#define _LINUX_MINMAX_H

/* Like the kernel's: each argument is looked at once, both are of one type. */
#define min(a, b) ({						\
	typeof(a) __a = (a);					\
	typeof(b) __b = (b);					\
	_Static_assert(_Generic(__a, typeof(b): 1, default: 0),	\
		       "min() of two types");			\
	__a < __b ? __a : __b; })

#define min_t(type, a, b)	min((type)(a), (type)(b))

#endif /* _LINUX_MINMAX_H */
