/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program and two shared objects, that call each other through pointers: a
 * target in another image has no name in the file of the caller. Each site has
 * no more than one such target.
 */
#ifndef _IMAGES_H
#define _IMAGES_H

#define noinline __attribute__((__noinline__))

typedef void (*work_fn)(int n);

void one_run(work_fn *volatile fn, int n);
void one_work(int n);
void two_run(work_fn *volatile fn, int n);
void two_work(int n);
extern work_fn one_private;

#endif /* _IMAGES_H */
