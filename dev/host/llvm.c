// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same as image.c over LLVM's own runtime, of which each image has its
 * copy: it writes by itself, and only the name of the file is for us to say.
 */

void __llvm_profile_set_filename(const char *name);
void __llvm_profile_reset_counters(void);

__attribute__((constructor)) static void add(void)
{
	__llvm_profile_set_filename(IMAGE ".profraw");
}

__attribute__((__visibility__("hidden"))) void profile_reset(void)
{
	__llvm_profile_reset_counters();
}
