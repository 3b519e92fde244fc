#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Files of profiles are like any others: whichever way they are read, the same
# bytes come out, and as many as was said before.

# shellcheck disable=SC1091
. "$(dirname "$0")"/functions.sh

file=$PGO/pgo_test_many.profraw

size_of() {
	stat -c %s "$1"
}

with_dd() {
	dd if="$file" bs="$1" 2>/dev/null | cmp - "$TMP/whole"
}

with_tar() {
	tar -cf - -C "$PGO" pgo_test_many.profraw | tar -xOf - |
		cmp - "$TMP/whole"
}

two_readers() {
	cat "$file" > "$TMP/one" &
	cat "$file" > "$TMP/two"
	wait $!
	cmp "$TMP/one" "$TMP/whole" && cmp "$TMP/two" "$TMP/whole"
}

begin 18

load pgo_test_many
run pgo_test_many 1
before=$(size_of "$file")
cat "$file" > "$TMP/whole"
check_is "the size is right before the file is opened" \
	"$before" "$(size_of "$TMP/whole")"
check_is "and after" "$(size_of "$file")" "$before"
check_is "only root can read a profile" "$(stat -c %a "$file")" 400
check_is "and only write to reset" "$(stat -c %a "$PGO/reset")" 200

cp "$file" "$TMP/copy"
check "cp" cmp "$TMP/copy" "$TMP/whole"
check "dd bs=1" with_dd 1
check "dd bs=7" with_dd 7
check "dd bs=4097" with_dd 4097
check "dd bs=1M" with_dd 1M
check "tar" with_tar
check "two readers at once" two_readers
check "the end of the file" \
	[ "$(tail -c 8 "$file" | wc -c)" -eq 8 ]

check "llvm-profdata takes the file itself" profile pgo_test_many
check "and its copy" merge "$TMP/from-copy" "$TMP/whole"
check "and they are the same" cmp "$TMP/pgo_test_many" "$TMP/from-copy"

cat "$PGO/vmlinux.profraw" > "$TMP/vmlinux"
check_is "the size of vmlinux's file is right" \
	"$(size_of "$PGO/vmlinux.profraw")" "$(size_of "$TMP/vmlinux")"
check "all images in one merge" merge "$TMP/all" "$PGO"/*.profraw
check "a profile can't be written to" \
	sh -c "! echo 1 2>/dev/null >> '$file'"

ktap_finished
