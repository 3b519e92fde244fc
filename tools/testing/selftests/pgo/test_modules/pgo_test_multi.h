/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _PGO_TEST_MULTI_H
#define _PGO_TEST_MULTI_H

void pgo_test_multi_a(unsigned int n);
void pgo_test_multi_b(unsigned int n);

#endif /* _PGO_TEST_MULTI_H */
