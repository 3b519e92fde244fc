#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What dev/noinstr promises, on objects that clang makes here and now.

. "$(dirname -- "$0")/tap.sh"
export PGO_CACHE="$work/cache"
clang=clang-${CLANG:-19}

cat >"$work/code.c" <<'EOT'
#define __noprofile __attribute__((no_profile_instrument_function))
extern void (*target)(void);
extern int other(void);
ATTR __attribute__((section(SECTION))) int entry(void) { return other() + 1; }
ATTR __attribute__((section(SECTION))) void call(void) { target(); }
int plain(void) { target(); return other(); }
EOT
# object NAME SECTION ATTRIBUTE
object() {
	"$clang" -O2 -fprofile-generate -DSECTION="\"$2\"" -DATTR="$3" -c \
		-o "$work/$1.o" "$work/code.c"
}
scan() { "$here/../noinstr" "$@"; }

for section in .noinstr.text .entry.text .cpuidle.text .text..__x86.thunk; do
	object clean $section __noprofile
	ok "$section that is not instrumented" scan "$work/clean.o"
	object planted $section ""
	scan "$work/clean.o" "$work/planted.o" >"$log"
	ok "an instrumented one fails" [ $? = 1 ]
	ok "for its counters and its call" says "$log" "$section" \
		__llvm_profile_instrument_target __llvm_prf_cnts
done
object none .text.fast ""
ok "objects without noinstr code prove nothing" not scan "$work/none.o"
ok "nor does one that is not there" not scan "$work/clean.o" "$work/missing.o"
plan
