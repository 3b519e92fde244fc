/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_HASH_H
#define _LINUX_HASH_H

#define GOLDEN_RATIO_32		0x61C88647

#endif /* _LINUX_HASH_H */
