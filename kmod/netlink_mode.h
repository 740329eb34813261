/* SPDX-License-Identifier: GPL-2.0 */
/* The steps of an export or an import. Each step is one request. */
#ifndef SEEN_NETLINK_MODE_H
#define SEEN_NETLINK_MODE_H

struct genl_info;

enum seen_nl_mode {
	SEEN_NL_BEGIN,
	SEEN_NL_CHUNK,		/* a part of the table */
	SEEN_NL_TOP,		/* import: keys for the list of the heaviest keys */
	SEEN_NL_COMMIT,		/* import: publish the filter */
	SEEN_NL_ABORT,		/* import: only a cookie */
};

/**
 * seen_nl_export_mode() - which step of an export is a request?
 * @info: the request
 *
 * Return: SEEN_NL_BEGIN or SEEN_NL_CHUNK; -EINVAL: an attribute does not belong to this
 * step, or is missing. The extack names it.
 */
int seen_nl_export_mode(struct genl_info *info);

/**
 * seen_nl_import_mode() - which step of an import is a request?
 * @info: the request
 *
 * Return: enum seen_nl_mode, or -EINVAL as in seen_nl_export_mode().
 */
int seen_nl_import_mode(struct genl_info *info);

#endif
