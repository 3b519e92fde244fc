/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_BITOPS_H
#define _LINUX_BITOPS_H

#include <linux/compiler.h>

/* Number of the highest bit set in @word, which is not 0. */
static __always_inline unsigned long __fls(unsigned long word)
{
	return 8 * sizeof(word) - 1 - __builtin_clzl(word);
}

#endif /* _LINUX_BITOPS_H */
