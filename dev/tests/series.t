#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What dev/series promises, on a kernel of three files.

. "$(dirname -- "$0")/tap.sh"
world

out=out/series/6.12
series() { dev/series >"$log" 2>&1; }

ok "writes" series
ok "a cover letter and one mail per folder" [ "$(cd $out && echo 0*)" = "$(
	printf %s '0000-cover-letter.patch 0001-pgo-add-01-one.patch ' \
		'0002-pgo-add-02-hook.patch 0003-pgo-add-03-rest.patch')" ]
ok "the cover's subject and text" says $out/0000* "[PATCH 0/3] pgo: profile & rebuild" \
	'Why\n all this.' "4 files changed"
ok "and nothing between" [ "$(sed '1,/^$/d; q' $out/0000*)" = 'Why\n all this.' ]
ok "nothing left to fill in" not grep -F '***' $out/0000*
ok "the text above the cut, the note below" \
	[ "$(sed -n '/^The text/,/^A note/p' $out/0001*)" = "The text.
---
A note for the list." ]
ok "from the sender" says $out/0001* "From: =?UTF-8?q?Ann=20=C3=96ther?= <ann@example.org>"
ok "no sign-off that nobody gave" not grep -r Signed-off-by $out
ok "no trace of whoever composed" not grep -r 'pgo@localhost' $out

# By hand, and onto a repository that has never seen ours.
(
	git clone -q "$PGO_CACHE/linux.git" "$work/am" -n 2>/dev/null
	cd "$work/am" && git checkout -q "$(git -C "$tree" rev-parse HEAD~3)" &&
		git -c user.name=x -c user.email=x@y am -q "$repo/$out"/000[1-9]*
) >/dev/null 2>&1
ok "git am gives the composed tree" \
	[ "$(git -C "$work/am" rev-parse 'HEAD^{tree}')" = "$(git -C "$tree" rev-parse 'HEAD^{tree}')" ]

ok "writes version 2 with a sign-off" env V=2 SIGNOFF=1 dev/series
ok "which says so" says $out/v2-0002* "[PATCH v2 2/3]" "A note for the list." \
	"Signed-off-by: Ann Öther <ann@example.org>"
ok "and took the place of version 1" [ "$(find $out -type f | wc -l)" = 4 ]

git config --unset user.name
ok "no sign-off of nobody" not env SIGNOFF=1 dev/series

# A note that looks like a patch would change what git am makes of the mail.
git config user.name Ann
printf '%s\n' '--- /dev/null' '+++ b/kernel/new.c' '@@ -0,0 +1 @@' +int >>series/02-hook/message
ok "a mail that git am takes for another is refused" not series
ok "for that reason" says "$log" "does not give the composed tree"

plan
