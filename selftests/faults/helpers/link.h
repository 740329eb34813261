/* SPDX-License-Identifier: GPL-2.0 */
/* Changes devices through rtnetlink. Each function returns 0 or a negative errno. */
#ifndef LINK_H
#define LINK_H

int link_add(const char *name, const char *kind);
int link_del(const char *name);
/* link_del_all() - delete all devices that link_add() created, by one request */
int link_del_all(void);
int link_rename(const char *name, const char *new_name);
/* link_master() - @master: NULL removes the device from its bridge */
int link_master(const char *name, const char *master);

#endif
