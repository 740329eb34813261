/* SPDX-License-Identifier: GPL-2.0 */
/* Why the parsers of ports, prefixes and groups refused a text, for error texts. */
#ifndef SEEN_CONDITION_H
#define SEEN_CONDITION_H

/*
 * Return: "must be 0 to 65535" and the like, for the texts whose only fault is a number; NULL
 * for other texts.
 */
const char *seen_port_range_fault(const char *text);
const char *seen_prefix_fault(const char *text);
const char *seen_group_fault(const char *text);

#endif
