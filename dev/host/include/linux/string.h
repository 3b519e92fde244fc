/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_STRING_H
#define _LINUX_STRING_H

#include <string.h>

#endif /* _LINUX_STRING_H */
