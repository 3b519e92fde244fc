# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# For the tests of the tooling: TAP, and a world of three files in which the
# commands run as they are.  Sourced, never run.
#
# shellcheck disable=SC2034	# the variables are for the one who sources this

set -u
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE KERNEL_SRC BASE TREE BUILD SIGNOFF V

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

log=$work/log
tests=0
# ok WHAT COMMAND...: the test WHAT is that COMMAND succeeds
ok() {
	tests=$((tests + 1))
	what=$1
	shift
	if "$@" >"$work/said" 2>&1; then
		echo "ok $tests - $what"
	else
		echo "not ok $tests - $what"
		echo "$* said:" | cat - "$work/said" | sed 's/^/# /'
		failed=1
	fi
}
failed=0
plan() { echo "1..$tests"; exit $failed; }

not() { ! "$@"; }

# says FILE TEXT...: each TEXT is in FILE
says() {
	cat "$1"
	file=$1
	shift
	for text; do
		grep -qF -e "$text" "$file" || { echo "no '$text'"; return 1; }
	done
}

# world: a kernel of three files, and a repository with a series of three mails
# over it: a file in an early version, a hook, the rest.
world() {
	export KERNEL_SRC="$work/kernel" PGO_CACHE="$work/cache" HOME="$work"
	export GIT_CONFIG_NOSYSTEM=1
	repo=$work/repo
	tree=$PGO_CACHE/tree/6.12
	mkdir -p "$KERNEL_SRC/kernel" "$repo/kernel/pgo" "$repo/series"
	printf 'VERSION = 6\nPATCHLEVEL = 12\n' >"$KERNEL_SRC/Makefile"
	printf '/*\n' >"$KERNEL_SRC/.gitignore"	# as Debian's
	printf 'obj-%s\n' a b c d e f g h >"$KERNEL_SRC/kernel/Makefile"

	cp -R "$here/.." "$repo/dev"
	cd "$repo" || exit
	cp "$here/../../.gitignore" .
	git init -q .
	git config user.name 'Ann Öther'
	git config user.email ann@example.org
	echo 'int one;' >kernel/pgo/one.c
	echo 'echo two' >kernel/pgo/two.sh
	chmod +x kernel/pgo/two.sh
	printf 'obj-y += one.o\nobj-y += more.o\n' >kernel/pgo/Makefile

	mail 01-one kernel/pgo/one.c
	mkdir -p series/01-one/kernel/pgo
	echo 'obj-y += one.o' >series/01-one/kernel/pgo/Makefile
	mail 02-hook
	cat >series/02-hook/hooks.patch <<-'EOF'
		--- a/kernel/Makefile
		+++ b/kernel/Makefile
		@@ -2,6 +2,7 @@
		 obj-b
		 obj-c
		 obj-d
		+obj-pgo
		 obj-e
		 obj-f
		 obj-g
	EOF
	mail 03-rest kernel/pgo/Makefile kernel/pgo/two.sh
	printf 'pgo: profile & rebuild\n\nWhy\\n all this.\n' >series/cover-letter
}

# mail NAME FILE...
mail() {
	mkdir -p "series/$1"
	printf 'pgo: add %s\n\nThe text.\n---\nA note for the list.\n' "$1" \
		>"series/$1/message"
	name=$1
	shift
	printf '%s\n' "$@" >"series/$name/files"
}

# compose: as dev/compose; what it says is in $log
compose() { dev/compose >"$log" 2>&1; }
head_id() { git -C "$tree" rev-parse HEAD; }
