// SPDX-License-Identifier: GPL-2.0-only
/* What is static in the other file, once more. */

#define OTHER
#define TIMES 15
#include "twins.c"
