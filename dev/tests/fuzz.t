#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The corpus of the fuzz target, and a few seconds more: see dev/fuzz.

RUNS=50000 exec "$(dirname -- "$0")/../fuzz"
