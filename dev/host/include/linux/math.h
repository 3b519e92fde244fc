/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_MATH_H
#define _LINUX_MATH_H

#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))

#endif /* _LINUX_MATH_H */
