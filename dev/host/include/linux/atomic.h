/* SPDX-License-Identifier: GPL-2.0-only */
/* The atomic operations that are used, of the same strength or stronger. */
#ifndef _LINUX_ATOMIC_H
#define _LINUX_ATOMIC_H

#include <linux/compiler.h>
#include <linux/types.h>

typedef struct {
	long counter;
} atomic_long_t;

typedef struct {
	s64 counter;
} atomic64_t;

#define atomic_read(v)		READ_ONCE((v)->counter)
#define atomic_set(v, i)	WRITE_ONCE((v)->counter, i)
#define atomic_long_read(v)	atomic_read(v)
#define atomic_long_set(v, i)	atomic_set(v, i)
#define raw_atomic_read(v)	atomic_read(v)
#define atomic_set_release(v, i) smp_store_release(&(v)->counter, i)
#define atomic_xchg(v, i)	raw_xchg(&(v)->counter, i)
#define raw_atomic_read_acquire(v) smp_load_acquire(&(v)->counter)
#define raw_atomic_try_cmpxchg(v, old, new)			\
	raw_try_cmpxchg(&(v)->counter, old, new)
#define raw_atomic_fetch_inc_relaxed(v)				\
	__atomic_fetch_add(&(v)->counter, 1, __ATOMIC_RELAXED)
#define raw_atomic_inc(v)	((void)raw_atomic_fetch_inc_relaxed(v))
#define raw_atomic_long_add(i, v)				\
	((void)__atomic_fetch_add(&(v)->counter, i, __ATOMIC_RELAXED))
#define raw_atomic64_inc(v)					\
	((void)__atomic_fetch_add(&(v)->counter, 1, __ATOMIC_RELAXED))

#define raw_xchg(ptr, new)	__atomic_exchange_n(ptr, new, __ATOMIC_SEQ_CST)
#define raw_try_cmpxchg(ptr, old, new)				\
	__atomic_compare_exchange_n(ptr, old, new, false,	\
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define cmpxchg(ptr, old, new) ({				\
	typeof(*(ptr)) __old = (old);				\
	(void)raw_try_cmpxchg(ptr, &__old, new);		\
	__old; })

#endif /* _LINUX_ATOMIC_H */
