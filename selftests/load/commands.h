/* SPDX-License-Identifier: GPL-2.0 */
/* Commands that take long, as netlink or a timer calls them, on two filters. */
#ifndef SEEN_LOAD_COMMANDS_H
#define SEEN_LOAD_COMMANDS_H

struct seen_binding;

/* The names of the bindings. */
#define SLOT_NAME	"a"
#define OTHER_NAME	"b"

typedef void command(struct seen_binding *binding, struct seen_binding *other);

command command_create, command_dump, command_export_and_import, command_merge,
	command_sweep, command_rehash, command_rotate, command_fold,
	command_flush, command_delete;

#endif
