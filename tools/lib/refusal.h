/* SPDX-License-Identifier: GPL-2.0 */
/* Why the kernel refused a request, in words: its extended ack. */
#ifndef SEEN_REFUSAL_H
#define SEEN_REFUSAL_H

#include <stddef.h>

#include <netlink/attr.h>
#include <netlink/msg.h>

/**
 * seen_refusal_text() - "NAME: required", "NAME: must be A to B", or the kernel's own text
 * @request: that was refused
 * @err: errno, above 0
 * @tb: attributes of the answer, by enum nlmsgerr_attrs
 * @text: out; unchanged if the kernel has said nothing
 * @size: of @text
 */
void seen_refusal_text(struct nlmsghdr *request, int err, struct nlattr *const *tb,
		       char *text, size_t size);

/**
 * seen_refusal_rights() - "filter "NAME": Operation not permitted: ..."
 * @request: that was refused; NULL: it is about no object
 * @text: out: the object that @request names, if any, and the capability that is missing
 * @size: of @text
 */
void seen_refusal_rights(struct nlmsghdr *request, char *text, size_t size);

/* How the value of an attribute is written. */
enum seen_attr_unit {
	SEEN_UNIT_NONE,
	SEEN_UNIT_RATE,		/* a whole number of 10^-12 */
	SEEN_UNIT_NS,
};

/**
 * struct seen_attr_word - an attribute that a request may have
 * @word: as seenctl writes it
 * @unit: of its value
 * @nest: if it is a nest, what it consists of
 */
struct seen_attr_word {
	const char *word;
	enum seen_attr_unit unit;
	const struct seen_attr_words *nest;
};

/**
 * struct seen_attr_words - the words of one set of attributes
 * @count: elements of @attr
 * @attr: by number; a @word may be NULL
 * @filter: number of the attribute with the name of the filter that a request is about, or 0
 * @dev: number of the attribute with the device of the guard that it is about, or 0
 */
struct seen_attr_words {
	int count;
	const struct seen_attr_word *attr;
	int filter;
	int dev;
};

/* seen_attr_words() - what a request of enum seen_cmd consists of */
const struct seen_attr_words *seen_attr_words(int cmd);

#endif
