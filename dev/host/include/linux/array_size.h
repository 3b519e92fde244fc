/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_ARRAY_SIZE_H
#define _LINUX_ARRAY_SIZE_H

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#endif /* _LINUX_ARRAY_SIZE_H */
