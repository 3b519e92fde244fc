/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A test module does its work each time that a number is written to one of its
 * parameters.
 */
#ifndef _PGO_TEST_H
#define _PGO_TEST_H

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

/* Writing to parameter @name calls @fn with the number. */
#define PGO_TEST_PARAM(name, fn)					\
static int pgo_test_set_##name(const char *val,			\
			       const struct kernel_param *kp)		\
{									\
	unsigned int n;							\
	int err = kstrtouint(val, 0, &n);				\
									\
	if (!err)							\
		fn(n);							\
	return err;							\
}									\
									\
static const struct kernel_param_ops pgo_test_ops_##name = {		\
	.set = pgo_test_set_##name,					\
};									\
module_param_cb(name, &pgo_test_ops_##name, NULL, 0200)

#endif /* _PGO_TEST_H */
