#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What dev/compose, dev/commits and dev/base promise, on a kernel of three files.

. "$(dirname -- "$0")/tap.sh"
world

at() { git -C "$tree" show "$1"; }
stamps() {
	(cd "$tree" && find . -name .git -prune -o -type f -printf '%P %T@\n' | sort)
}
# refuses TEXT...: compose fails, says each TEXT, and the tree is as it was
refuses() {
	before=$(head_id; stamps)
	! compose || return
	says "$log" "$@" && [ "$before" = "$(head_id; stamps)" ]
}

ok "composes" compose
first=$(head_id)
ok "one commit per mail on one of the base" \
	[ "$(git -C "$tree" log --format=%s --reverse | tail -n +2 | tr '\n' ,)" = \
	"pgo: add 01-one,pgo: add 02-hook,pgo: add 03-rest," ]
ok "the base has what its .gitignore ignores" at HEAD~3:kernel/Makefile
ok "the note is not in the commit" \
	[ "$(git -C "$tree" log -1 --format=%B)" = "pgo: add 03-rest

The text." ]
ok "the hook is in its mail" [ "$(at HEAD~1:kernel/Makefile | grep -c pgo)" = 1 ]
ok "and not before" [ "$(at HEAD~2:kernel/Makefile | grep -c pgo)" = 0 ]
ok "early version in an early mail" [ "$(at HEAD~2:kernel/pgo/Makefile | wc -l)" = 1 ]
ok "final version at the tip" cmp "$tree/kernel/pgo/Makefile" kernel/pgo/Makefile
ok "an executable stays one" [ -x "$tree/kernel/pgo/two.sh" ]
ok "a plain file stays one" [ ! -x "$tree/kernel/pgo/one.c" ]

before=$(stamps)
sleep 1
ok "composes again" compose
ok "to the same id" [ "$(head_id)" = "$first" ]
ok "without touching a file" [ "$(stamps)" = "$before" ]
rm -rf "$PGO_CACHE"
mkdir "$work/elsewhere"
mv "$KERNEL_SRC" "$work/elsewhere/"
KERNEL_SRC=$work/elsewhere/kernel
ok "composes from another place without a cache" compose
ok "to the same id still" [ "$(head_id)" = "$first" ]

before=$(stamps)
sleep 0.1
echo 'int two;' >>kernel/pgo/one.c
ok "composes after an edit" compose
echo "$before" >"$work/before"
stamps >"$work/after"
touched=$(diff "$work/before" "$work/after" | sed -n 's/^> \([^ ]*\).*/\1/p')
ok "and touches that file alone" [ "$touched" = kernel/pgo/one.c ]

echo 'in the wrong place' >"$tree/kernel/pgo/one.c"
ok "composes over an edit in the tree" compose
ok "which is undone" cmp "$tree/kernel/pgo/one.c" kernel/pgo/one.c
saved=$(sed -n 's/.*kept as //p' "$log")
ok "and kept" [ "$(at "$saved:kernel/pgo/one.c")" = 'in the wrong place' ]

sed -i s/obj-d/obj-x/ series/02-hook/hooks.patch
ok "a hook that does not apply" refuses 02-hook kernel/Makefile
sed -i s/obj-x/obj-d/ series/02-hook/hooks.patch
sed -i '$d' series/02-hook/hooks.patch
ok "a hook that is no patch" refuses "02-hook: corrupt patch" series/02-hook
echo ' obj-g' >>series/02-hook/hooks.patch
sed -i s/obj-b/obj-x/ series/02-hook/hooks.patch
ok "a hook with less context applies on 6.12" compose
ok "and that is said" says "$log" 02-hook kernel/Makefile "Context reduced"
sed -i 's/  1  -$/  3  -/' dev/bases
ok "but not on a base that wants it strict" refuses 02-hook kernel/Makefile
sed -i 's/  3  -$/  1  -/' dev/bases
mkdir -p series/6.12/02-hook series/7.2/02-hook
for own in 6.12/obj-own 7.2/obj-other; do
	cat >"series/${own%/*}/02-hook/hooks.patch" <<-EOF
		--- a/kernel/Makefile
		+++ b/kernel/Makefile
		@@ -1,3 +1,4 @@
		+${own#*/}
		 obj-a
		 obj-b
		 obj-c
	EOF
done
ok "a base's own hook comes on top" compose
ok "of the mail's" [ "$(grep -cx 'obj-pgo\|obj-own' "$tree/kernel/Makefile")" = 2 ]
ok "and another base's does not" [ "$(grep -c obj-other "$tree/kernel/Makefile")" = 0 ]
mv series/6.12/02-hook series/6.12/02-hok
ok "a base's own hook for no mail" refuses 02-hok
rm -r series/6.12 series/7.2
sed -i s/obj-x/obj-b/ series/02-hook/hooks.patch

echo >kernel/pgo/lost.c
ok "a file in no mail" refuses "kernel/pgo/lost.c is in no mail"
mail 04-lost kernel/pgo/lost.c kernel/pgo/one.c
ok "a file in two mails" refuses kernel/pgo/one.c 01-one 04-lost
mail 04-lost kernel/pgo/lost.c kernel/pgo/found.c
ok "a file that is not there" refuses 04-lost kernel/pgo/found.c
rm -r series/04-lost kernel/pgo/lost.c
mkdir -p series/03-rest/kernel/pgo
echo >series/03-rest/kernel/pgo/lost.c
ok "an early version of no file" refuses kernel/pgo/lost.c
rm -r series/03-rest/kernel
mkdir -p series/04-late/kernel/pgo
echo >series/04-late/kernel/pgo/one.c
ok "a mail without a message" refuses 04-late
mail 04-late
ok "an early version that comes late" refuses kernel/pgo/one.c
rm -r series/04-late/kernel
ok "a mail that changes nothing" refuses 04-late
rm -r series/04-late
ok "all of it undone composes" compose

sed -i 's/12/13/' "$KERNEL_SRC/Makefile"
ok "a kernel of another version" refuses "is 6.13, not 6.12"
sed -i 's/13/12/' "$KERNEL_SRC/Makefile"
: >"$KERNEL_SRC/.config"
ok "a kernel tree that was built in" refuses "make mrproper"
rm "$KERNEL_SRC/.config"

echo '# more' >>"$KERNEL_SRC/Makefile"
ok "a change of one's own kernel is taken" compose
ok "as it is" cmp "$KERNEL_SRC/Makefile" "$tree/Makefile"

# The same as a git work tree: its HEAD counts, and it stays as it is.
(
	cd "$KERNEL_SRC" || exit
	git init -q . && git add -Af . &&
		git -c user.name=x -c user.email=x@y commit -qm x
	echo changed >>Makefile
)
files() { find "$KERNEL_SRC" -printf '%P %s %T@\n' | sort; }
before=$(files)
ok "composes from a git work tree" compose
ok "says that its changes are not used" says "$log" "not committed"
ok "its HEAD" [ "$(git -C "$tree" show HEAD~3:Makefile | wc -l)" = 3 ]
ok "which does not make the store shallow" [ ! -e "$PGO_CACHE/linux.git/shallow" ]
ok "and writes nothing there" [ "$(files)" = "$before" ]

# A package of another suite, which is not installed: fetch has put it somewhere.
package=linux-source-6.12
mkdir -p "$work/deb/DEBIAN" "$work/deb/usr/src" "$work/src/$package"
cp -r "$KERNEL_SRC/Makefile" "$KERNEL_SRC/kernel" "$work/src/$package/"
echo '# of Debian' >>"$work/src/$package/Makefile"
tar -C "$work/src" -cJf "$work/deb/usr/src/$package.tar.xz" $package
printf 'Package: %s\nVersion: 6.12.1-9\nArchitecture: all\nMaintainer: x <x@y>\nDescription: x\n' \
	$package >"$work/deb/DEBIAN/control"
dpkg-deb -Zxz -b "$work/deb" "$work/$package.deb" >/dev/null
printf '#!/bin/sh\n[ "$*" = "sid %s" ] && echo "%s"\n' $package "$work/$package.deb" >dev/fetch
sed -i 's/  -$/  sid/' dev/bases
unset KERNEL_SRC
ok "composes from a fetched package" compose
ok "which is the base" [ "$(at HEAD~3:Makefile | tail -n 1)" = '# of Debian' ]
ok "with its version, which is not the one that was tried" says "$log" \
	"$package is 6.12.1-9; the series was last tried on"
rm "$work/$package.deb"
printf '#!/bin/sh\necho no network >&2; exit 1\n' >dev/fetch
ok "without it there is no tree" not compose

plan
