// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registry of images: vmlinux and each loaded module, all alike.
 *
 * Guarantees that an image whose sections do not hold up takes no part, that
 * the memory of an image is in place while somebody reads or resets it, and
 * that unloading a module waits for no more than what is under way.
 *
 * pgo_lock is the only lock of the subsystem; see pgo.h for what it protects.
 */

#define pr_fmt(fmt) "pgo: " fmt

#include <linux/buildid.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/pgo.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/wait_bit.h>
#include <linux/wordpart.h>
#include <asm/sections.h>

#include "pgo.h"
#include "profraw.h"

/*
 * The section set of vmlinux. It is complete at link time because hooks run
 * long before any other code here does.
 */
struct pgo_sections pgo_vmlinux = {
	.data	 = { __start___llvm_prf_data, __stop___llvm_prf_data },
	.cnts	 = { __start___llvm_prf_cnts, __stop___llvm_prf_cnts },
	.names	 = { __start___llvm_prf_names, __stop___llvm_prf_names },
	.vals	 = { __start___llvm_prf_vals, __stop___llvm_prf_vals },
	.vnds	 = { __start___llvm_prf_vnds, __stop___llvm_prf_vnds },
	.version = { &__llvm_profile_raw_version,
		     &__llvm_profile_raw_version + 1 },
	.notes	 = { (void *)&__start_notes, (void *)&__stop_notes },
	.text	 = { { _stext, _etext }, { _sinittext, _einittext } },
};

/* See pgo.h */
DEFINE_SPINLOCK(pgo_lock);

/* All images, vmlinux first */
static __guarded_by(&pgo_lock) LIST_HEAD(pgo_images);

/* === Images ============================================================= */

static bool pgo_image_get(struct pgo_image *image)
{
	guard(spinlock)(&pgo_lock);

	if (image->going)
		return false;
	image->users++;
	return true;
}

/**
 * pgo_image_put() - Be done with the memory of an image.
 * @image: image that pgo_image_next() returned
 *
 * Context: Any but interrupts. Takes pgo_lock.
 */
void pgo_image_put(struct pgo_image *image)
{
	scoped_guard(spinlock, &pgo_lock)
		image->users--;
	/* Only the address is used: @image may be gone by now. */
	wake_up_var(image);
}

/**
 * pgo_image_next() - Go from image to image.
 * @prev: image that the last call returned, NULL to begin
 *
 * The image returned is in place until it is passed on, or to pgo_image_put().
 *
 * Context: Any but interrupts. Takes pgo_lock.
 * Return: The next image that is not going, NULL at the end.
 */
struct pgo_image *pgo_image_next(struct pgo_image *prev)
{
	struct pgo_image *image, *next = NULL;

	scoped_guard(spinlock, &pgo_lock) {
		image = list_prepare_entry(prev, &pgo_images, list);
		list_for_each_entry_continue(image, &pgo_images, list) {
			if (image->going)
				continue;
			image->users++;
			next = image;
			break;
		}
	}
	if (prev)
		pgo_image_put(prev);
	return next;
}

static bool pgo_image_idle(struct pgo_image *image)
{
	guard(spinlock)(&pgo_lock);

	return !image->users;
}

static struct pgo_image *pgo_image_of(const struct pgo_sections *set)
	__must_hold(&pgo_lock)
{
	struct pgo_image *image;

	lockdep_assert_held(&pgo_lock);

	list_for_each_entry(image, &pgo_images, list) {
		if (image->set == set)
			return image;
	}
	return NULL;
}

static bool pgo_image_known(const struct pgo_sections *set)
{
	guard(spinlock)(&pgo_lock);

	return pgo_image_of(set);
}

static int pgo_image_link(struct pgo_image *new)
{
	struct pgo_image *image;

	guard(spinlock)(&pgo_lock);

	if (pgo_image_of(new->set))
		return -EALREADY;
	list_for_each_entry(image, &pgo_images, list) {
		if (!strcmp(image->name, new->name))
			return -EEXIST;
	}
	list_add_tail(&new->list, &pgo_images);
	return 0;
}

static bool pgo_same_version(const char *name, u64 version)
{
	if (version == LLVM_PRF_VERSION)
		return true;
	pr_warn("%s: not profiled: raw profile version %u with variant bits %#x, this kernel has %u with %#x; build it with the kernel's compiler and flags\n",
		name, lower_32_bits(version), upper_32_bits(version),
		lower_32_bits(LLVM_PRF_VERSION),
		upper_32_bits(LLVM_PRF_VERSION));
	return false;
}

/* Records of another version may have another layout: that comes first. */
static int pgo_check(const char *name, const struct pgo_sections *set)
{
	const char *fault;

	if (pgo_range_size(&set->version) == sizeof(u64) &&
	    !pgo_same_version(name, *(u64 *)set->version.start))
		return -EINVAL;

	fault = pgo_profraw_check(set);
	if (fault) {
		pr_warn("%s: not profiled: broken profile sections: %s\n",
			name, fault);
		return -EINVAL;
	}
	return 0;
}

static void pgo_find_build_id(struct pgo_sections *set)
{
	if (!build_id_parse_buf(set->notes.start, set->build_id,
				pgo_range_size(&set->notes)))
		set->build_id_size = sizeof(set->build_id);
}

static int __pgo_image_add(const char *name, struct pgo_sections *set)
{
	struct pgo_image *image;
	int err;

	err = pgo_check(name, set);
	if (err)
		return err;

	image = kzalloc_obj(*image);
	if (!image)
		return -ENOMEM;
	strscpy(image->name, name);
	image->set = set;
	pgo_find_build_id(set);
	image->size = pgo_profraw_size(set);

	err = pgo_image_link(image);
	if (err) {
		kfree(image);
		return err;
	}
	pgo_nodes_init(set);
	pgo_fs_add(image);
	return 0;
}

/**
 * pgo_image_add() - Let an image take part.
 * @name: "vmlinux" or the name of the module
 * @set: its section set; stays where it is until pgo_image_remove()
 *
 * An image without records has nothing to show and is passed over. One that
 * can't take part is reported once, then its hooks do nothing.
 *
 * Context: May sleep. Takes pgo_lock.
 * Return: 0 if the image takes part, -ENODATA without records, -EALREADY if it
 * took part before, -EINVAL if its sections do not hold up, -EEXIST for a name
 * that is taken, -ENOMEM.
 */
int pgo_image_add(const char *name, struct pgo_sections *set)
{
	int err;

	if (!pgo_range_size(&set->data))
		return -ENODATA;
	if (pgo_image_known(set))
		return -EALREADY;

	err = __pgo_image_add(name, set);
	if (!err || err == -EALREADY)
		return err;

	if (err == -EEXIST)
		pr_warn("%s: not profiled: there is an image of this name\n",
			name);
	else if (err == -ENOMEM)
		pr_warn("%s: not profiled: out of memory\n", name);
	pgo_hooks_off(set);
	return err;
}

static struct pgo_image *pgo_image_mark_going(const struct pgo_sections *set)
{
	struct pgo_image *image;

	guard(spinlock)(&pgo_lock);

	image = pgo_image_of(set);
	if (image)
		image->going = true;
	return image;
}

/**
 * pgo_image_remove() - Forget an image whose memory is about to go away.
 * @set: its section set; no code of the image runs any more
 *
 * From here on its file opens with -ENODEV, then is gone. Waits for those who
 * are reading or resetting the image at the moment.
 *
 * Context: May sleep. Takes pgo_lock.
 */
void pgo_image_remove(const struct pgo_sections *set)
{
	struct pgo_image *image = pgo_image_mark_going(set);

	if (!image)
		return;

	wait_var_event(image, pgo_image_idle(image));
	pgo_fs_remove(image);

	scoped_guard(spinlock, &pgo_lock)
		list_del(&image->list);
	kfree(image);
}

/* === What is done with them ============================================= */

/**
 * pgo_snapshot() - Make the raw profile of an image.
 * @image: image whose file keeps it from being freed
 *
 * Context: May sleep. Takes pgo_lock.
 * Return: image->size bytes, to be freed with vfree(); ERR_PTR(-ENOMEM), or
 * ERR_PTR(-ENODEV) for a module that is going.
 */
void *pgo_snapshot(struct pgo_image *image)
{
	void *buf = vmalloc(image->size);

	if (!buf)
		return ERR_PTR(-ENOMEM);
	if (!pgo_image_get(image)) {
		vfree(buf);
		return ERR_PTR(-ENODEV);
	}
	pgo_profraw_write(image->set, buf);
	pgo_image_put(image);
	return buf;
}

/**
 * pgo_reset() - Forget what images have counted.
 * @name: name of an image, or "all" (or "1") for every one
 *
 * Instrumented code keeps counting: what it adds meanwhile may stay or go.
 *
 * Context: May sleep. Takes pgo_lock.
 * Return: 0, or -ENOENT if there is no such image.
 */
int pgo_reset(const char *name)
{
	bool all = !strcmp(name, "all") || !strcmp(name, "1");
	struct pgo_image *image = NULL;
	int err = all ? 0 : -ENOENT;

	while ((image = pgo_image_next(image))) {
		if (all || !strcmp(image->name, name)) {
			pgo_profraw_reset(image->set);
			err = 0;
		}
	}
	return err;
}

/* === Modules ============================================================ */

#ifdef CONFIG_MODULES

static void pgo_module_add(struct module *mod)
{
	struct pgo_range *init_text = &mod->pgo.text[1];

	pgo_image_add(mod->name, &mod->pgo);
	/*
	 * Its init text is freed next. What lies there later must not be taken
	 * for one of its functions. Pairs with READ_ONCE() in pgo_text_id().
	 */
	if (mod->state == MODULE_STATE_LIVE)
		WRITE_ONCE(init_text->stop, init_text->start);
}

/*
 * A module that is coming when the notifier is registered may have missed that
 * event: it is added when it goes live. One that is there already is left
 * alone.
 */
static int pgo_module_event(struct notifier_block *nb, unsigned long event,
			    void *data)
{
	struct module *mod = data;

	switch (event) {
	case MODULE_STATE_COMING:
	case MODULE_STATE_LIVE:
		pgo_module_add(mod);
		break;
	case MODULE_STATE_GOING:
		pgo_image_remove(&mod->pgo);
		break;
	}
	return NOTIFY_OK;
}

static struct notifier_block pgo_module_nb = {
	.notifier_call = pgo_module_event,
};

static void __init pgo_modules_init(void)
{
	if (register_module_notifier(&pgo_module_nb))
		pr_warn("modules are not profiled: can't register for them\n");
	pgo_visit_modules(pgo_module_add);
}

#else /* !CONFIG_MODULES */

static void __init pgo_modules_init(void) { }

#endif /* CONFIG_MODULES */

static int __init pgo_init(void)
{
	pgo_fs_init();
	pgo_image_add("vmlinux", &pgo_vmlinux);
	pgo_modules_init();
	return 0;
}

/* As soon as debugfs is there */
fs_initcall(pgo_init);
