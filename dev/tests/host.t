#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Hooks and serializer in user space, against LLVM's runtime, by the default
# compiler alone: see dev/differ.

exec "$(dirname -- "$0")/../differ"
