#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# As host.t, by a compiler of an older raw version, from the cache.

export CLANG=14
dev=$(dirname -- "$0")/..
"$dev/toolchain" || exit
exec "$dev/differ"
