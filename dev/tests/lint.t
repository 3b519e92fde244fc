#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What no script and no text of this repository may have.

. "$(dirname -- "$0")/tap.sh"
cd "$here/../.." || exit

# Not inputs of the fuzz target, which are any bytes.
files=$(git ls-files -co --exclude-standard | while read -r file; do
	case $file in dev/host/corpus/*) continue ;; esac
	[ ! -f "$file" ] || echo "$file"
done)
scripts=$(for file in $files; do
	! head -n 1 "$file" | grep -q '^#!/bin/sh' || echo "$file"
done)
long() { awk 'length > 100 { print FILENAME ": " FNR; bad = 1 } END { exit bad }' "$@"; }
unlicensed() {
	for file in $files; do
		case $file in
		series/*/hooks.patch | series/*/message | series/*/files) ;;
		series/cover-letter | *.md | *.png | *.json | COPYING | *.gitignore | */.kunitconfig) ;;
		*/.shellcheckrc | */config | */settings | dev/splat.* | *.config | Documentation/ABI/*) ;;
		*) head -n 2 "$file" | grep -q SPDX-License-Identifier || echo "$file" ;;
		esac
	done | grep .
}

# shellcheck disable=SC2086	# lists of names
{
	ok "shellcheck" shellcheck -x -P SCRIPTDIR $scripts
	ok "codespell" codespell $files
	ok "no line of more than 100 columns" long $scripts
	ok "a licence in each file" not unlicensed
	ok "no place of somebody's machine" not grep -nE '/(home|root|work)/' $files
}
plan
