/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_BSEARCH_H
#define _LINUX_BSEARCH_H

#include <stdlib.h>

#define __inline_bsearch	bsearch

#endif /* _LINUX_BSEARCH_H */
