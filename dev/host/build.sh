# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# How a program is built and run on the host over our hooks and serializer, and
# over LLVM's runtime.  Sourced after lib.sh, never run.
#
#   bits	64 or 32
#   dir		where all of that compiler and width goes
#   work	where a program goes: its objects, ours/ and llvm/
#
# shellcheck disable=SC2034,SC2086,SC2154	# lists of flags; said above

host=$TOP/dev/host
build_id=0x00112233445566778899aabbccddeeff01234567

# flags_of_kernel: those that a kernel's generate build has
# shellcheck disable=SC2016	# for make
flags_of_kernel() {
	printf '%s\n' 'ld-option =' CONFIG_PGO_VALUES=y \
		"CONFIG_64BIT=$([ "$bits" = 32 ] || echo y)" "include $TOP/scripts/Makefile.pgo" \
		'all:; @echo $(CFLAGS_PGO_CLANG)' |
		make --no-print-directory -s -f - all
}

# config_of_kernel: what Kconfig says of this compiler and width
config_of_kernel() {
	"clang-$CLANG" -dM -E -x c /dev/null | awk '
		$2 == "__clang_major__" { major = $3 }
		$2 == "__clang_minor__" { minor = $3 }
		$2 == "__clang_patchlevel__" { patch = $3 }
		END { printf "-DCONFIG_CLANG_VERSION=%d ",
				major * 10000 + minor * 100 + patch }'
	[ "$bits" = 32 ] || printf '%s ' -DCONFIG_64BIT=1
	echo -DCONFIG_CC_IS_CLANG=1 -DCONFIG_PGO_CLANG=1
}

cc() { "clang-$CLANG" "-m$bits" -O2 -Wall -Werror -fPIC "$@"; }

# kernel_cc: compile what includes the kernel's headers
kernel_cc() {
	cc -std=gnu11 -Wextra -Wno-unused-parameter -Wno-sign-compare \
		-fno-strict-aliasing $config -I"$host/include" \
		-idirafter "$TOP/include" -c "$@"
}

# for_kernel: what follows is for $CLANG and $bits
for_kernel() {
	dir=$PGO_CACHE/host/$CLANG-$bits
	mkdir -p "$dir"
	rm -f "$dir/kernel.o"
	config=$(config_of_kernel)
	pgo=$(flags_of_kernel)
}

# build_kernel: what all programs share
build_kernel() {
	kernel_cc -o "$dir/profraw.o" "$TOP/kernel/pgo/profraw.c" &&
		kernel_cc -o "$dir/instrument.o" "$TOP/kernel/pgo/instrument.c" &&
		kernel_cc -o "$dir/kernel.o" "$host/kernel.c"
}

# instrument FLAGS SOURCE...: compile sources of dev/host/programs
instrument() {
	flags=$1
	shift
	for source; do
		(cd "$host/programs" &&
			cc $flags -c -o "$work/$source.o" "$source.c") || return
	done
}

# image NAME FLAGS SOURCE...: link the program "main" or a shared object
image() {
	image=$1
	flags="-Wl,--build-id=$build_id -Wl,-rpath,. $2"
	main=
	ours=
	if [ "$image" = main ]; then
		main=-DMAIN_IMAGE
		flags="$flags -pie"
		ours="-rdynamic $dir/kernel.o $dir/profraw.o $dir/instrument.o"
	fi
	shift 2
	objects=$(printf "$work/%s.o " "$@")
	kernel_cc $main "-DIMAGE=\"$image\"" -o "$work/ours/$image.o" "$host/image.c" &&
		cc "-DIMAGE=\"$image\"" -c -o "$work/llvm/$image.o" "$host/llvm.c" &&
		(cd "$work/ours" && cc -o $image $objects $image.o $ours $flags) &&
		(cd "$work/llvm" && cc -fprofile-generate -o $image $objects \
			$image.o $flags)
}

# build FLAGS SOURCE...: a program of a single image
build() {
	flags=$1
	shift
	mkdir -p "$work/ours" "$work/llvm"
	instrument "$flags" "$@" && image main "" "$@"
}

# run ours|llvm [VARIABLE=VALUE...]
run() {
	(cd "$work/$1" && shift && env "$@" ./main)
}
