#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The page says what the profiles do, and a browser draws it. The kernel has three
# files and a module of one, in a build folder as kbuild leaves it.

. "$(dirname -- "$0")/tap.sh"

clang=${CLANG:-19}
if ! command -v npm >/dev/null; then
	echo "ok 1 - the page of a profile # SKIP no npm: dev/deps report installs it"
	echo "1..1"
	exit
fi
cd "$work" || exit
mkdir -p tree/kernel tree/include tree/fs/toy build/kernel build/fs/toy \
	build/include/config
echo 6.12.1-toy >build/include/config/kernel.release

cat >tree/include/both.h <<'EOT'
static inline void both(void) { }
EOT
cat >tree/kernel/core.c <<'EOT'
#include "both.h"

int
hottest(int i)
{
	return i < 0 ? "</script><!--" : "";
}

static void cold(void)
{
}
SYSCALL_DEFINE1(toy, int, i)
{
	return hottest(i);
}
EOT
cat >tree/fs/toy/dir.c <<'EOT'
void read_dir(void) { }
EOT
# Two define it, for different configurations.
for file in one other; do
	printf '#ifdef %s\nvoid either(void)\n{\n}\n#endif\n' "$file" >"tree/kernel/$file.c"
	"clang-$clang" -Dother -c -o "build/kernel/$file.o" "tree/kernel/$file.c"
done
# kbuild FILE: compiled
kbuild() {
	object=${1%.c}.o
	cat >"build/${object%/*}/.${object##*/}.cmd" <<-EOT
		savedcmd_$object := clang -fprofile-generate -c -o $object $work/tree/$1

		source_$object := $work/tree/$1

		deps_$object := \\
		  $work/tree/include/both.h \\
	EOT
}
kbuild kernel/core.c
kbuild kernel/one.c
kbuild kernel/other.c
kbuild fs/toy/dir.c
echo fs/toy/dir.o >build/fs/toy/toy-fs.mod

# record NAME [COUNTER...]: a function, of whose values stdin tells
record() {
	name=$1
	shift
	printf '%s\n' "$name" 1 $#
	[ $# = 0 ] || printf '%s\n' "$@"
	cat
	echo
}
core=$work/tree/kernel/core.c
{
	printf ':ir\n'
	# with an indirect call, of two targets, and a memory operation
	record hottest 10 500 <<-EOT
		2
		0
		1
		2
		hottest:8
		$core;both:2
		1
		1
		2
		8:30
		17:4
	EOT
	record "$core;cold" 0 0 </dev/null
	record "$core;both" 7 </dev/null
	record either 5 </dev/null
	record __x64_sys_toy 10 </dev/null
} >vmlinux.profraw
{
	printf ':ir\n'
	record read_dir 3 </dev/null
} >toy_fs.profraw
{
	printf ':ir\n'
	record never 0 </dev/null
} >none.profdata
"llvm-profdata-$clang" merge -o all.profdata vmlinux.profraw toy_fs.profraw

report() { BUILD=$work/build TREE=$work/tree PAGE=$work/page.html "$here/../report" "$@"; }
# data EXPRESSION: of Python, about the data of the page, is true
data() {
	python3 - "$@" <<-'EOT'
		import json, re, sys
		page = open("page.html").read()
		data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])
		files, images = data["files"], data["images"]
		f = {r[0]: dict(zip(("image", "file", "line", "entered", "counts", "defined"),
				[images[r[1]], files[r[2]] if r[2] >= 0 else None, *r[3:]]))
		     for r in data["functions"]}
		print(data)
		sys.exit(not eval(sys.argv[1]))
	EOT
}
values() {
	ok "$1: the hottest is first" data 'data["functions"][0][0] == "hottest"'
	ok "$1: with its counts and entries" data \
		'(f["hottest"]["counts"], f["hottest"]["entered"]) == (510, 10)'
	ok "$1: where it is defined" data \
		'(f["hottest"]["file"], f["hottest"]["line"]) == ("kernel/core.c", 4)'
	ok "$1: its source with the type, and what ends a script" data '
data["source"]["0"] == [3, open("tree/kernel/core.c").read().split("\n\n")[1], False]'
	ok "$1: a static function" data \
		'(f["cold"]["file"], f["cold"]["line"], f["cold"]["counts"]) == ("kernel/core.c", 9, 0)'
	ok "$1: one of a header" data \
		'f["both"]["file"] == "kernel/core.c" and files[f["both"]["defined"]] == "include/both.h"'
	ok "$1: a system call" data \
		'(f["__x64_sys_toy"]["file"], f["__x64_sys_toy"]["line"]) == ("kernel/core.c", 12)'
	ok "$1: one that another file has too" data 'f["either"]["file"] == "kernel/other.c"'
	ok "$1: one of a module" data \
		'(f["read_dir"]["image"], f["read_dir"]["file"]) == ("toy_fs", "fs/toy/dir.c")'
	ok "$1: targets of the indirect call" data 'data["calls"] == [
		[0, 0, 10, [["hottest", "", 8], ["both", "kernel/core.c", 2]]]] and data["sites"] == [1, 10]'
	ok "$1: lengths" data 'data["memops"] == [[8, 30], [17, 4]]'
}

ok "raw profiles" report vmlinux.profraw toy_fs.profraw
values raw
ok "nothing is fetched by the page" not grep -qE '(src|href)=.?https?:' page.html
cp page.html raw.html
ok "a merged profile" report all.profdata
values merged

sed "s|$work/tree/|/elsewhere/linux/|" vmlinux.profraw >away.profdata
ok "a profile of another machine's tree" report away.profdata
ok "has the same files" data 'f["cold"]["file"] == "kernel/core.c"'
ok "without a build folder" env BUILD="$work/none" TREE="$work/tree" PAGE="$work/page.html" \
	"$here/../report" vmlinux.profraw
ok "files of static functions" data 'f["cold"]["file"] == "kernel/core.c"'
ok "no profile, no page" not report none.profraw
echo rubbish >bad.profraw
ok "nor of what is none" not report bad.profraw

# dom PAGE: as it is when its scripts have run
dom() {
	chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" \
		--virtual-time-budget=5000 --dump-dom "file://$work/$1" >dom 2>browser.log ||
		{ cat browser.log; return 1; }
	# not its data, scripts and styles
	sed '/id="data"/,$d; /<style>/,/<\/style>/d' dom >dom.html
}
# the charts that were drawn and how often a script failed are attributes
body() { grep -o '<body data[^>]*>' dom.html; }
drawn() {
	dom "$1" && body &&
		[ "$(body)" = '<body data-drawn="counts hottest calls images memops coverage">' ]
}
failed_once() { dom "$1" && body | grep 'data-errors="1"'; }
if command -v chromium >/dev/null; then
	ok "a browser draws all charts without an error" drawn raw.html
	ok "counts are shown" says dom.html '<dd>535</dd>' 'vmlinux and one module'
	ok "the source, with the entries" says dom.html '× 10' \
		'"&lt;/script&gt;&lt;!--"'
	ok "what never ran" says dom.html '<b>1</b> of 5 never ran, 20%'
	ok "whom an indirect call reached" says dom.html \
		'Indirect call #1 went 80% to hottest, 20% to both.'
	ok "what did not run at all" report none.profdata
	ok "is shown too" eval 'dom page.html && ! body | grep errors &&
		says dom.html "100% of the functions never ran."'
	sed 's/"functions":\[\[/"functions":[["x"],[/' raw.html >broken.html
	ok "an error would have been seen" failed_once broken.html
else
	tests=$((tests + 1))
	echo "ok $tests - a browser draws it # SKIP no chromium is installed"
fi
plan
