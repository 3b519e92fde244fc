/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Places the sections of Clang's profile instrumentation.
 *
 * The compiler puts every function's share into a section (group) of its own.
 * vmlinux wants them together between two symbols, in memory that stays: left
 * to the linker they end up beside .init.text and are freed after boot, while
 * the counters keep counting. A module wants one section of each name, which
 * is what kernel/module/pgo.c looks for.
 *
 * Value nodes are aligned to the size of a block of them, see kernel/pgo/values.h.
 */
#ifndef __ASM_GENERIC_PGO_LDS_H
#define __ASM_GENERIC_PGO_LDS_H

#ifdef CONFIG_PGO_CLANG

#define PGO_SECTION(_sec_, _align_)					\
	. = ALIGN(_align_);						\
	BOUNDED_SECTION_BY(_sec_, _ ## _sec_)

#define PGO_SECTIONS()							\
	PGO_SECTION(__llvm_prf_data, 16)				\
	PGO_SECTION(__llvm_prf_cnts, 16)				\
	PGO_SECTION(__llvm_prf_names, 16)				\
	PGO_SECTION(__llvm_prf_vals, 16)				\
	PGO_SECTION(__llvm_prf_vnds, 128)

#define MOD_PGO_SECTION(_sec_, _align_)					\
	_sec_ 0 : ALIGN(_align_) { KEEP(*(_sec_)) }

#define MOD_PGO_SECTIONS()						\
	MOD_PGO_SECTION(__llvm_prf_data, 8)				\
	MOD_PGO_SECTION(__llvm_prf_cnts, 8)				\
	MOD_PGO_SECTION(__llvm_prf_names, 1)				\
	MOD_PGO_SECTION(__llvm_prf_vals, 8)				\
	MOD_PGO_SECTION(__llvm_prf_vnds, 128)				\
	MOD_PGO_SECTION(.rodata.__llvm_profile_raw_version, 8)

#else /* !CONFIG_PGO_CLANG */

#define PGO_SECTIONS()
#define MOD_PGO_SECTIONS()

#endif /* CONFIG_PGO_CLANG */

#endif /* __ASM_GENERIC_PGO_LDS_H */
