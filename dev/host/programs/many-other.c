// SPDX-License-Identifier: GPL-2.0-only
/* The same again under the same names: the path tells them apart. */

#define OTHER
#include "many.c"
