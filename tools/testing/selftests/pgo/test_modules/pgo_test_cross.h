/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _PGO_TEST_CROSS_H
#define _PGO_TEST_CROSS_H

void pgo_test_exported(void);

#endif /* _PGO_TEST_CROSS_H */
