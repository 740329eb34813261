/* SPDX-License-Identifier: GPL-2.0 */
/* Error texts for refused requests, from the kernel's extended ack. */
#ifndef SEEN_REFUSAL_H
#define SEEN_REFUSAL_H

#include <stddef.h>

#include <netlink/attr.h>
#include <netlink/msg.h>

/**
 * seen_refusal_text() - "NAME: required", "NAME: must be A to B", or the kernel's own text
 * @request: the refused request
 * @err: errno, above 0; 0: a warning
 * @tb: attributes of the answer, by enum nlmsgerr_attrs
 * @text: out; unchanged if the answer has nothing to report
 * @size: bytes of @text
 */
void seen_refusal_text(struct nlmsghdr *request, int err, struct nlattr *const *tb,
		       char *text, size_t size);

/**
 * seen_refusal_rights() - "filter "NAME": Operation not permitted: ..."
 * @request: the refused request; NULL: no object is named
 * @text: out: the object that @request names, if any, and the missing capability
 * @size: bytes of @text
 */
void seen_refusal_rights(struct nlmsghdr *request, char *text, size_t size);

/* How the value of an attribute is written. */
enum seen_attr_unit {
	SEEN_UNIT_NONE,
	SEEN_UNIT_RATE,		/* a whole number of 10^-12 */
	SEEN_UNIT_NS,
};

/**
 * struct seen_attr_word - an attribute of a request
 * @word: its name in seenctl
 * @unit: of its value
 * @nest: if it is a nest, the attributes in it
 */
struct seen_attr_word {
	const char *word;
	enum seen_attr_unit unit;
	const struct seen_attr_words *nest;
};

/**
 * struct seen_attr_words - a set of attributes
 * @count: elements of @attr
 * @attr: by number; a @word may be NULL
 * @filter: number of the attribute that names the request's filter; 0: none
 * @dev: number of the attribute that names the device of the request's guard; 0: none
 */
struct seen_attr_words {
	int count;
	const struct seen_attr_word *attr;
	int filter;
	int dev;
};

/* seen_attr_words() - the attributes of a request of enum seen_cmd */
const struct seen_attr_words *seen_attr_words(int cmd);

#endif
