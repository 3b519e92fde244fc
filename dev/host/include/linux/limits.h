/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_LIMITS_H
#define _LINUX_LIMITS_H

#include <limits.h>

#endif /* _LINUX_LIMITS_H */
