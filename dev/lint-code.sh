# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2046,SC2154	# lists of names; its variables
#
# The checks of dev/lint that compile our code, or read it as a compiler does.
# Sourced by it, never run.  ok() runs each in a subshell.

# compile WORD...: by the kernel's make, and anew
compile() {
	rm -f "$BUILD"/kernel/pgo/*.o "$BUILD"/kernel/pgo/tests/*.o \
		"$BUILD/kernel/module/pgo.o" "$BUILD/lib/ctype.o"
	{ kmake -s -j"$JOBS" "$@" || echo "make $* failed"; } 2>&1 | findings
}
ours() { compile "$@" kernel/pgo/ kernel/module/pgo.o; }

# 7.2 wants a sparse that knows __typeof_unqual__.
sparse=$PGO_CACHE/toolchain/sparse
prepare_sparse() {
	"$sparse/usr/bin/sparse" --version >/dev/null 2>&1 ||
		"$TOP/dev/unpack" sid "$sparse" sparse libc6
}
sparse() { ours C=2 CF=-D__CHECK_ENDIAN__ CHECK="$sparse/usr/bin/sparse"; }

analyzer() {
	python3 scripts/clang-tools/gen_compile_commands.py -d "$BUILD" \
		-o "$work/compile_commands.json" "$BUILD/kernel/pgo" "$BUILD/kernel/module"
	sed -i 's/ccache clang-/clang-/' "$work/compile_commands.json"
	"clang-tidy-$CLANG" --quiet -p "$work" --config-file="$TOP/dev/clang-tidy" \
		$(files '^kernel/.*\.c$') \
		>"$work/tidy" 2>&1 || echo "clang-tidy failed" >>"$work/tidy"
	grep -E '(warning|error): |failed' "$work/tidy" | findings
}

# alone FLAG...: the header before any other, twice, in a file that is not ours
alone() {
	compile CFLAGS_ctype.o="$* -include linux/pgo.h -include linux/pgo.h" lib/ctype.o
	[ -e "$BUILD/lib/ctype.o" ]
}
alone_off() {
	sed -n 's/^#define \(CONFIG_PGO_[A-Z_]*\) .*/#undef \1/p' \
		"$BUILD/include/generated/autoconf.h" >"$work/off.h"
	[ -s "$work/off.h" ] && alone -include "$work/off.h"
}

# Locks, by their annotations, and by the first compiler that can: in a build of
# its own
prepare_context() {
	CLANG=23 "$TOP/dev/toolchain"
	CLANG=23 CONFIG=context BUILD=$BUILD-context "$TOP/dev/build" prepare
}
context() {
	CLANG=23
	PATH=$PGO_CACHE/toolchain/$CLANG/usr/bin:$PATH
	BUILD=$BUILD-context
	ours $(files '^kernel/.*\.c$' | sed 's,.*/\(.*\)c$,CONTEXT_ANALYSIS_\1o=y,')
}

# On a copy of our files: all of kernel/module would take minutes.
coccicheck() {
	mkdir "$work/cocci"
	cp --parents $(files '\.[ch]$') "$work/cocci"
	kmake -s coccicheck MODE=report J=1 M="$work/cocci" >"$work/cocci.log" 2>&1 ||
		echo "coccicheck failed" >>"$work/cocci.log"
	grep -v spatch "$work/cocci.log" | grep -E ':[0-9]+:|rror|failed|xception' | findings
}
