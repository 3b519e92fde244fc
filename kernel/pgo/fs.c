// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files in debugfs: one raw profile per image and one of all, stats, and reset.
 *
 * Guarantees that whoever opens a file reads one complete raw profile to its
 * end, made when it was opened, even if the module is unloaded meanwhile; and
 * that the size of a file is right before and after it is opened.
 *
 * Holds no lock. debugfs keeps an image's file from being opened once
 * pgo_fs_remove() returns, and that waits for an open() under way.
 */

#define pr_fmt(fmt) "pgo: " fmt

#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "pgo.h"

/* Made once at boot */
static struct dentry *pgo_dir;
static struct dentry *pgo_all;

/**
 * struct pgo_file - An open file.
 * @size: bytes at @profile
 * @profile: the snapshot
 */
struct pgo_file {
	size_t size;
	void *profile;
};

static void pgo_set_size(struct inode *inode, size_t size)
{
	inode_lock(inode);
	i_size_write(inode, size);
	inode_unlock(inode);
}

/* The file of all images has none of its own. */
static void *pgo_file_snapshot(struct pgo_image *image, size_t *size)
{
	if (!image)
		return pgo_snapshot_all(size);
	*size = image->size;
	return pgo_snapshot(image);
}

static int pgo_open(struct inode *inode, struct file *file)
{
	struct pgo_image *image = inode->i_private;
	struct pgo_file *pf;

	/* It can be opened before pgo_fs_add() gets that far. */
	if (image)
		pgo_set_size(inode, image->size);

	pf = kmalloc_obj(*pf);
	if (!pf)
		return -ENOMEM;

	pf->profile = pgo_file_snapshot(image, &pf->size);
	if (IS_ERR(pf->profile)) {
		int err = PTR_ERR(pf->profile);

		kfree(pf);
		return err;
	}
	file->private_data = pf;
	return 0;
}

static ssize_t pgo_read(struct file *file, char __user *buf, size_t count,
			loff_t *pos)
{
	struct pgo_file *pf = file->private_data;

	return simple_read_from_buffer(buf, count, pos, pf->profile, pf->size);
}

static loff_t pgo_llseek(struct file *file, loff_t offset, int whence)
{
	struct pgo_file *pf = file->private_data;

	return fixed_size_llseek(file, offset, whence, pf->size);
}

static int pgo_release(struct inode *inode, struct file *file)
{
	struct pgo_file *pf = file->private_data;

	vfree(pf->profile);
	kfree(pf);
	return 0;
}

static const struct file_operations pgo_profile_fops = {
	.owner	 = THIS_MODULE,
	.open	 = pgo_open,
	.read	 = pgo_read,
	.llseek	 = pgo_llseek,
	.release = pgo_release,
};

/*
 * The position is that of the header, 0, or the id of an image: it stays that
 * of the same image whatever comes and goes meanwhile.
 */
static void *pgo_stats_start(struct seq_file *seq, loff_t *pos)
{
	struct pgo_stats *stats = seq->private;

	if (!*pos)
		return SEQ_START_TOKEN;
	if (!pgo_next_stats(*pos, stats))
		return NULL;
	*pos = stats->id;
	return stats;
}

static void *pgo_stats_next(struct seq_file *seq, void *v, loff_t *pos)
{
	++*pos;
	return pgo_stats_start(seq, pos);
}

static void pgo_stats_stop(struct seq_file *seq, void *v)
{
}

static int pgo_stats_show(struct seq_file *seq, void *v)
{
	static const char * const state[] = {
		[PGO_LIVE] = "live",
		[PGO_GOING] = "going",
		[PGO_SAVED] = "saved",
	};
	const struct pgo_stats *stats = v;

	if (v == SEQ_START_TOKEN) {
		seq_puts(seq, "image state records counters sites nodes used dropped bytes kept build_id\n");
		return 0;
	}
	seq_printf(seq, "%s %s %zu %zu %zu %zu %zu %lu %zu %zu ", stats->stem,
		   state[stats->state], stats->records, stats->counters,
		   stats->sites, stats->nodes, stats->used, stats->dropped,
		   stats->size, stats->kept);
	if (stats->build_id_size)
		seq_printf(seq, "%*phN\n", stats->build_id_size,
			   stats->build_id);
	else
		seq_puts(seq, "-\n");
	return 0;
}

static const struct seq_operations pgo_stats_sops = {
	.start = pgo_stats_start,
	.next  = pgo_stats_next,
	.stop  = pgo_stats_stop,
	.show  = pgo_stats_show,
};

static int pgo_stats_open(struct inode *inode, struct file *file)
{
	return seq_open_private(file, &pgo_stats_sops,
				sizeof(struct pgo_stats));
}

static const struct file_operations pgo_stats_fops = {
	.owner	 = THIS_MODULE,
	.open	 = pgo_stats_open,
	.read	 = seq_read,
	.llseek	 = seq_lseek,
	.release = seq_release_private,
};

static ssize_t pgo_reset_write(struct file *file, const char __user *ubuf,
			       size_t count, loff_t *pos)
{
	char buf[PGO_STEM_LEN + 1];	/* and a newline */
	char *name;
	int err;

	/* No image has so long a name. */
	if (count >= sizeof(buf))
		return -ENOENT;
	if (copy_from_user(buf, ubuf, count))
		return -EFAULT;
	buf[count] = '\0';

	name = strim(buf);
	if (!*name)
		return -EINVAL;
	err = pgo_reset(name);
	return err ?: count;
}

static const struct file_operations pgo_reset_fops = {
	.owner	= THIS_MODULE,
	.open	= simple_open,
	.write	= pgo_reset_write,
	.llseek	= noop_llseek,
};

/**
 * pgo_fs_init() - Make the directory and what does not belong to an image.
 *
 * Context: May sleep. Once, after debugfs is there.
 */
void __init pgo_fs_init(void)
{
	pgo_dir = debugfs_create_dir("pgo", NULL);
	pgo_all = debugfs_create_file_unsafe("all.profraw", 0400, pgo_dir, NULL,
					     &pgo_profile_fops);
	debugfs_create_file("stats", 0400, pgo_dir, NULL, &pgo_stats_fops);
	debugfs_create_file("reset", 0200, pgo_dir, NULL, &pgo_reset_fops);
	pgo_fs_changed();
}

/**
 * pgo_fs_add() - Make the file of an image.
 * @image: live image that has none yet
 *
 * debugfs protects open() alone, not reads: those are served from the snapshot
 * and must work to the end when the module is gone.
 *
 * Context: May sleep.
 */
void pgo_fs_add(struct pgo_image *image)
{
	char name[PGO_STEM_LEN + sizeof(".profraw")];

	snprintf(name, sizeof(name), "%s.profraw", image->stem);
	image->file = debugfs_create_file_unsafe(name, 0400, pgo_dir, image,
						 &pgo_profile_fops);
	if (!IS_ERR(image->file))
		pgo_set_size(d_inode(image->file), image->size);
	else if (debugfs_initialized() && PTR_ERR(image->file) != -EPERM)
		pr_warn("%s: no file: %pe\n", image->stem, image->file);
}

/**
 * pgo_fs_remove() - Remove the file of an image.
 * @image: image that is dead
 *
 * Context: May sleep. Waits for an open() that is under way.
 */
void pgo_fs_remove(struct pgo_image *image)
{
	debugfs_remove(image->file);
}

/**
 * pgo_fs_changed() - An image came or went.
 *
 * Context: May sleep. Takes pgo_lock.
 */
void pgo_fs_changed(void)
{
	struct inode *inode;

	if (IS_ERR(pgo_all))
		return;
	inode = d_inode(pgo_all);
	inode_lock(inode);
	/* Who comes last has the last word. */
	i_size_write(inode, pgo_all_size());
	inode_unlock(inode);
}
