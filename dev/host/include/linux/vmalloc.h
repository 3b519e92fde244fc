/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_VMALLOC_H
#define _LINUX_VMALLOC_H

#include <stdlib.h>

#define __vmalloc(size, flags)	calloc(1, size)	/* as __GFP_ZERO asks for */
#define vfree(memory)		free(memory)

#endif /* _LINUX_VMALLOC_H */
