/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_STDDEF_H
#define _LINUX_STDDEF_H

#include <stddef.h>

#define offsetofend(type, member)				\
	(offsetof(type, member) + sizeof(((type *)NULL)->member))

#endif /* _LINUX_STDDEF_H */
