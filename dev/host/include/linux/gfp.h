/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_GFP_H
#define _LINUX_GFP_H
#endif /* _LINUX_GFP_H */
