#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What dev/deps promises, on a machine whose dpkg and apt are ours.

. "$(dirname -- "$0")/tap.sh"

export PGO_CACHE="$work/cache"
mkdir "$work/bin"
# stub NAME: a command that does what stdin says
stub() { { echo '#!/bin/sh'; cat; } >"$work/bin/$1" && chmod +x "$work/bin/$1"; }
stub dpkg-query <<-EOF
	shift 3
	for name; do
		grep -qx "\$name" "$work/absent" || echo "\$name installed"
	done
EOF
stub apt-get <<-EOF
	echo "\$*" >>"$work/asked"
	case "\$*" in
	*update) : >"$work/listed" ;;
	*) [ -e "$work/listed" ] ;;
	esac
EOF
for name in sh dirname basename awk tr sort date nproc mkdir cat grep; do
	ln -s "$(command -v $name)" "$work/bin/$name"
done
user() { stub id <<-EOF
	echo $1
EOF
}
deps() { : >"$work/asked"; PATH=$work/bin "$here/../deps" "$@" 2>"$log"; }
asked() { says "$work/asked" "$@"; }

user 0
: >"$work/absent"
ok "nothing is missing" deps
ok "so nothing is asked" [ ! -s "$work/asked" ]

echo bison >"$work/absent"
ok "what another group needs is not missing" deps boot
ok "what is missing is installed, with new lists when the old have it not" deps build
ok "in that order" [ "$(tr '\n' ';' <"$work/asked")" = "$(printf '%s;' \
	'-qq -s install --no-install-recommends bison' '-q update' \
	'install -y --no-install-recommends bison')" ]
ok "with lists that have it" deps
ok "there is no update" not asked update

user 1000
ok "without root and without sudo it stops" not deps
ok "with the line to type" says "$log" \
	"as root: apt-get install -y --no-install-recommends bison"
ok "and asks nothing" [ ! -s "$work/asked" ]
stub sudo <<-EOF
	echo "sudo \$*" >>"$work/asked"
EOF
ok "with sudo it goes on" deps
ok "through it" asked "sudo apt-get install -y"

echo linux-source-6.12 >"$work/absent"
ok "Debian's kernel source is wanted" deps source
ok "by name" asked linux-source-6.12
export KERNEL_SRC=/nowhere
ok "but not by who has an own" deps source
ok "so nothing is asked" [ ! -s "$work/asked" ]

ok "an unknown group" not deps everything
rm "$work/bin/dpkg-query"
ok "not Debian: no failure" deps
ok "but the list" says "$log" clang-19 qemu-system-x86

plan
