/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_BUILDID_H
#define _LINUX_BUILDID_H

#define BUILD_ID_SIZE_MAX	20

#endif /* _LINUX_BUILDID_H */
