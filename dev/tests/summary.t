#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The summary says what a program did, whose profile is read as a module's is.

. "$(dirname -- "$0")/tap.sh"

clang=${CLANG:-19}
cd "$work" || exit
cat >prog.c <<'EOT'
static __attribute__((noinline)) void often(void) { asm volatile(""); }
static __attribute__((noinline)) void seldom(void) { asm volatile(""); }
static void (*volatile targets[])(void) = { seldom, often, often, often };
void never(void) { }
int main(void)
{
	for (int i = 0; i < 4000; i++)
		targets[i % 4]();
}
EOT
"clang-$clang" -O2 -fprofile-generate -mllvm -pgo-instrument-entry \
	-o prog "$work/prog.c"
LLVM_PROFILE_FILE=prog.profraw ./prog
summary() {
	python3 "$here/../summary.py" --profdata "llvm-profdata-$clang" "$@" >summed
}

ok "a profile is summed up" summary --tree "$work" prog.profraw
ok "functions and those that ran" says summed 'prog: 4 functions, 3 ran, 8,001 counts'
ok "the hottest, without the tree's path" says summed \
	'3,000         3,000  often (prog.c)'
ok "targets of indirect calls" says summed 'seldom (prog.c) from main'
ok "what did not run is not hot" not grep never summed
echo rubbish >bad.profraw
ok "no profile, no summary" not summary bad.profraw
plan
