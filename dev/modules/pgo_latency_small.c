// SPDX-License-Identifier: GPL-2.0-only
/*
 * 72 value sites and 1,728 nodes.
 */
#include "pgo_latency.h"
