#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The verdicts of dev/bisect, on a kernel of three files and with a make that
# builds by copying: the real one takes half an hour.

. "$(dirname -- "$0")/tap.sh"
world

mkdir "$work/bin"
cat >"$work/bin/make" <<'EOF'
#!/bin/sh
for word; do
	case $word in
	O=*) out=${word#O=} ;;
	KCONFIG_ALLCONFIG=*) asked=${word#*=} ;;
	esac
done
tree=$2
cd "$out" || exit
case $* in
*allnoconfig*)
	cp "$asked" .config
	grep -q obj-pgo "$tree/kernel/Makefile" || sed -i /PGO/d .config ;;
*)
	commit=$(git -C "$tree" rev-parse HEAD)
	if [ "$commit" != "$(cat built 2>/dev/null)" ] && grep -q PGO .config; then
		[ ! -e "$tree/kernel/pgo/flaw-warns" ] || echo warning >&2
		[ ! -e "$tree/kernel/pgo/flaw-breaks" ] || exit 2
	fi
	mkdir -p fs
	cp "$tree/kernel/Makefile" vmlinux
	cat "$tree/kernel/pgo/flaw-changes" >>vmlinux 2>/dev/null
	sed -i /pgo/d vmlinux
	echo fs/ext4.o >modules.order
	echo >fs/ext4.ko
	echo "$commit" >built ;;
esac
EOF
printf '#!/bin/sh\ncp vmlinux vmlinux.loaded\n' >"$work/bin/llvm-objcopy-19"
chmod +x "$work/bin/make" "$work/bin/llvm-objcopy-19"
PATH=$work/bin:$PATH

# Nor does it boot, but for what the tests say.
cat >dev/boot <<'EOF'
#!/bin/sh
mkdir -p "$BUILD/boot-bisect"
cat "$TREE/kernel/pgo/flaw-fails" >"$BUILD/boot-bisect/console.log" 2>/dev/null
! grep -q PGO "$BUILD/.config" || [ ! -e "$TREE/kernel/pgo/flaw-hangs" ]
EOF
printf '#!/bin/sh\n' >dev/initramfs
mkdir -p "$KERNEL_SRC/tools/testing/kunit"
# shellcheck disable=SC2016	# for the script
printf '#!/bin/sh\n! grep "not ok" "$2"\n' >"$KERNEL_SRC/tools/testing/kunit/kunit.py"
chmod +x "$KERNEL_SRC/tools/testing/kunit/kunit.py"

bisect() { dev/bisect >"$log" 2>&1; }
# verdicts: the columns of the table, without the image
verdicts() { awk 'NR > 1 { printf "%s %s %s %s,", $1, $2, $3, $4 }' out/bisect-6.12.txt; }

ok "a good series" bisect
ok "the option is off, and on from where it is there" \
	[ "$(verdicts)" = "0 ok - ok,1 ok - -,2 ok ok ok,3 ok ok ok," ]

# flaw FILE WHAT TEXT: a fourth mail brings kernel/pgo/flaw-FILE and so WHAT, which
# is found, and TEXT is in the table.
flaw() {
	rm -rf kernel/pgo/flaw-*
	mail 04-bad "kernel/pgo/flaw-$1"
	echo "not ok 1" >"kernel/pgo/flaw-$1"
	ok "a commit that $2" not bisect
	ok "is the one" says out/bisect-6.12.txt "$3"
}
flaw warns "prints a warning" "4   ok            prints warnings"
ok "and is that again, though it is built already" not bisect
flaw breaks "does not build" "does not build"
flaw changes "changes the image with the option off" "4   other image   ok"
flaw hangs "does not boot" "4   ok            ok   does not boot"
flaw fails "fails its tests" "4   ok            ok   fails KUnit"
rm -r series/04-bad kernel/pgo/flaw-*
ok "good again" bisect
ok "from a mail on" env FROM=3 dev/bisect
ok "and the base, to compare with" [ "$(verdicts)" = "0 ok - ok,3 ok ok ok," ]

rm -r "$PGO_CACHE/bisect"/6.12-o*
ok "what went well is not done again" bisect
ok "and looks the same" [ "$(verdicts)" = "0 ok - ok,1 ok - -,2 ok ok ok,3 ok ok ok," ]
ok "nothing was built" [ ! -e "$PGO_CACHE/bisect/6.12-off/built" ]

echo more >>kernel/pgo/one.c
printf '#!/bin/sh\nexit 1\n' >"$work/bin/llvm-objcopy-19"
ok "an image that can't be compared is no success" not bisect
printf '#!/bin/sh\ncp vmlinux vmlinux.loaded\n' >"$work/bin/llvm-objcopy-19"

sed -i s/obj-pgo/pgo/ series/02-hook/hooks.patch
ok "a series without the option is no success" not bisect

plan
