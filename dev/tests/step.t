#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Hooks that are interrupted anywhere: see dev/step.

exec "$(dirname -- "$0")/../step"
