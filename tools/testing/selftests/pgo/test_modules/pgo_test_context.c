// SPDX-License-Identifier: GPL-2.0-only
/*
 * A call through a pointer that a task makes, an interrupt in the midst of that,
 * and an NMI, where there is one, in the midst of either: all on the same CPU, each
 * with targets of its own. Another CPU sends them, the NMI right behind the
 * interrupt.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/smp.h>

#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/apic.h>
#include <asm/nmi.h>
#endif

#include "pgo_test.h"

enum { TASK, IRQ, NMI, NR_CONTEXTS };
#define NR_TARGETS	8

static unsigned int pgo_test_calls[NR_CONTEXTS];
module_param_named(tasks, pgo_test_calls[TASK], uint, 0444);
module_param_named(irqs, pgo_test_calls[IRQ], uint, 0444);
module_param_named(nmis, pgo_test_calls[NMI], uint, 0444);

static int pgo_test_cpu;

#define TARGET(context, n)						\
static noinline void pgo_test_##context##_##n(void)			\
{									\
	barrier();							\
}

#define TARGETS(X, context)						\
	X(context, 0) X(context, 1) X(context, 2) X(context, 3)		\
	X(context, 4) X(context, 5) X(context, 6) X(context, 7)
TARGETS(TARGET, task)
TARGETS(TARGET, irq)
TARGETS(TARGET, nmi)

#define POINTER(context, n)	pgo_test_##context##_##n,
static void (*const pgo_test_targets[NR_CONTEXTS][NR_TARGETS])(void) = {
	{ TARGETS(POINTER, task) },
	{ TARGETS(POINTER, irq) },
	{ TARGETS(POINTER, nmi) },
};

/* The only one */
static noinline void pgo_test_site(void (*fn)(void))
{
	OPTIMIZER_HIDE_VAR(fn);
	fn();
}

static void pgo_test_call(unsigned int context)
{
	unsigned int n = pgo_test_calls[context]++;

	pgo_test_site(pgo_test_targets[context][n % NR_TARGETS]);
}

static void pgo_test_irq(void *unused)
{
	pgo_test_call(IRQ);
}

#ifdef CONFIG_X86_LOCAL_APIC
static int pgo_test_pending;

static int pgo_test_nmi(unsigned int cmd, struct pt_regs *regs)
{
	if (smp_processor_id() != pgo_test_cpu || !xchg(&pgo_test_pending, 0))
		return NMI_DONE;
	pgo_test_call(NMI);
	return NMI_HANDLED;
}

static int pgo_test_expect_nmi(void)
{
	return register_nmi_handler(NMI_LOCAL, pgo_test_nmi, 0, "pgo_test");
}

static void pgo_test_no_nmi(void)
{
	unregister_nmi_handler(NMI_LOCAL, "pgo_test");
}

static void pgo_test_send_nmi(void)
{
	WRITE_ONCE(pgo_test_pending, 1);
	apic->send_IPI(pgo_test_cpu, NMI_VECTOR);
	while (READ_ONCE(pgo_test_pending))
		cpu_relax();
}
#else
static int pgo_test_expect_nmi(void) { return 0; }
static void pgo_test_no_nmi(void) { }
static void pgo_test_send_nmi(void) { }
#endif

static int pgo_test_disturb(void *unused)
{
	while (!kthread_should_stop()) {
		smp_call_function_single(pgo_test_cpu, pgo_test_irq, NULL, 0);
		pgo_test_send_nmi();
		cond_resched();
	}
	/*
	 * Those that are waited for may be called ahead of the others. The second one
	 * comes when what came with the first is through.
	 */
	smp_call_function_single(pgo_test_cpu, pgo_test_irq, NULL, 1);
	smp_call_function_single(pgo_test_cpu, pgo_test_irq, NULL, 1);
	return 0;
}

/* This CPU makes the calls, another one disturbs it. */
static void pgo_test_run(unsigned int n)
{
	struct task_struct *task = kthread_create(pgo_test_disturb, NULL,
						  "pgo_test");
	unsigned int enough = pgo_test_calls[IRQ] + 100;
	int other;

	if (IS_ERR(task))
		return;
	migrate_disable();
	pgo_test_cpu = smp_processor_id();
	other = cpumask_any_but(cpu_online_mask, pgo_test_cpu);
	if (other < nr_cpu_ids)
		kthread_bind(task, other);
	wake_up_process(task);
	/* And until the other one, which may be busy, has disturbed it often. */
	while (n || (other < nr_cpu_ids &&
		     READ_ONCE(pgo_test_calls[IRQ]) < enough)) {
		pgo_test_call(TASK);
		n -= !!n;
	}
	migrate_enable();
	kthread_stop(task);
}

PGO_TEST_PARAM(run, pgo_test_run);

static int __init pgo_test_init(void)
{
	return pgo_test_expect_nmi();
}
module_init(pgo_test_init);

static void __exit pgo_test_exit(void)
{
	pgo_test_no_nmi();
}
module_exit(pgo_test_exit);

MODULE_DESCRIPTION("Test of kernel/pgo: contexts");
MODULE_LICENSE("GPL");
