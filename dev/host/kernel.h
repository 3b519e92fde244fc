/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the images of a test program share: see kernel.c and image.c.
 */
#ifndef _HOST_KERNEL_H
#define _HOST_KERNEL_H

struct pgo_sections;

void host_image_add(const char *name, struct pgo_sections *set);

#endif /* _HOST_KERNEL_H */
