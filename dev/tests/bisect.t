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
		[ ! -e "$tree/kernel/pgo/warns" ] || echo warning >&2
		[ ! -e "$tree/kernel/pgo/breaks" ] || exit 2
	fi
	mkdir -p fs
	cp "$tree/kernel/Makefile" vmlinux
	cat "$tree/kernel/pgo/changes" >>vmlinux 2>/dev/null
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
cat "$TREE/kernel/pgo/fails" >"$BUILD/boot-bisect/console.log" 2>/dev/null
! grep -q PGO "$BUILD/.config" || [ ! -e "$TREE/kernel/pgo/hangs" ]
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

mail 04-bad kernel/pgo/warns
: >kernel/pgo/warns
ok "a commit that prints a warning" not bisect
ok "is the one" says out/bisect-6.12.txt "4   ok            prints warnings"
ok "and is that again, though it is built already" not bisect
mail 04-bad kernel/pgo/breaks
mv kernel/pgo/warns kernel/pgo/breaks
ok "a commit that does not build" not bisect
ok "is the one" says out/bisect-6.12.txt "does not build"
mail 04-bad kernel/pgo/changes
mv kernel/pgo/breaks kernel/pgo/changes
echo more >kernel/pgo/changes
ok "a commit that changes the image with the option off" not bisect
ok "is the one" says out/bisect-6.12.txt "4   other image   ok"
mail 04-bad kernel/pgo/hangs
mv kernel/pgo/changes kernel/pgo/hangs
ok "a commit that does not boot" not bisect
ok "is the one" says out/bisect-6.12.txt "4   ok            ok   does not boot"
mail 04-bad kernel/pgo/fails
mv kernel/pgo/hangs kernel/pgo/fails
echo "not ok 1" >kernel/pgo/fails
ok "a commit whose tests fail" not bisect
ok "is the one" says out/bisect-6.12.txt "4   ok            ok   fails KUnit"
rm -r series/04-bad kernel/pgo/fails
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
