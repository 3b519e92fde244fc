#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# all.profraw, the raw profile of all images:
# - calls from one image to another have a name, also when one of both is gone
# - it has the functions of all images, and is the same as theirs but for that
# - neither it nor any other file has an address of the kernel

# shellcheck disable=SC1091
. "$(dirname "$0")"/functions.sh

# functions_of PATTERN TEXT: the functions of a text profile with such a name, each
# from its name on
functions_of() {
	awk -v pattern="$1" 'BEGIN { RS = ""; FS = "\n"; ORS = "\n\n" }
	{ sub(/^([#:][^\n]*\n)+/, "") }
	$1 ~ pattern' "$TMP/$2"
}

# targets_of FUNCTION: those of its first indirect call, in the last "profile all"
targets_of() {
	values all "$1" 0 | sed 's/^0://; s/ 0:/ /g'
}

# seen_from_vmlinux: the setter of the parameter, as a target in vmlinux
seen_from_vmlinux() {
	targets_of param_attr_store | tr ' ' '\n' | grep '^pgo_test_set_run:' | xargs
}

test_names() {
	load pgo_test_crossed
	load pgo_test_cross
	echo vmlinux > "$PGO/reset"
	run pgo_test_cross 30
	run pgo_test_cross 12
	profile all
	check_is "from a module to vmlinux" \
		"$(targets_of pgo_test_to_vmlinux)" strim:42
	check_is "from a module to another" \
		"$(targets_of pgo_test_to_module)" pgo_test_exported:84
	check_is "from vmlinux to a module" "$(seen_from_vmlinux)" \
		pgo_test_set_run:2
	profile pgo_test_cross
	check_is "alone it has no name for either" \
		"$(values pgo_test_cross pgo_test_to_vmlinux 0) $(
		   values pgo_test_cross pgo_test_to_module 0)" \
		"0:** External Symbol **:42 0:** External Symbol **:84"

	rmmod pgo_test_cross
	profile all
	check_is "when the caller is gone" \
		"$(targets_of pgo_test_to_module)" pgo_test_exported:84
	check_is "and the one that vmlinux called" "$(seen_from_vmlinux)" \
		pgo_test_set_run:2
	rmmod pgo_test_crossed
	profile all
	check_is "when both are gone" \
		"$(targets_of pgo_test_to_module)" pgo_test_exported:84
	load pgo_test_crossed
	load pgo_test_cross
	run pgo_test_cross 1
	profile all
	check_is "when they are there again" \
		"$(targets_of pgo_test_to_module)" pgo_test_exported:86
	rmmod pgo_test_cross
	rmmod pgo_test_crossed
	echo pgo_test_crossed > "$PGO/reset"
	profile all
	check_is "when one was forgotten" \
		"$(targets_of pgo_test_to_module)" "** External Symbol **:86"
}

# same_as_alone: what is in all.profraw of a module is what is in its own file
same_as_alone() {
	merge "$TMP/all" "$TMP/all.profraw" &&
		merge "$TMP/each" "$TMP"/images/*.profraw || return
	for pattern in 'pgo_test_many_' 'pgo_test_(often|seldom|copy|indirect)$'; do
		functions_of "$pattern" all > "$TMP/one"
		functions_of "$pattern" each > "$TMP/other"
		[ -s "$TMP/one" ] && cmp "$TMP/one" "$TMP/other" || return
	done
}

# shapes TEXT: name, hash and number of counters of each function
shapes() {
	functions_of . "$1" | awk 'BEGIN { RS = ""; FS = "\n" } { print $1, $3, $5 }'
}

all_functions() {
	shapes all > "$TMP/one"
	shapes each > "$TMP/other"
	[ "$(wc -l < "$TMP/one")" -gt 1000 ] && cmp "$TMP/one" "$TMP/other"
}

test_same() {
	load pgo_test_many
	run pgo_test_many 1
	load pgo_test_values
	run pgo_test_values 100
	rmmod pgo_test_values
	mkdir "$TMP/images"
	for file in "$PGO"/*.profraw; do
		[ "$file" = "$PGO/all.profraw" ] || cp "$file" "$TMP/images"
	done
	size=$(wc -c < "$PGO/all.profraw")
	cp "$PGO/all.profraw" "$TMP"
	check_is "its size is known" "$(wc -c < "$TMP/all.profraw")" "$size"
	check "what it has of a module, live or not, is the same" same_as_alone
	check "it has the functions of all images" all_functions
	check_is "none of them twice" \
		"$(number "$TMP/all.profraw" 24)" \
		"$(for file in "$TMP"/images/*; do number "$file" 24; done |
		   awk '{ n += $1 } END { print n }')"
	check "a module more makes it larger" load pgo_test_calls
	check "at once" [ "$(wc -c < "$PGO/all.profraw")" -gt "$size" ]
	rmmod pgo_test_calls
	rmmod pgo_test_many
}

# ranges: of vmlinux from its text to the text of its init functions, which comes
# behind the data, and of all modules
ranges() {
	awk '$3 == "_stext" || $3 == "_einittext" { print $1 }' /proc/kallsyms | sort
	# pgo_test_init has no text any more.
	awk '$6 !~ /^0x0*$/ { print $6, "+" $2 }' /proc/modules
}

no_address() {
	for file in "$PGO"/*.profraw; do
		# shellcheck disable=SC2046
		"$DIR"/pgo_addresses "$file" $(ranges) || return
	done
}

# planted: is one found that is there?
planted() {
	text=$(awk '$3 == "schedule" { print $1; exit }' /proc/kallsyms)
	# shellcheck disable=SC2059
	{
		printf 'xxx'
		printf "$(echo "$text" | sed 's/\(..\)/\\x\1 /g' | tr ' ' '\n' |
			  tac | tr -d '\n')"
		printf 'xxxxx'
	} > "$TMP/planted"
	# shellcheck disable=SC2046
	"$DIR"/pgo_addresses "$TMP/planted" $(ranges) > "$TMP/found"
	[ $? -eq 1 ] && grep -q 'at byte 3$' "$TMP/found"
}

test_addresses() {
	if [ "$(awk '$3 ~ /^_(s|einit)text$/ && $1 !~ /^0*$/' /proc/kallsyms | wc -l)" -ne 2 ]; then
		ktap_test_skip "no addresses to search for: needs KALLSYMS"
		ktap_test_skip "nor to find"
		return
	fi
	load pgo_test_life owned=1
	run pgo_test_life 3
	check "no file holds an address of the kernel" no_address
	check "one that is there is found" planted
	rmmod pgo_test_life
}

begin 17 "$PGO/reset"

echo all > "$PGO/reset"
test_names
test_same
test_addresses

ktap_finished
