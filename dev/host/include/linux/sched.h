/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_SCHED_H
#define _LINUX_SCHED_H

#define cond_resched()		((void)0)

#endif /* _LINUX_SCHED_H */
