/* SPDX-License-Identifier: GPL-2.0-only */
#define __ro_after_init
#define ____cacheline_aligned	__attribute__((aligned(64)))
