#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Where another compiler than the default comes from and who finds it, with a
# mirror of Debian that is ours.

. "$(dirname -- "$0")/tap.sh"
unset CLANG CONFIG

cp -R "$here/.." "$work/dev"
export PGO_CACHE="$work/cache"
prefix=$PGO_CACHE/toolchain
# stub NAME: a command that does what stdin says
stub() { { echo '#!/bin/sh'; cat; } >"$work/$1" && chmod +x "$work/$1"; }
stub dev/known <<'EOF'
. "$(dirname -- "$0")/lib.sh"
eval "echo \$$1"
EOF
known() { "$work/dev/known" "$@"; }
toolchain() { "$work/dev/toolchain" >"$log" 2>&1; }

ok "the default builds where it always did" [ "$(known BUILD)" = "$PGO_CACHE/build/6.12-base" ]
ok "and is found as ever" [ "$(known PATH)" = "$PATH" ]
export CLANG=20
ok "a compiler that is nowhere" not toolchain
ok "is told in one line" [ "$(wc -l <"$log")" = 1 ]
ok "with those that are somewhere" says "$log" "20 is not in dev/clangs" "13 14 15 16 17 18 19 21"
export CLANG=23
ok "another compiler builds elsewhere" \
	[ "$(CONFIG=debug known BUILD)" = "$PGO_CACHE/build/6.12-debug-clang23" ]
ok "but where one wants it" [ "$(BUILD=/there known BUILD)" = /there ]
stub dev/build-here <"$work/dev/build"
PATH=/usr/bin:/bin "$work/dev/build-here" >"$log" 2>&1
ok "a build without it says what to do" says "$log" "make toolchain CLANG=23"

# The mirror: "Inst" lines of apt, and packages made below
mkdir "$work/debs"
stub dev/apt <<EOF
echo "\$*" >>"$work/asked"
case "\$*" in
*libclang-rt-13-dev*) exit 1 ;;
*" install "*)
	for name in libllvm\$CLANG zlib1g binutils gcc-16-base libasan8 libc6 libc6-dev \
		libc6-i386 libclang1-\$CLANG libclang-cpp\$CLANG "\$@"; do
		echo "Inst \$name (1.0 Debian:unstable [amd64])"
	done ;;
*" download "*) [ ! -e "$work/offline" ] && cp "$work/debs"/* . ;;
esac
EOF
mv "$work/dev/unpack" "$work/dev/unpack-it"
stub dev/unpack <<EOF
[ ! -e "$work/offline" ] || exit 1
echo "\$*" >"$work/unpacked"
mkdir -p "\$2/usr/bin"
printf '#!/bin/sh\n' >"\$2/usr/bin/clang-\$CLANG"
chmod +x "\$2/usr/bin/clang-\$CLANG"
EOF
unpacks() { [ "$(cat "$work/unpacked")" = "$*" ]; }

: >"$work/offline"
ok "without the mirror there is no toolchain" not toolchain
rm "$work/offline"
ok "with it there is" toolchain
ok "of what is needed to run, not to link programs of this machine" unpacks \
	sid "$prefix/23" libllvm23 zlib1g libc6 libclang-cpp23 clang-23 lld-23 llvm-23 libclang-rt-23-dev
ok "which is found first" [ "$(known PATH)" = "$prefix/23/usr/bin:$PATH" ]
: >"$work/asked"
ok "again" toolchain
ok "asks for nothing" [ ! -s "$work/asked" ]
ok "the default finds what it found" [ "$(CLANG=19 known PATH)" = "$PATH" ]
export CLANG=13
ok "a compiler without a package for its runtime" toolchain
ok "has it in another" unpacks bookworm "$prefix/13" libllvm13 zlib1g libc6 libclang-cpp13 \
	clang-13 lld-13 llvm-13

# A package with a program, one with the libc that it must take
deb() {
	mkdir "$work/$1/DEBIAN"
	printf 'Package: %s\nVersion: 1\nArchitecture: amd64\nMaintainer: x <x@y>\nDescription: x\n' \
		"$1" >"$work/$1/DEBIAN/control"
	dpkg-deb -b "$work/$1" "$work/debs/$1.deb" >/dev/null
}
libs=lib/x86_64-linux-gnu
mkdir -p "$work/echo/usr/bin" "$work/echo/usr/share/doc" "$work/libc6/$libs"
cp /bin/echo "$work/echo/usr/bin/"
cp /lib64/ld-linux-x86-64.so.2 "/$libs/libc.so.6" "$work/libc6/$libs/"
deb echo
deb libc6
unpack() { "$work/dev/unpack-it" sid "$prefix/echo" "$@" >"$log" 2>&1; }

: >"$work/offline"
ok "what can't be downloaded" not unpack echo libc6
ok "leaves nothing" [ ! -e "$prefix/echo" ]
rm "$work/offline"
ok "unpacks" unpack echo libc6
ok "a program that runs" [ "$("$prefix/echo/usr/bin/echo" hello)" = hello ]
LD_TRACE_LOADED_OBJECTS=1 "$prefix/echo/usr/bin/echo" >"$work/loaded"
ok "with a loader and a libc of its own" says "$work/loaded" \
	"$prefix/echo/$libs/libc.so.6" "$prefix/echo/$libs/ld-linux-x86-64.so.2"
ok "and without documentation" [ ! -e "$prefix/echo/usr/share" ]
rm "$work/debs/libc6.deb"
ok "a libc must be there" not unpack echo
ok "what was there before stays" "$prefix/echo/usr/bin/echo"
ok "nothing else is left" [ "$(cd "$PGO_CACHE" && echo *)" = toolchain ]

plan
