/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEENCTL_VERSION_H
#define SEENCTL_VERSION_H

/* version_tell() - print the versions of tool, library and module; returns the exit status */
int version_tell(void);

/* version_family() - version of the netlink family; 0: the module is not loaded */
unsigned int version_family(void);

#endif
