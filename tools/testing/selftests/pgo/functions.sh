# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# What the tests of kernel/pgo share. They compare what the kernel counted, as
# the real llvm-profdata reads it, with what is known to have happened.
#
# LLVM_PROFDATA names the llvm-profdata to use. It must be of the major version
# of the compiler that built the kernel.

DIR="$(dirname "$(readlink -f "$0")")"

# shellcheck disable=SC1091
. "$DIR"/../kselftest/ktap_helpers.sh

PGO=/sys/kernel/debug/pgo
PROFDATA=
TMP=
# What sets this to no does without test modules.
MODULES=yes

skip_all() {
	ktap_skip_all "$@"
	exit "$KSFT_SKIP"
}

# The llvm-profdata that fits the running kernel
find_profdata() {
	major=$(sed -n 's/.*clang version \([0-9]*\)\..*/\1/p' /proc/version)
	[ -n "$major" ] || skip_all "the kernel is not built with clang"

	for tool in "$LLVM_PROFDATA" "llvm-profdata-$major" llvm-profdata; do
		# Up to LLVM 16 it knows --version behind a command only.
		if "$tool" merge --version 2>/dev/null |
		   grep -q "LLVM version $major\."; then
			PROFDATA=$tool
			return
		fi
	done
	skip_all "no llvm-profdata of version $major, set LLVM_PROFDATA"
}

# begin N [FILE]: start a script of N tests, or skip it, as where FILE is not
# there or locked down
begin() {
	ktap_print_header
	[ "$(id -u)" -eq 0 ] || skip_all "must be run as root"
	[ -d "$PGO" ] || skip_all "no $PGO, see ./config"
	[ "$MODULES" = no ] || [ -e "$DIR"/test_modules/pgo_test_calls.ko ] ||
		skip_all "the test modules are not built"
	[ -z "${2:-}" ] || ( : >> "$2" ) 2>/dev/null ||
		skip_all "can't write to $2"
	find_profdata
	TMP=$(mktemp -d)
	trap cleanup EXIT
	ktap_set_plan "$1"
}

cleanup() {
	rm -rf "$TMP"
	for module in calls values multi many none break life cpus cross \
		      crossed context targets; do
		if loaded "pgo_test_$module"; then
			rmmod "pgo_test_$module"
		fi
		# Or the next test would go on from there.
		( echo "pgo_test_$module" > "$PGO/reset" ) 2>/dev/null
	done
}

# check TEST COMMAND...: the test passes if the command does
check() {
	what="$1"
	shift
	if "$@"; then
		ktap_test_pass "$what"
	else
		ktap_test_fail "$what"
	fi
}

# is GOT WANTED
is() {
	[ "$1" = "$2" ] && return
	ktap_print_msg "got '$1', expected '$2'"
	return 1
}

# check_is TEST GOT WANTED
check_is() {
	check "$1" is "$2" "$3"
}

loaded() {
	[ -d "/sys/module/$1" ]
}

# load MODULE [PARAMETER...]
load() {
	module="$1"
	shift
	insmod "$DIR/test_modules/$module.ko" "$@"
}

# run MODULE N: the module does N times what it is for
run() {
	echo "$2" > "/sys/module/$1/parameters/run"
}

# kept: bytes of memory that all saved profiles take
kept() {
	awk 'NR > 1 { sum += $10 } END { print sum + 0 }' "$PGO/stats"
}

# merge TEXT FILE...: what llvm-profdata makes of the files, without a murmur. A
# static function has the path of its source file before its name, up to LLVM 17
# with a colon between them, since then with a semicolon: here it is always that.
merge() {
	text="$1"
	shift
	rm -f "$text"
	if ! "$PROFDATA" merge --text -o "$text" "$@" 2> "$TMP/stderr" ||
	   [ -s "$TMP/stderr" ]; then
		ktap_print_msg "$PROFDATA: $(cat "$TMP/stderr")"
		return 1
	fi
	sed -i 's/\(\.[chS]\):\([A-Za-z_]\)/\1;\2/' "$text"
}

# profile IMAGE: read its profile to $TMP/IMAGE
profile() {
	merge "$TMP/$1" "$PGO/$1.profraw"
}

# A function of a text profile is a block of lines. A static one has its name
# behind the path of its source file and a semicolon.
#
# Sets, for the function named fn: i, the number of the line with its name.
# shellcheck disable=SC2016
FIND_FUNCTION='
BEGIN {
	RS = ""
	FS = "\n"
}
{
	for (i = 1; $i ~ /^[#:]/; i++)
		;
	if ($i != fn && substr($i, length($i) - length(fn)) != ";" fn)
		next
}'

# functions IMAGE: their names in its profile, without paths
functions() {
	awk 'BEGIN { RS = ""; FS = "\n" }
	{
		for (i = 1; $i ~ /^[#:]/; i++)
			;
		sub(/.*;/, "", $i)
		print $i
	}' "$TMP/$1" | sort
}

# count IMAGE FUNCTION: how often it was entered, which is its first counter
count() {
	awk -v fn="$2" "$FIND_FUNCTION"'{ print $(i + 6) }' "$TMP/$1"
}

# values IMAGE FUNCTION KIND: what was seen at the value sites of that kind (0
# is an indirect call, 1 the size of a memory operation), as site:value:count
values() {
	awk -v fn="$2" -v kind="$3" "$FIND_FUNCTION"'
	{
		p = i + 6 + $(i + 4)
		kinds = $(p + 1)
		p += 2
		while (kinds-- > 0) {
			k = $(p + 1)
			sites = $(p + 3)
			p += 4
			for (s = 0; s < sites; s++) {
				for (n = $(p++); n > 0; n--) {
					sub(/.*;/, "", $p)
					if (k == kind)
						print s ":" $p
					p++
				}
			}
		}
	}' "$TMP/$1" | sort -t : -k 1,1n -k 2,2n -k 2,2 | xargs
}

# stats IMAGE COLUMN: what the file of that name says
stats() {
	awk -v image="$1" -v column="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
		$1 == image { print $at }' "$PGO/stats"
}

# number FILE OFFSET: the 64 bits there; the header of a raw profile is made of
# such
number() {
	od -A n -t u8 -j "$2" -N 8 "$1" | tr -d ' '
}

# records IMAGE: how many functions the header of its raw profile announces
records() {
	cat "$PGO/$1.profraw" > "$TMP/raw"
	number "$TMP/raw" 24
}

# build_id IMAGE: what llvm-profdata finds in its raw profile
build_id() {
	"$PROFDATA" show --binary-ids "$PGO/$1.profraw" | sed '1,/^Binary IDs/d'
}

# check_build_id IMAGE NOTES: it is the one in these ELF notes
check_build_id() {
	if [ "$(($(number "$PGO/$1.profraw" 8) & 0xffffffff))" -lt 8 ]; then
		ktap_test_skip "raw version 7 has no build id"
		return
	fi
	id=$(build_id "$1")
	ktap_print_msg "build id: $id"
	check "the build id of $1 is in its profile" \
		sh -c "od -A n -v -t x1 '$2' | tr -d ' \n' | grep -q 474e5500${id:-none}"
}
