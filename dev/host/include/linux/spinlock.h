/* SPDX-License-Identifier: GPL-2.0-only */
/* Named by a header; hooks and serializer have no lock. */
#ifndef _LINUX_SPINLOCK_H
#define _LINUX_SPINLOCK_H

typedef struct {
} spinlock_t;

#endif /* _LINUX_SPINLOCK_H */
