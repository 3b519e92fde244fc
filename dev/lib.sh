# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# What every command in dev/ agrees on: where things lie, which base and which
# compiler are meant, and how one says what is going on.  Sourced, never run.
#
#   BASE       kernel that the series applies to, a row of dev/bases
#   CLANG      major version of clang, lld and llvm, a row of dev/clangs
#   CONFIG     a file of dev/configs without its suffix, or several: kcsan+rt
#   PROFILE    a .profdata to optimise the kernel with, of CONFIG plain by default
#   PGO_CACHE  everything that can be made again; safe to delete
#   TREE       the composed kernel tree, and
#   BUILD      its O= folder, for the one who wants others than the cache's
#   KERNEL_SRC one's own unpacked kernel instead of Debian's; only read
#
# shellcheck disable=SC2034	# the variables are for the one who sources this

set -eu
# A hook of git that runs us says where *its* repository is; it is not ours.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_PREFIX
# Nor are the flags of the make at the front door for the kernel's make.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL

TOP=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
PGO_CACHE=${PGO_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/linux-pgo}
mkdir -p "$PGO_CACHE"
PGO_CACHE=$(CDPATH='' cd -- "$PGO_CACHE" && pwd -P)
BASE=${BASE:-6.12}
CLANG=${CLANG:-19}
PROFILE=${PROFILE:+$(realpath -- "$PROFILE")}
CONFIG=${CONFIG:-$([ -n "$PROFILE" ] && echo plain || echo base)}
JOBS=${JOBS:-$(nproc)}

# Another compiler would build all anew in the folders of the default one.
BY=
[ "$CLANG" = 19 ] || BY=-clang$CLANG
# folder NAME: of builds of BASE by CLANG
folder() { echo "$PGO_CACHE/build/$BASE-$1$BY"; }

STORE=$PGO_CACHE/linux.git		# one commit per base
TREE=${TREE:-$PGO_CACHE/tree/$BASE}	# the composed kernel
BUILD=${BUILD:-$(folder "$CONFIG${PROFILE:+-use}")}	# its O= folder
OUT=$TOP/out				# what a user looks at
PREFIX=$PGO_CACHE/toolchain/$CLANG	# the compiler, if dev/toolchain brought it
[ ! -d "$PREFIX" ] || PATH=$PREFIX/usr/bin:$PATH

PROG=$(basename -- "$0")

say() { printf '%s: %s\n' "$PROG" "$*" >&2; }
die() { say "$*"; exit 1; }

# lookup TABLE KEY FIELD: what a table of dev/ says
lookup() {
	awk -v key="$2" -v field="$3" '
		!/^#/ && $1 == key { print $field; found = 1 }
		END { exit !found }' "$TOP/dev/$1" ||
		die "$2 is not in dev/$1, which has$(
			awk '!/^#/ && NF { printf " %s", $1 }' "$TOP/dev/$1")"
}
# basis FIELD: of $BASE
basis() { lookup bases "$BASE" "$1"; }

# added: the files of $CONFIG, which come on top of base.config
added() {
	for name in $(echo "$CONFIG" | tr + ' '); do
		[ "$name" = base ] || echo "$TOP/dev/configs/$name.config"
	done
}

# told_make: what they want make to be told, a comment to Kconfig
told_make() { added | xargs -r sed -n "s/^# make: //p"; }

# kunit CONSOLE: what the tests said there
kunit() { (cd "$TREE" && tools/testing/kunit/kunit.py parse "$1"); }

# files_counted RESULT PROFILE: as many as the workload said that it made, by
# ext4_create() of the raw profile of ext4
files_counted() {
	made=$(tr -d '\r' <"$1" | sed -n 's/^# files created: //p')
	counted=$("llvm-profdata-$CLANG" merge --text -o - "$2" |
		grep -A 6 '[;:]ext4_create$' | tail -n 1)
	echo "made $made, counted $counted"
	[ -n "$made" ] && [ "$made" = "$counted" ]
}

# initrd_with FOLDER: the guest's files and those of FOLDER. The kernel unpacks one
# archive after the other.
initrd_with() {
	cat "$BUILD/initramfs.cpio.gz"
	(cd "$1" && find . | cpio --quiet -o -H newc -R 0:0 | gzip -1)
}

# linked FOLDER: the tree once more, to build inside of it. Of links, which are as good
# as files, where others build; what is there stays, but for links to nowhere.
linked() {
	mkdir -p "$1"
	cp -asn "$TREE/." "$1"
	find "$1" -xtype l -delete
}

# git as it is without anybody's settings: the same input gives the same bytes
plain_git() { GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git "$@"; }
store() { plain_git --git-dir="$STORE" "$@"; }

# fixed_identity: who and when, of commits that must have the same id everywhere
fixed_identity() {
	export GIT_AUTHOR_NAME='kernel/pgo developers'
	export GIT_AUTHOR_EMAIL='pgo@localhost'
	export GIT_AUTHOR_DATE='1731881708 +0000'
	export GIT_COMMITTER_NAME="$GIT_AUTHOR_NAME"
	export GIT_COMMITTER_EMAIL="$GIT_AUTHOR_EMAIL"
	export GIT_COMMITTER_DATE="$GIT_AUTHOR_DATE"
}

# step WHAT: one line of progress with the seconds since the command started
STARTED=$(date +%s)
step() { printf '[%4ds] %s\n' "$(($(date +%s) - STARTED))" "$*" >&2; }

# kmake TARGET...: the kernel's make, always with the same compiler and the same
# fixed names: another command line would rebuild the whole kernel.  ccache takes
# the compiler's list of headers, instead of preprocessing each file for itself.
export CCACHE_DIR="${CCACHE_DIR:-$PGO_CACHE/ccache}" CCACHE_DEPEND=1
kmake() {
	make -C "$TREE" O="$BUILD" ARCH=x86_64 LLVM="-$CLANG" \
		CC="ccache clang-$CLANG" LOCALVERSION= \
		KBUILD_BUILD_TIMESTAMP=1970-01-01 KBUILD_BUILD_VERSION=1 \
		KBUILD_BUILD_USER=pgo KBUILD_BUILD_HOST=pgo \
		${PROFILE:+CLANG_PGO_PROFILE="$PROFILE"} "$@"
}
