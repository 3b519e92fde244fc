// SPDX-License-Identifier: GPL-2.0-only
/*
 * Breaks the profile sections of pgo_test_values when that is loaded, in the way
 * that parameter fault names, before kernel/pgo gets to see them, which comes
 * after all notifiers.
 */
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/pgo.h>
#include <linux/string.h>

#include "../../../../../kernel/pgo/profraw.h"

static char *fault;
module_param(fault, charp, 0);

static u64 version;

static void pgo_test_other_version(struct pgo_sections *set, u64 other)
{
	version = other;
	set->version = (struct pgo_range) { &version, &version + 1 };
}

/* A record with value sites of which one is a memory operation */
static struct llvm_prf_record *pgo_test_record(struct pgo_sections *set)
{
	struct llvm_prf_record *record;

	for (record = set->data.start; (void *)record < set->data.stop; record++) {
		if (record->num_value_sites[LLVM_PRF_KIND_MEMOP])
			return record;
	}
	return NULL;
}

static bool pgo_test_break_set(struct pgo_sections *set)
{
	if (!strcmp(fault, "version"))
		pgo_test_other_version(set, LLVM_PRF_VERSION - 1);
	else if (!strcmp(fault, "variant"))
		pgo_test_other_version(set, LLVM_PRF_VERSION ^
					    LLVM_PRF_VARIANT_ENTRY);
	else if (!strcmp(fault, "no-version"))
		set->version.stop = set->version.start;
	else if (!strcmp(fault, "short-data"))
		set->data.stop -= 8;
	else if (!strcmp(fault, "unaligned"))
		set->cnts.start += 4;
	else if (!strcmp(fault, "few-counters"))
		set->cnts.stop -= 8;
	else if (!strcmp(fault, "no-names"))
		set->names.stop = set->names.start;
	else
		return false;
	return true;
}

static bool pgo_test_break_record(struct pgo_sections *set)
{
	struct llvm_prf_record *record = pgo_test_record(set);

	if (!record)
		return false;
	if (!strcmp(fault, "no-counter"))
		record->num_counters = 0;
	else if (!strcmp(fault, "many-counters"))
		record->num_counters = U32_MAX;
	else if (!strcmp(fault, "counters-behind"))
		record->counter_ptr += pgo_range_size(&set->cnts);
	else if (!strcmp(fault, "counters-before"))
		record->counter_ptr -= pgo_range_size(&set->cnts);
	else if (!strcmp(fault, "odd-counters"))
		record->counter_ptr++;
	else if (!strcmp(fault, "many-sites"))
		record->num_value_sites[LLVM_PRF_KIND_MEMOP] = U16_MAX;
	else if (!strcmp(fault, "foreign-sites"))
		record->values = set->data.start;
	else if (!strcmp(fault, "odd-sites"))
		record->values = (void *)record->values + 4;
	else
		return false;
	return true;
}

static int pgo_test_event(struct notifier_block *nb, unsigned long event,
			  void *data)
{
	struct module *mod = data;

	if (event != MODULE_STATE_COMING || strcmp(mod->name, "pgo_test_values"))
		return NOTIFY_OK;
	if (!pgo_test_break_set(&mod->pgo) && !pgo_test_break_record(&mod->pgo))
		pr_err("pgo_test_break: fault %s?\n", fault);
	return NOTIFY_OK;
}

static struct notifier_block pgo_test_nb = {
	.notifier_call = pgo_test_event,
};

static int __init pgo_test_init(void)
{
	return fault ? register_module_notifier(&pgo_test_nb) : -EINVAL;
}
module_init(pgo_test_init);

static void __exit pgo_test_exit(void)
{
	unregister_module_notifier(&pgo_test_nb);
}
module_exit(pgo_test_exit);

MODULE_DESCRIPTION("Test of kernel/pgo: broken profile sections");
MODULE_LICENSE("GPL");
