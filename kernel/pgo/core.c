// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registry of images: vmlinux and each module, all alike.
 *
 * Guarantees that an image whose sections do not hold up takes no part, that
 * the memory of an image is in place while somebody reads or resets it, that
 * unloading a module waits for no more than what is under way, and that what it
 * has counted stays and is added to when the same build is loaded again.
 *
 * pgo_lock is the only lock of the subsystem; see pgo.h for what it protects,
 * and for what it takes to be at work on an image.
 */

#define pr_fmt(fmt) "pgo: " fmt

#include <linux/atomic.h>
#include <linux/buildid.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/pgo.h>
#include <linux/printk.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/wait_bit.h>
#include <linux/wordpart.h>
#include <asm/sections.h>

#include "pgo.h"
#include "profraw.h"
#include "values.h"

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

/* See pgo.h. By its address one waits for what it protects. */
DEFINE_SPINLOCK(pgo_lock);

/* All images, vmlinux first */
static __guarded_by(&pgo_lock) LIST_HEAD(pgo_images);

/* The id of the image that came last */
static __guarded_by(&pgo_lock) u64 pgo_last_id;

/* See pgo.h */
unsigned long pgo_keep = SZ_64M;

/* So many bytes of it are taken. */
static __guarded_by(&pgo_lock) size_t pgo_kept;

/* To be at work on an image, as lockdep sees it */
static struct lockdep_map __maybe_unused pgo_image_map;
static struct lock_class_key pgo_image_key;

/* === Who is at work on an image ========================================= */

/* Return 0 for a user more, -EAGAIN where it has to wait, -ENODEV. */
static int pgo_image_try_get(struct pgo_image *image)
{
	guard(spinlock)(&pgo_lock);

	if (image->state == PGO_DEAD)
		return -ENODEV;
	if (image->busy)
		return -EAGAIN;
	image->users++;
	return 0;
}

static int pgo_image_get(struct pgo_image *image)
{
	int err;

	lock_map_acquire_read(&pgo_image_map);
	wait_var_event(&pgo_lock,
		       (err = pgo_image_try_get(image)) != -EAGAIN);
	if (err)
		lock_map_release(&pgo_image_map);
	return err;
}

/**
 * pgo_image_put() - Be done with the memory of an image.
 * @image: image that pgo_image_next() returned
 *
 * Context: May sleep. Takes pgo_lock.
 */
void pgo_image_put(struct pgo_image *image)
{
	scoped_guard(spinlock, &pgo_lock)
		image->users--;
	lock_map_release(&pgo_image_map);
	wake_up_var(&pgo_lock);
}

/* Return false if somebody is busy with the next one. */
static bool pgo_image_try_next(struct pgo_image *prev, struct pgo_image **next)
{
	struct pgo_image *image;

	guard(spinlock)(&pgo_lock);

	*next = NULL;
	image = list_prepare_entry(prev, &pgo_images, list);
	list_for_each_entry_continue(image, &pgo_images, list) {
		if (image->state == PGO_DEAD)
			continue;
		if (image->busy)
			return false;
		image->users++;
		*next = image;
		break;
	}
	return true;
}

/* The condition may be looked at more than once: @prev must stay what it is. */
static struct pgo_image *pgo_image_wait_next(struct pgo_image *prev)
{
	struct pgo_image *next;

	wait_var_event(&pgo_lock, pgo_image_try_next(prev, &next));
	return next;
}

/**
 * pgo_image_next() - Go from image to image.
 * @prev: image that the last call returned, NULL to begin
 *
 * The image returned, and its set, are in place until it is passed on, or to
 * pgo_image_put().
 *
 * Context: May sleep. Takes pgo_lock. Waits for who is busy with the next one.
 * Return: The next image, NULL at the end.
 */
struct pgo_image *pgo_image_next(struct pgo_image *prev)
{
	struct pgo_image *next;

	lock_map_acquire_read(&pgo_image_map);
	next = pgo_image_wait_next(prev);
	if (!next)
		lock_map_release(&pgo_image_map);
	if (prev)
		pgo_image_put(prev);
	return next;
}

/**
 * struct pgo_wanted - Which image to look for.
 * @set: one that is live, with this set
 * @name: or else one that is not live, with this name of the module
 * @build: of the build that this set is of
 * @stem: or else one that is not live, for which pgo_is_named() holds
 */
struct pgo_wanted {
	const struct pgo_sections *set;
	const char *name;
	const struct pgo_sections *build;
	const char *stem;
};

static bool pgo_is_all(const char *name)
{
	return !strcmp(name, "all") || !strcmp(name, "1");
}

static bool pgo_is_named(const struct pgo_image *image, const char *name)
{
	return pgo_is_all(name) || !strcmp(name, image->stem) ||
	       !strcmp(name, image->name);
}

static bool pgo_same_build_id(const struct pgo_sections *a,
			      const struct pgo_sections *b)
{
	return a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, a->build_id_size);
}

static bool pgo_is_wanted(const struct pgo_image *image,
			  const struct pgo_wanted *wanted)
	__must_hold(&pgo_lock)
{
	if (wanted->set)
		return image->state == PGO_LIVE && image->set == wanted->set;
	if (image->state == PGO_LIVE)
		return false;
	if (wanted->name)
		return !strcmp(image->name, wanted->name) &&
		       pgo_same_build_id(image->set, wanted->build);
	return pgo_is_named(image, wanted->stem);
}

static struct pgo_image *pgo_find(const struct pgo_wanted *wanted)
	__must_hold(&pgo_lock)
{
	struct pgo_image *image;

	lockdep_assert_held(&pgo_lock);

	list_for_each_entry(image, &pgo_images, list) {
		if (pgo_is_wanted(image, wanted))
			return image;
	}
	return NULL;
}

/* Return false if somebody is busy with what is wanted. */
static bool pgo_try_claim(const struct pgo_wanted *wanted, enum pgo_state state,
			  struct pgo_image **claimed)
{
	struct pgo_image *image;

	guard(spinlock)(&pgo_lock);

	image = pgo_find(wanted);
	if (image && image->busy)
		return false;
	if (image) {
		image->busy = true;
		image->state = state;
	}
	*claimed = image;
	return true;
}

static bool pgo_is_idle(struct pgo_image *image)
{
	guard(spinlock)(&pgo_lock);

	return !image->users;
}

/*
 * Be the only one at work on what is wanted, which has @state meanwhile, until
 * pgo_release(). Return NULL if there is none.
 */
static struct pgo_image *pgo_claim(const struct pgo_wanted *wanted,
				   enum pgo_state state)
{
	struct pgo_image *image;

	lock_map_acquire(&pgo_image_map);
	wait_var_event(&pgo_lock, pgo_try_claim(wanted, state, &image));
	if (!image) {
		lock_map_release(&pgo_image_map);
		return NULL;
	}
	wait_var_event(&pgo_lock, pgo_is_idle(image));
	return image;
}

static void pgo_release(struct pgo_image *image, enum pgo_state state,
			struct pgo_sections *set)
{
	scoped_guard(spinlock, &pgo_lock) {
		image->state = state;
		image->set = set;
		image->busy = state == PGO_DEAD;
		if (state != PGO_SAVED) {
			pgo_kept -= image->kept;
			image->kept = 0;
		}
	}
	lock_map_release(&pgo_image_map);
	wake_up_var(&pgo_lock);
}

/* === Addresses ========================================================== */

/*
 * What stands for the functions of a module that is not there. No code is ever
 * in the lower half of the address space, and there is room for 2^63 bytes.
 */
static void pgo_stand_in(struct pgo_range to[PGO_TEXTS],
			 const struct pgo_range like[PGO_TEXTS])
{
	static atomic_long_t next = ATOMIC_LONG_INIT(PAGE_SIZE);
	size_t i;

	for (i = 0; i < PGO_TEXTS; i++) {
		size_t size = pgo_range_size(&like[i]);

		to[i].start = (void *)atomic_long_fetch_add(size, &next);
		to[i].stop = to[i].start + size;
	}
}

/* What is known by an address of @from is known by one of @to from now on. */
static void pgo_move(const struct pgo_range from[PGO_TEXTS],
		     const struct pgo_range to[PGO_TEXTS])
{
	struct pgo_image *image = NULL;

	while ((image = pgo_image_next(image)))
		pgo_saved_move(image->set, from, to);
}

/**
 * pgo_forget_text() - Code comes to where other code may have been before.
 * @text: where
 *
 * Values that are known by such an address are of something that has gone in
 * silence, like a BPF program.
 *
 * Context: May sleep. Takes pgo_lock. No code runs there yet.
 */
void pgo_forget_text(const struct pgo_range text[PGO_TEXTS])
{
	struct pgo_range nowhere[PGO_TEXTS];

	pgo_stand_in(nowhere, text);
	pgo_move(text, nowhere);
}

/* === Images come ======================================================== */

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

static bool pgo_stem_is_taken(const char *stem)
	__must_hold(&pgo_lock)
{
	struct pgo_image *image;

	lockdep_assert_held(&pgo_lock);

	list_for_each_entry(image, &pgo_images, list) {
		if (!strcmp(image->stem, stem))
			return true;
	}
	return false;
}

static int pgo_image_link(struct pgo_image *new)
{
	char full[PGO_STEM_LEN];

	strscpy(new->stem, new->name);
	snprintf(full, sizeof(full), "%s-%*phN", new->name,
		 new->set->build_id_size, new->set->build_id);

	guard(spinlock)(&pgo_lock);

	/* all.profraw is that of all images. */
	if (pgo_is_all(new->stem) || pgo_stem_is_taken(new->stem)) {
		if (!new->set->build_id_size || pgo_stem_is_taken(full))
			return -EEXIST;
		strscpy(new->stem, full);
	}
	new->id = ++pgo_last_id;
	list_add_tail(&new->list, &pgo_images);
	return 0;
}

static int pgo_image_new(const char *name, struct pgo_sections *set)
{
	struct pgo_image *image = kzalloc_obj(*image);
	int err;

	if (!image)
		return -ENOMEM;
	strscpy(image->name, name);
	image->set = set;
	image->size = pgo_profraw_size(set);
	pgo_stand_in(image->gone, set->text);

	err = pgo_image_link(image);
	if (err) {
		kfree(image);
		return err;
	}
	pgo_nodes_init(set);
	pgo_fs_add(image);
	pgo_fs_changed();
	return 0;
}

/* Let an image that was saved go on with @set, if it is of the same build. */
static int pgo_image_revive(const char *name, struct pgo_sections *set)
{
	struct pgo_wanted wanted = { .name = name, .build = set };
	struct pgo_image *image = pgo_claim(&wanted, PGO_SAVED);
	struct pgo_range text[PGO_TEXTS];
	struct pgo_sections *saved;

	if (!image)
		return -ENOENT;
	saved = image->set;
	if (!pgo_saved_same(saved, set)) {
		pgo_release(image, PGO_SAVED, saved);
		return -ENOENT;
	}
	memcpy(text, set->text, sizeof(text));
	pgo_saved_take(set, saved);
	/* Before somebody reads it; pgo_move() would be too late. */
	pgo_saved_move(set, image->gone, text);
	pgo_release(image, PGO_LIVE, set);
	pgo_saved_free(saved);

	pgo_move(image->gone, text);
	/* Where there was no memory for a file, there may be now. */
	if (IS_ERR(image->file))
		pgo_fs_add(image);
	return 0;
}

/**
 * pgo_image_add() - Let an image take part.
 * @name: "vmlinux" or the name of the module
 * @set: its section set; stays where it is until pgo_image_remove()
 *
 * If the same build took part before, its counts are added. An image without
 * records has nothing to show and is passed over. One that can't take part is
 * reported once, then its hooks do nothing.
 *
 * Context: May sleep. Takes pgo_lock. No code of a module has run yet.
 * Return: 0 if the image takes part, -ENODATA without records, -EINVAL if its
 * sections do not hold up, -EEXIST for a name that is taken, -ENOMEM.
 */
int pgo_image_add(const char *name, struct pgo_sections *set)
{
	int err;

	if (!pgo_range_size(&set->data))
		return -ENODATA;

	err = pgo_check(name, set);
	if (!err) {
		pgo_find_build_id(set);
		err = pgo_image_revive(name, set);
		if (err == -ENOENT)
			err = pgo_image_new(name, set);
	}
	if (!err)
		return 0;

	if (err == -EEXIST)
		pr_warn("%s: not profiled: there is an image of this name\n",
			name);
	else if (err == -ENOMEM)
		pr_warn("%s: not profiled: out of memory\n", name);
	pgo_hooks_off(set);
	return err;
}

/* === Images go ========================================================== */

/**
 * pgo_image_init_done() - The init text of a module is about to be freed.
 * @set: section set of the module, be it of an image or not
 *
 * Its functions keep their names, and are not taken for what comes to lie there
 * later.
 *
 * Context: May sleep. Takes pgo_lock. Waits for those who are at work on the
 * image. No init code runs any more, other code may.
 */
void pgo_image_init_done(struct pgo_sections *set)
{
	struct pgo_wanted wanted = { .set = set };
	struct pgo_image *image = pgo_claim(&wanted, PGO_LIVE);
	struct pgo_range from[PGO_TEXTS], to[PGO_TEXTS];

	memcpy(from, set->text, sizeof(from));
	if (image)
		memcpy(to, image->gone, sizeof(to));
	else
		pgo_stand_in(to, from);
	to[0] = from[0];

	pgo_saved_move_text(set, to);
	if (image)
		pgo_release(image, PGO_LIVE, set);
	pgo_move(from, to);
}

/* Take memory for a copy out of what is allowed; pgo_release() returns it. */
static bool pgo_charge(struct pgo_image *image)
{
	size_t size = pgo_saved_size(image->set);

	guard(spinlock)(&pgo_lock);

	if (size + pgo_kept > pgo_keep)
		return false;
	pgo_kept += size;
	image->kept = size;
	return true;
}

/* Return memory to save an image in, or NULL and say why not. */
static struct pgo_sections *pgo_image_room(struct pgo_image *image)
{
	struct pgo_sections *copy;

	if (!pgo_charge(image)) {
		if (pgo_keep)
			pr_warn("%s: profile dropped: those of unloaded modules would take more than pgo_keep=%lu\n",
				image->stem, pgo_keep);
		return NULL;
	}
	copy = pgo_saved_alloc(image->set);
	if (!copy)
		pr_warn("%s: profile dropped: out of memory\n", image->stem);
	return copy;
}

/* An image that was claimed is no more. */
static void pgo_bury(struct pgo_image *image)
{
	/* Who is about to open the file learns of it, then it can be removed. */
	pgo_release(image, PGO_DEAD, image->set);
	pgo_fs_remove(image);
	pgo_nodes_free(image->set);

	scoped_guard(spinlock, &pgo_lock)
		list_del(&image->list);
	wake_up_var(&pgo_lock);
	kfree(image);
	pgo_fs_changed();
}

/* Save a live image, which nobody but the caller can remove. */
static void pgo_image_save(struct pgo_image *image,
			   const struct pgo_wanted *wanted)
{
	struct pgo_sections *copy = pgo_image_room(image);

	pgo_claim(wanted, PGO_GOING);
	if (copy) {
		pgo_saved_take(copy, image->set);
		pgo_saved_move_text(copy, image->gone);
		pgo_release(image, PGO_SAVED, copy);
	} else {
		pgo_bury(image);
	}
}

/**
 * pgo_image_remove() - The memory of a module is about to be freed.
 * @set: section set of the module, be it of an image or not
 *
 * What it has counted is saved, if that is wanted and possible. Whoever opens
 * its file meanwhile waits for that, and gets -ENODEV if it is not.
 *
 * Context: May sleep. Takes pgo_lock. Waits for those who are at work on the
 * image. No code of the module runs any more.
 */
void pgo_image_remove(struct pgo_sections *set)
{
	struct pgo_wanted wanted = { .set = set };
	struct pgo_range gone[PGO_TEXTS];
	struct pgo_image *image;

	scoped_guard(spinlock, &pgo_lock)
		image = pgo_find(&wanted);
	if (image) {
		memcpy(gone, image->gone, sizeof(gone));
		pgo_image_save(image, &wanted);
	} else {
		pgo_stand_in(gone, set->text);
	}
	pgo_move(set->text, gone);
}

/* === What is done with them ============================================= */

/**
 * pgo_snapshot() - Make the raw profile of an image.
 * @image: image whose file keeps it from being freed
 *
 * Context: May sleep. Takes pgo_lock.
 * Return: image->size bytes, to be freed with vfree(); ERR_PTR(-ENOMEM), or
 * ERR_PTR(-ENODEV) for a module that is gone.
 */
void *pgo_snapshot(struct pgo_image *image)
{
	/* Who asked is told, the log need not be. */
	void *buf = __vmalloc(image->size, GFP_KERNEL | __GFP_NOWARN);
	struct pgo_text texts[PGO_TEXTS];
	struct pgo_group group = { .num_sets = 1, .texts = texts };
	int err;

	if (!buf)
		return ERR_PTR(-ENOMEM);
	err = pgo_image_get(image);
	if (err) {
		vfree(buf);
		return ERR_PTR(err);
	}
	group.sets = &(const struct pgo_sections *) { image->set };
	pgo_profraw_write(&group, buf);
	pgo_image_put(image);
	return buf;
}

/* Count the images of which a raw profile can be made, and its bytes. */
static size_t pgo_count_all(size_t *size)
{
	struct pgo_image *image;
	size_t num = 0;

	guard(spinlock)(&pgo_lock);

	*size = sizeof(struct llvm_prf_header);
	list_for_each_entry(image, &pgo_images, list) {
		if (image->state == PGO_DEAD)
			continue;
		*size += image->size - sizeof(struct llvm_prf_header);
		num++;
	}
	return num;
}

/**
 * pgo_all_size() - Size of the raw profile of all images together.
 *
 * Context: Any but interrupts. Takes pgo_lock.
 * Return: Size in bytes, a multiple of 8.
 */
size_t pgo_all_size(void)
{
	size_t size;

	pgo_count_all(&size);
	return size;
}

/**
 * struct pgo_all - All images, while their raw profile is made.
 * @group: their section sets, as many as there is room for
 * @image: the images, which have us as user
 * @buf: memory for the raw profile
 * @size: bytes of it
 */
struct pgo_all {
	struct pgo_group group;
	struct pgo_image **image;
	void *buf;
	size_t size;
};

static void pgo_all_free(struct pgo_all *all)
{
	kvfree(all->group.sets);
	kvfree(all->group.texts);
	kvfree(all->image);
	vfree(all->buf);
}

static bool pgo_all_alloc(struct pgo_all *all)
{
	gfp_t gfp = GFP_KERNEL | __GFP_NOWARN;
	size_t num = pgo_count_all(&all->size);

	all->group = (struct pgo_group) {
		.sets = kvmalloc_array(num, sizeof(*all->group.sets), gfp),
		.texts = kvmalloc_array(num * PGO_TEXTS,
					sizeof(*all->group.texts), gfp),
		.num_sets = num,
	};
	all->image = kvmalloc_array(num, sizeof(*all->image), gfp);
	all->buf = __vmalloc(all->size, gfp);
	if (all->group.sets && all->group.texts && all->image && all->buf)
		return true;
	pgo_all_free(all);
	return false;
}

/* All at once: lockdep can't count to the number of modules. */
static void pgo_all_put(struct pgo_all *all, size_t num)
{
	size_t i;

	scoped_guard(spinlock, &pgo_lock) {
		for (i = 0; i < num; i++)
			all->image[i]->users--;
	}
	lock_map_release(&pgo_image_map);
	wake_up_var(&pgo_lock);
}

/*
 * Become user of all images. Return false, and be none, if there is no room for
 * one that came since. The room of one that went is zeroed.
 */
static bool pgo_all_get(struct pgo_all *all)
{
	size_t size = sizeof(struct llvm_prf_header), num = 0;
	struct pgo_image *image = NULL;

	lock_map_acquire_read(&pgo_image_map);
	while ((image = pgo_image_wait_next(image))) {
		size += image->size - sizeof(struct llvm_prf_header);
		if (num == all->group.num_sets || size > all->size) {
			scoped_guard(spinlock, &pgo_lock)
				image->users--;
			pgo_all_put(all, num);
			return false;
		}
		all->image[num] = image;
		all->group.sets[num++] = image->set;
	}
	all->group.num_sets = num;
	pgo_clear(all->buf + size, all->size - size);
	return true;
}

/**
 * pgo_snapshot_all() - Make one raw profile of all images.
 * @size: set to its bytes
 *
 * Calls from one image to another have a name in it. While a module comes or
 * goes, calls to that may have none.
 *
 * Context: May sleep. Takes pgo_lock. Waits for who is busy with an image.
 * Return: @size bytes, to be freed with vfree(); ERR_PTR(-ENOMEM).
 */
void *pgo_snapshot_all(size_t *size)
{
	struct pgo_all all;
	void *buf = ERR_PTR(-ENOMEM);

	while (pgo_all_alloc(&all)) {
		if (pgo_all_get(&all)) {
			pgo_profraw_write(&all.group, all.buf);
			pgo_all_put(&all, all.group.num_sets);
			*size = all.size;
			buf = all.buf;
			all.buf = NULL;
		}
		pgo_all_free(&all);
		if (!IS_ERR(buf))
			break;
	}
	return buf;
}

/**
 * pgo_reset() - Forget what images have counted.
 * @name: name of an image, or of a module, or "all" (or "1") for every one
 *
 * Instrumented code keeps counting: what it adds meanwhile may stay or go, and
 * a count that another CPU is just raising may stay with all that it was, unless
 * CONFIG_PGO_ATOMIC is set. What was saved of a module that is not loaded goes for
 * good.
 *
 * Context: May sleep. Takes pgo_lock.
 * Return: 0, or -ENOENT if there is no such image.
 */
int pgo_reset(const char *name)
{
	struct pgo_wanted wanted = { .stem = name };
	struct pgo_image *image = NULL;
	int err = pgo_is_all(name) ? 0 : -ENOENT;

	while ((image = pgo_image_next(image))) {
		if (pgo_is_named(image, name)) {
			pgo_profraw_reset(image->set);
			err = 0;
		}
	}
	while ((image = pgo_claim(&wanted, PGO_GOING))) {
		struct pgo_sections *copy = image->set;

		pgo_bury(image);
		pgo_saved_free(copy);
		err = 0;
	}
	return err;
}

static void pgo_fill_stats(struct pgo_stats *stats,
			   const struct pgo_image *image)
	__must_hold(&pgo_lock)
{
	const struct pgo_sections *set = image->set;
	/* First, or a hook that takes a block may make it more than there are. */
	size_t used = atomic_read(&set->nodes_used);

	*stats = (struct pgo_stats) {
		.id	  = image->id,
		.state	  = image->state,
		.records  = pgo_num_records(set),
		.counters = pgo_num_counters(set),
		.sites	  = pgo_num_sites(set),
		.nodes	  = PGO_BLOCK_NODES * (pgo_num_sites(set) +
					       atomic_read(&set->blocks)),
		.used	  = used,
		.dropped  = pgo_dropped(set),
		.size	  = image->size,
		/* It is taken while the module is still live. */
		.kept	  = image->state == PGO_LIVE ? 0 : image->kept,
		.build_id_size = set->build_id_size,
	};
	memcpy(stats->stem, image->stem, sizeof(stats->stem));
	memcpy(stats->build_id, set->build_id, sizeof(stats->build_id));
}

/**
 * pgo_next_stats() - What there is to say about an image.
 * @id: the first id of interest
 * @stats: filled in for the image with the lowest id from @id on
 *
 * Images have ids in the order in which they came first, and keep them: going
 * on behind the last one shows each that is there once.
 *
 * Context: Any but interrupts. Takes pgo_lock.
 * Return: false if there is none.
 */
bool pgo_next_stats(u64 id, struct pgo_stats *stats)
{
	struct pgo_image *image;

	guard(spinlock)(&pgo_lock);

	list_for_each_entry(image, &pgo_images, list) {
		if (image->id < id || image->state == PGO_DEAD)
			continue;
		pgo_fill_stats(stats, image);
		return true;
	}
	return false;
}

/* === The life of a module =============================================== */

#ifdef CONFIG_MODULES

/**
 * pgo_module_coming() - A module is about to run for the first time.
 * @mod: the module
 *
 * Context: May sleep. Takes pgo_lock.
 */
void pgo_module_coming(struct module *mod)
{
	pgo_forget_text(mod->pgo.text);
	pgo_image_add(mod->name, &mod->pgo);
}

/**
 * pgo_module_init_done() - The init text of a module is about to be freed.
 * @mod: the module
 *
 * Context: May sleep. Takes pgo_lock.
 */
void pgo_module_init_done(struct module *mod)
{
	pgo_image_init_done(&mod->pgo);
}

/**
 * pgo_module_gone() - No code of a module will run any more.
 * @mod: the module, which can't be loaded again before this returns
 *
 * The notifiers are called too early: attributes in sysfs, async functions and
 * what frees parameters may be at work after them.
 *
 * Context: May sleep. Takes pgo_lock.
 */
void pgo_module_gone(struct module *mod)
{
	pgo_image_remove(&mod->pgo);
}

#endif /* CONFIG_MODULES */

static int __init pgo_keep_setup(char *str)
{
	char *end;
	unsigned long keep = memparse(str, &end);

	if (end == str || *end)
		pr_warn("pgo_keep=%s is no size, %lu is used\n", str, pgo_keep);
	else
		pgo_keep = keep;
	return 1;
}
__setup("pgo_keep=", pgo_keep_setup);

static int __init pgo_init(void)
{
	lockdep_init_map(&pgo_image_map, "pgo_image", &pgo_image_key, 0);
	pgo_pool_init();
	pgo_fs_init();
	pgo_image_add("vmlinux", &pgo_vmlinux);
	return 0;
}

/* As soon as debugfs is there. No module can be loaded before. */
fs_initcall(pgo_init);
