/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_LIST_H
#define _LINUX_LIST_H

#include <linux/types.h>

#endif /* _LINUX_LIST_H */
