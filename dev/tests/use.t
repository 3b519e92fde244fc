#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What scripts/pgo-use.sh promises to the makefiles, with the real compiler and
# llvm-profdata; that the makefiles make use of it is for dev/check-use.

. "$(dirname -- "$0")/tap.sh"
cd "$work" || exit
clang=clang-${CLANG:-19}
profdata=llvm-profdata-${CLANG:-19}

use() { "$here/../../scripts/pgo-use.sh" "$@"; }
# refused FILE TEXT: with one line that has TEXT
refused() {
	! use check "$1" "$clang" >"$log" 2>&1 && cat "$log" &&
		[ "$(wc -l <"$log")" = 1 ] && says "$log" "CLANG_PGO_PROFILE: $1 $2" >/dev/null
}

cat >one.c <<'EOT'
extern int other(int);
static __attribute__((noinline)) int local(int n) { return n > 3 ? other(n) : 7; }
int stale(int n) { return n > 4 ? other(n) : 8; }
int good(int n) { return local(n) + 1; }
__attribute__((section(".noinstr.text"), no_profile_instrument_function))
int never(int n) { return n > 5 ? other(n) : 9; }
EOT
# profile FILE FUNCTION HASH...: each with one counter
profile() {
	file=$1
	shift
	echo ':ir' >text
	while [ $# -gt 0 ]; do
		printf '%s\n%s\n1\n5\n\n' "$1" "$2" >>text
		shift 2
	done
	"$profdata" merge -o "$file" text
}
# hash FUNCTION: of it, as the compiler says when another is expected
hash() {
	profile wrong.profdata "$1" 1
	"$clang" -O2 -fprofile-use=wrong.profdata -c -o /dev/null one.c 2>&1 |
		sed -n "s/.* $1 Hash = \([0-9]*\).*/\1/p"
}
profile ok.profdata good "$(hash good)" stale 1

ok "a profile that fits" use check ok.profdata "$clang"
ok "a command of two words" use check ok.profdata env "$clang"
ok "no file" refused none.profdata "does not exist"
ok "a folder" refused /tmp "can't be read"
: >empty.profdata
ok "an empty file" refused empty.profdata "is not a profile"
ok "a text" refused one.c "is not a profile"
for size in 8 12 15; do
	head -c $size ok.profdata >begun.profdata
	ok "its first $size bytes" refused begun.profdata "is not a profile"
done
printf '\201rforpl\377' >raw.profraw
ok "a raw profile" refused raw.profraw "is a raw profile"
printf 'good\n1\n1\n5\n' >text
"$profdata" merge -o front.profdata text
ok "one of the front end" refused front.profdata "is of -fprofile-instr-generate"
printf ':ir\n:csir\ngood\n1152921504606846977\n1\n5\n' >text
"$profdata" merge -o second.profdata text
ok "one of a second pass" refused second.profdata "is of -fcs-profile-generate"
# other OCTAL: of that version of the format, otherwise the same
other() {
	{ head -c 8 ok.profdata; printf %b "\\0$1"; tail -c +10 ok.profdata; } >other.profdata
}
if [ "${CLANG:-19}" -ge 18 ]; then
	other 12
	ok "one that names functions in the old way" refused other.profdata "is too old"
fi
other 143
ok "one of a later release" refused other.profdata "can't be used"
head -c 100 ok.profdata >short.profdata
ok "one that was cut off" refused short.profdata "can't be used"

# compile SOURCE [FLAG...]: its notes are in ./notes, what was said in ./err
compile() {
	source=$1
	shift
	OBJDUMP=llvm-objdump-${CLANG:-19} use cc one.o notes "$clang" -O2 -Wall \
		-fprofile-use=ok.profdata "$@" -c -o one.o "$source" 2>err
}
noted() { sed 's/one\.c[:;]//' notes | sort | diff - want; }
printf 'none local\nstale stale\n' >want
ok "what fits is compiled" compile one.c
ok "what does not is noted" noted
ok "and nothing is said" not [ -s err ]
ok "nor an error with -Werror" compile one.c -Werror
ok "nor where kbuild switches it off" compile one.c -Wno-backend-plugin
ok "it is noted all the same" noted

{ cat one.c; echo 'int warns(void) { int unused; return 1; }'; } >warns.c
ok "a warning" compile warns.c
ok "is said" says err "unused variable"
ok "an error is one with -Werror" not compile warns.c -Werror
ok "and is said" says err "error: unused variable"
ok "notes of an earlier time" compile one.c
profile ok.profdata good "$(hash good)"
echo 'int good(int n);' >only.c
ok "go when there are none" compile only.c
ok "for good" not [ -e notes ]

mkdir -p tree/sub
for file in tree/.a.o.cmd tree/sub/.b.o.cmd; do
	printf 'savedcmd := x\n#PGO stale f\n#PGO none g\n' >$file
done
echo '#PGO values h' >>tree/sub/.b.o.cmd
sum() { (cd tree && use sum . >"$log"); }
quiet_sum() { (export quiet=silent_; sum); }
ok "sum" sum
ok "it is one line" [ "$(wc -l <"$log")" = 1 ]
ok "with all numbers" says "$log" \
	"2 functions with a stale profile, 2 without any, 1 without values"
ok "nothing when make is silent" quiet_sum
ok "as it is" not [ -s "$log" ]
PGO_LIST=1
export PGO_LIST
ok "list" sum
ok "it has each" says "$log" "PGO: a.o: f: profile is stale" "PGO: sub/b.o: g: no profile"
rm -r tree/sub
ok "nothing but the list when it is" quiet_sum
ok "for a single object too" says "$log" "PGO: a.o: f: profile is stale"
plan
