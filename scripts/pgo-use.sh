#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What a build with CLANG_PGO_PROFILE does beside passing flags:
#
#   pgo-use.sh check PROFILE COMPILER...
#	Says in one line why the compiler can't use the profile, and fails.
#   pgo-use.sh cc OBJECT NOTES COMPILER ARGUMENT...
#	Compiles OBJECT. What the compiler says about functions that the profile
#	does not fit goes into the file NOTES, a line each, and not to the
#	console: of a whole kernel there may be thousands of them.
#   pgo-use.sh sum DIR
#	Sums up the notes that kbuild keeps in the .cmd files below DIR, unless
#	make is silent. With PGO_LIST=1 it lists them too, and then in any case.

set -eu

bad()
{
	echo "*** CLANG_PGO_PROFILE: $profile $*" >&2
	exit 1
}

# byte N: of what the profile begins with
byte()
{
	echo 0x"$(echo "$header" | cut -c "$((2 * $1 + 1))-$((2 * $1 + 2))")"
}

# The compiler takes a profile of a later release for broken, one that names
# functions as no kernel does for good, and what is no profile for whatever
# comes to its mind.
check()
{
	profile=$1
	shift

	[ -e "$profile" ] || bad "does not exist"
	{ [ -f "$profile" ] && [ -r "$profile" ]; } || bad "can't be read"
	header=$(od -An -v -tx1 -N 16 "$profile" | tr -d ' \n')
	case $header in
	ff6c70726f666981????????????????)
		;;
	8172666f72706cff* | 8152666f72706cff*)
		bad "is a raw profile, make it a .profdata with llvm-profdata merge" ;;
	*)
		bad "is not a profile that llvm-profdata merge has made" ;;
	esac
	# The highest byte of the version has bits for -fprofile-generate and
	# -fcs-profile-generate.
	variant=$(($(byte 15)))
	[ $((variant & 1)) -eq 1 ] ||
		bad "is of -fprofile-instr-generate, it takes one of CONFIG_PGO_CLANG"
	[ $((variant & 2)) -eq 0 ] ||
		bad "is of -fcs-profile-generate, it takes one of CONFIG_PGO_CLANG"
	# LLVM 18 replaced the colon in the names of static functions.
	major=$(echo __clang_major__ | "$@" -E -P -x c -)
	[ "$major" -lt 18 ] || [ $(($(byte 8))) -ge 11 ] ||
		bad "is too old, of LLVM 17 or older: collect one with clang $major"
	said=$(echo 'int pgo; int f(void); int f(void) { return pgo; }' |
		"$@" -O2 -fprofile-use="$profile" -x c -c -o /dev/null - 2>&1) || {
		said=$(echo "$said" | sed -n 's/.*error: .* profile [^:]*: //p' | head -n 1)
		bad "can't be used by this clang $major, merge it with llvm-profdata of" \
			"the same release: $said"
	}
}

# Prints what the notes of functions are made of, and of the rest what is left.
split()
{
	awk -v notes="$1" '
	function note(kind, before, after) {
		i = index($0, before)
		if (!i || !/^warning: .* \[-Wbackend-plugin\]$/)
			return 0
		name = substr($0, i + length(before))
		sub(after ".*", "", name)
		print kind, name >notes
		return ++noted
	}
	note("stale", "(hash mismatch) ", " Hash = ") { next }
	note("none", "no profile data available for function ", " Hash = ") { next }
	note("values", "profiling in \"", "\"") { next }
	# Ours are among these.
	noted && /^[0-9]+ warnings? generated\.$/ { next }
	{ print }'
}

# Takes functions that are never profiled off the notes.
drop_noinstr()
{
	"$OBJDUMP" -t "$1" 2>/dev/null |
	awk '/[ \t]\.(noinstr|entry|cpuidle)\.text/ { print "none", $NF }' >"$2.err"
	grep -vxFf "$2.err" "$2" >"$2.new" || :
	mv "$2.new" "$2"
}

cc()
{
	object=$1
	notes=$2
	shift 2

	rc=0
	rm -f "$notes"
	"$@" -Wbackend-plugin -Wno-error=backend-plugin \
		-mllvm -pgo-warn-missing-function 2>"$notes.err" || rc=$?
	[ ! -s "$notes.err" ] || split "$notes" <"$notes.err" >&2
	! grep -q ^none "$notes" 2>/dev/null || drop_noinstr "$object" "$notes"
	rm -f "$notes.err"
	exit $rc
}

sum()
{
	[ "${quiet:-}" != silent_ ] || [ -n "${PGO_LIST:-}" ] || return 0
	cd "$1"
	find . -name '.*.o.cmd' -exec grep -H '^#PGO ' {} + |
	sed -E 's,^\./,,; s,(^|/)\.([^/]*)\.cmd:#PGO,\1\2,' | LC_ALL=C sort -u |
	awk -v list="${PGO_LIST:-}" '
	BEGIN { is["stale"]; is["none"]; is["values"]
		say["stale"] = "profile is stale"
		say["none"] = "no profile"
		say["values"] = "profile has no values" }
	list { print "PGO: " $1 ": " $3 ": " say[$2] }
	{ n[$2]++ }
	END {
		printf "PGO: %d functions with a stale profile, %d without any",
			n["stale"], n["none"]
		if (n["values"])
			printf ", %d without values", n["values"]
		print list || !NR ? "" : " (PGO_LIST=1 lists them)"
	}'
}

"$@"
