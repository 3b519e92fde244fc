/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_LIMITS_H
#define _LINUX_LIMITS_H

#include <limits.h>

#define U16_MAX		((unsigned short)~0U)

#endif /* _LINUX_LIMITS_H */
