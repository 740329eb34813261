/* SPDX-License-Identifier: GPL-2.0 */
/* Why the parsers of ports, prefixes and groups refused a text, for error texts. */
#ifndef SEEN_CONDITION_H
#define SEEN_CONDITION_H

/*
 * Return: an error such as "must be 0 to 65535" if the only fault of @text is a number; NULL
 * for other faults.
 */
const char *seen_port_range_fault(const char *text);
const char *seen_prefix_fault(const char *text);
const char *seen_group_fault(const char *text);

#endif
