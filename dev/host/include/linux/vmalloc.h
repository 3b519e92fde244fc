/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_VMALLOC_H
#define _LINUX_VMALLOC_H

#include <stdlib.h>

#define __vmalloc(size, flags)	malloc(size)
#define vfree(memory)		free(memory)

#endif /* _LINUX_VMALLOC_H */
