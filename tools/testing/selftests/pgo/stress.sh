#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Modules are loaded, called and unloaded, profiles and statistics read and
# reset, all at the same time and on all CPUs. Nobody may see a wrong error or
# half a profile, nothing counted may be lost, and no memory at the end.
#
# STRESS_SECONDS says how long in all, STRESS_CYCLES how often a module is loaded
# instead.
#
# What is counted while nobody resets:
#
# - Writes to parameters of a module exclude each other. What they call is
#   counted exactly, on whichever CPU, with or without CONFIG_PGO_ATOMIC.
# - Two CPUs call functions of pgo_test_cpus at the same time, twice each for one
#   write. These 4 calls are counted exactly with CONFIG_PGO_ATOMIC. Without, who
#   adds to a counter stores one more than what it was at some time since the
#   write began, when it was c. So each CPU's first call leaves c + 1 or more.
#   Its second one finds that or what came after it, which is c + 1 or more as
#   well, and leaves c + 2 or more. The last to store is somebody's second call:
#   at least 2 calls of a write are counted, as many as one CPU makes.
# - Of more calls for one write no more than these 2 need be counted: the last to
#   store may have read when the other CPU had made all but one, and this one's
#   first had just made the count c + 1 again.

# shellcheck disable=SC1091
. "$(dirname "$0")"/functions.sh
# shellcheck disable=SC1091
. "$DIR"/leaks.sh

mods="pgo_test_calls pgo_test_values pgo_test_multi pgo_test_cpus pgo_test_life"

if [ -n "${STRESS_CYCLES:-}" ]; then
	limit="-c $(((STRESS_CYCLES + 1) / 2))"
else
	limit="-t $(((${STRESS_SECONDS:-10} + 1) / 2))"
fi

# stress OPTION...: half of it; leaves what it said in $TMP/did
stress() {
	mkdir -p "$TMP/read"
	# shellcheck disable=SC2086	# an option and its value
	"$DIR"/pgo_stress $limit "$@" -k "$TMP/read" "$DIR"/test_modules \
		> "$TMP/did" 2> "$TMP/stderr"
	stress_status=$?
	while read -r line; do
		ktap_print_msg "$line"
	done < "$TMP/did"
	[ $stress_status -eq 0 ] && [ ! -s "$TMP/stderr" ] && return
	ktap_print_msg "$stress_status: $(cat "$TMP/stderr")"
	return 1
}

# did MODULE loads|calls|writes: how often
did() {
	awk -v name="$1" -v what="$2" '$1 == name {
		for (i = 2; i < NF; i += 2)
			if ($i == what)
				print $(i + 1)
	}' "$TMP/did"
}

# All that was read, as one profile for each image: not all of it need be valid
# for what others have become.
merge_read() {
	for mod in $mods vmlinux; do
		if find "$TMP/read" -name "$mod.*" | grep -q .; then
			merge "$TMP/text" "$TMP/read/$mod".* || return
		fi
	done
	rm -r "$TMP/read"
}

forget() {
	echo all > "$PGO/reset"
}

# between LOW NUMBER HIGH
between() {
	ktap_print_msg "$2, of $1 to $3"
	[ "$1" -le "$2" ] && [ "$2" -le "$3" ]
}

# check_at_once N WRITES LOW: counts of so many writes of N to pgo_test_cpus. At
# least LOW calls must be there.
check_at_once() {
	high=$(($1 * $2 * cpus))
	low=$3
	[ "$atomic" = N ] || low=$high
	check "calls of two CPUs at once, $1 each" \
		between "$low" "$(count pgo_test_cpus pgo_test_called)" "$high"
	check "and those through a pointer" \
		between "$low" "$(count pgo_test_cpus pgo_test_pointed)" "$high"
	# A value that is not there yet is appended with a count of 1, which is
	# one more than 0. Of the other CPU, it is dropped meanwhile.
	dropped=$(stats pgo_test_cpus dropped)
	ktap_print_msg "$dropped dropped"
	check "with their target" between $((low - dropped)) \
		"$(values pgo_test_cpus pgo_test_on_cpu 0 |
			sed -n 's/^0:pgo_test_pointed:\([0-9]*\)$/\1/p')" "$high"
}

test_counts() {
	n=$(did pgo_test_calls calls)
	check_is "each call is counted" "$(count pgo_test_calls pgo_test_called)" "$n"
	loads=$(did pgo_test_calls loads)
	check_is "and each init" "$(count pgo_test_calls init_module)" "$loads"
	check_is "and each exit" "$(count pgo_test_calls cleanup_module)" "$loads"

	n=$(did pgo_test_multi calls)
	check_is "and each call in several objects" \
		"$(count pgo_test_multi pgo_test_same | sort -n | xargs)" \
		"$((3 * n)) $((5 * n))"

	n=$(did pgo_test_values calls)
	check_is "and each call through a pointer" \
		"$(count pgo_test_values pgo_test_often),$(
		   count pgo_test_values pgo_test_seldom)" "$((3 * n / 4)),$((n / 4))"
	check_is "with its target" "$(values pgo_test_values pgo_test_indirect 0)" \
		"0:pgo_test_often:$((3 * n / 4)) 0:pgo_test_seldom:$((n / 4))"

	n=$(did pgo_test_life loads)
	check_is "and each call of a module that is not loaded in the end" \
		"$(count pgo_test_life pgo_test_in_param),$(
		   count pgo_test_life pgo_test_in_init),$(
		   count pgo_test_life pgo_test_at_last)" \
		"$((2 * n)),$((3 * n)),$((11 * n))"
	check_is "with its targets" \
		"$(values pgo_test_life pgo_test_call 0 | tr ' ' '\n' |
			sed 's/^0:pgo_test_//' | xargs)" \
		"at_last:$((11 * n)) in_init:$((3 * n)) in_param:$((2 * n))"

	n=$(did pgo_test_cpus writes)
	check_at_once 2 "$n" $((2 * n))
}

# What the lines of the statistics say, as the directory has it: name and size
files() {
	for file in "$PGO"/*.profraw; do
		name=${file##*/}
		[ "$name" != all.profraw ] || continue
		echo "${name%.profraw} $(stat -c %s "$file")"
	done | sort
}

# Modules that are loaded and have profile sections
profiled_modules() {
	while read -r name _; do
		[ ! -e "/sys/module/$name/sections/__llvm_prf_data" ] ||
			echo "$name"
	done < /proc/modules | sort | xargs
}

check_stats() {
	cat "$PGO/stats" > "$TMP/stats"
	check_is "statistics have each file once, and its size" \
		"$(awk 'NR > 1 { print $1, $9 }' "$TMP/stats" | sort)" "$(files)"
	check_is "each module that is loaded is live" \
		"$(awk '$2 == "live" && $1 != "vmlinux" { print $1 }' \
			"$TMP/stats" | sort | xargs)" "$(profiled_modules)"
	check_is "no test module is, and all of them are kept" \
		"$(awk '/^pgo_test_/ && $2 == "saved" && $10 { print $1 }' \
			"$TMP/stats" | sort | xargs)" \
		"$(echo "$mods" | tr ' ' '\n' | sort | xargs)"
	check_is "no value found all nodes taken" \
		"$(awk '/^pgo_test_/ && $1 != "pgo_test_cpus" { sum += $8 }
			END { print sum }' "$TMP/stats")" 0
	# It calls twice.
	check "nor did one of two CPUs at once, but when it was new" \
		[ "$(stats pgo_test_cpus dropped)" -le $((2 * $(did pgo_test_cpus loads))) ]
}

begin 32 "$PGO/reset"
! grep -q 'pgo_keep=0' /proc/cmdline || skip_all "booted with pgo_keep=0"

# What is allocated once and kept is, from here on.
for mod in $mods; do
	load "$mod" 2>/dev/null
done
cpus=$(nproc)
[ "$cpus" -le 2 ] || cpus=2
atomic=$(cat /sys/module/pgo_test_cpus/parameters/atomic)
for mod in $mods; do
	! loaded "$mod" || rmmod "$mod"
done
forget
leaks_begin

check "everything at once" stress -r
check "whatever was read is a profile" merge_read

forget
check "everything at once, but for a reset" stress
check "whatever was read is a profile again" merge_read
for mod in $mods; do
	check "$mod has a profile" profile "$mod"
done
test_counts
check_stats

forget
load pgo_test_cpus
run pgo_test_cpus 20000
rmmod pgo_test_cpus
profile pgo_test_cpus
check_at_once 20000 1 2

forget
check_is "nothing is kept after a reset" "$(kept)" 0
check_is "no profile of a module either" \
	"$(find "$PGO" -name 'pgo_test_*.profraw' ! -name 'pgo_test_init.*')" ""
check_leaks

ktap_finished
