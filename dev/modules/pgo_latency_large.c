// SPDX-License-Identifier: GPL-2.0-only
/*
 * 4,608 value sites and 110,592 nodes.
 */
#define PGO_LATENCY_LARGE
#include "pgo_latency.h"
