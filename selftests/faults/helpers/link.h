/* SPDX-License-Identifier: GPL-2.0 */
/* Devices, asked for through rtnetlink. Each returns 0 or a negative errno. */
#ifndef LINK_H
#define LINK_H

int link_add(const char *name, const char *kind);
int link_del(const char *name);
/* link_del_all() - in one step: all that have come through link_add() and are there */
int link_del_all(void);
int link_rename(const char *name, const char *new_name);
/* link_master() - @master: NULL: none */
int link_master(const char *name, const char *master);

#endif
