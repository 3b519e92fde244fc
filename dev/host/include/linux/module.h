/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_MODULE_H
#define _LINUX_MODULE_H

#define MODULE_NAME_LEN		56

#endif /* _LINUX_MODULE_H */
