/* SPDX-License-Identifier: GPL-2.0-only */
/* Attributes and single accesses, as the kernel has them. */
#ifndef _LINUX_COMPILER_H
#define _LINUX_COMPILER_H

#undef __always_inline		/* the C library has another */
#define __always_inline		inline __attribute__((__always_inline__))
#define __aligned(x)		__attribute__((__aligned__(x)))
#define __weak			__attribute__((__weak__))
#define noinstr			__attribute__((__noinline__))
#define __no_kcsan

/* 1 for an option that is defined as 1, 0 for one that is not defined */
#define IS_ENABLED(option)	IS_ENABLED_(option)
#define IS_ENABLED_(value)	IS_SECOND(IS_ONE_##value 1, 0)
#define IS_ONE_1		0,
#define IS_SECOND(...)		IS_SECOND_(__VA_ARGS__, 0)
#define IS_SECOND_(a, b, ...)	(b)

#define READ_ONCE(x)		(*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, val)	(*(volatile typeof(x) *)&(x) = (val))
#define __guarded_by(lock)	/* for an analysis that is not made here */
#define smp_load_acquire(ptr)	__atomic_load_n(ptr, __ATOMIC_ACQUIRE)
#define smp_store_release(ptr, val) __atomic_store_n(ptr, val, __ATOMIC_RELEASE)
#define smp_wmb()		__atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_rmb()		__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_mb()		__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define data_race(expr)		(expr)
#define likely(x)		__builtin_expect(!!(x), 1)
#define barrier()		__asm__ __volatile__("" : : : "memory")
/* The address has to be in a register: what runs here lies anywhere. */
#define OPTIMIZER_HIDE_VAR(var)

#endif /* _LINUX_COMPILER_H */
