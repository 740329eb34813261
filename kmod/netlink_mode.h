/* SPDX-License-Identifier: GPL-2.0 */
/* An export or an import takes several requests: what each of them is for. */
#ifndef SEEN_NETLINK_MODE_H
#define SEEN_NETLINK_MODE_H

struct genl_info;

enum seen_nl_mode {
	SEEN_NL_BEGIN,
	SEEN_NL_CHUNK,		/* a part of the table */
	SEEN_NL_TOP,		/* import: keys of the list of the heaviest */
	SEEN_NL_COMMIT,		/* import: publish the filter */
	SEEN_NL_ABORT,		/* import: a cookie alone */
};

/**
 * seen_nl_export_mode() - what a request of an export is for
 * @info: the request
 *
 * Return: SEEN_NL_BEGIN or SEEN_NL_CHUNK; -EINVAL: the request has an attribute that such a
 * request does not take, which extack names, or lacks one.
 */
int seen_nl_export_mode(struct genl_info *info);

/**
 * seen_nl_import_mode() - what a request of an import is for
 * @info: the request
 *
 * Return: any of enum seen_nl_mode, or -EINVAL as seen_nl_export_mode()
 */
int seen_nl_import_mode(struct genl_info *info);

#endif
