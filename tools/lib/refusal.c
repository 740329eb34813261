// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <linux/netlink.h>
#include <linux/genetlink.h>

#include "client.h"
#include "refusal.h"

#define WORDS_LEN	64

/* struct place - the path to an attribute of a request, such as "src address" */
struct place {
	char words[WORDS_LEN];
	enum seen_attr_unit unit;
	const struct seen_attr_words *nest;
};

static const struct seen_attr_word *word_of(const struct seen_attr_words *set, int type)
{
	static const struct seen_attr_word none;

	return set && type < set->count ? &set->attr[type] : &none;
}

static void place_add(struct place *place, const struct seen_attr_word *word)
{
	size_t len = strlen(place->words);

	if (word->word)
		snprintf(place->words + len, sizeof(place->words) - len, "%s%s",
			 len ? " " : "", word->word);
	place->unit = word->unit;
	place->nest = word->nest;
}

/* Find the attribute at @at bytes from the first byte of @request; false: not found. */
static bool place_find(struct nlmsghdr *request, uint32_t at, struct place *place)
{
	const char *wanted = (const char *)request + at;
	struct genlmsghdr *header = genlmsg_hdr(request);
	struct nlattr *attr = genlmsg_attrdata(header, 0);
	int left = genlmsg_attrlen(header, 0);

	*place = (struct place){ .nest = seen_attr_words(header->cmd) };
	while (nla_ok(attr, left)) {
		struct nlattr *next = nla_next(attr, &left);

		if (wanted >= (char *)next) {
			attr = next;
			continue;
		}
		place_add(place, word_of(place->nest, nla_type(attr)));
		if (wanted <= (char *)attr)
			return wanted == (char *)attr;
		left = nla_len(attr);
		attr = nla_data(attr);
	}
	return false;
}

/* Is it a text of netlink core, which does not name the attribute? The module's texts do. */
static bool is_of_the_core(const char *text)
{
	static const char *const texts[] = {
		"Attribute failed policy validation", "Unknown attribute type",
		"Unsupported attribute", "NLA_F_NESTED is missing",
		"invalid attribute length", "integer out of range",
		"binary attribute size out of range",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (!strcmp(text, texts[i]))
			return true;
	return false;
}

static bool tell_missing(struct nlmsghdr *request, struct nlattr *const *tb,
			 char *text, size_t size)
{
	const struct nlattr *nest = tb[NLMSGERR_ATTR_MISS_NEST];
	struct place place;

	if (!tb[NLMSGERR_ATTR_MISS_TYPE])
		return false;
	place = (struct place){
		.nest = seen_attr_words(genlmsg_hdr(request)->cmd),
	};
	if (nest && !place_find(request, seen_attr_u32(nest), &place))
		return false;
	place_add(&place, word_of(place.nest, seen_attr_u32(tb[NLMSGERR_ATTR_MISS_TYPE])));
	if (!place.words[0])
		return false;
	snprintf(text, size, "%s: required", place.words);
	return true;
}

/* Write a value in its unit: "0.5", "1d" or "1024". */
static const char *value_text(enum seen_attr_unit unit, uint64_t value,
			      char text[WORDS_LEN])
{
	static const struct { const char *unit; uint64_t ns; } times[] = {
		{ "d", 86400000000000 }, { "s", 1000000000 }, { "ns", 1 },
	};
	int i = 0;

	if (unit == SEEN_UNIT_RATE)
		snprintf(text, WORDS_LEN, "%g", value / (double)SEEN_FPP_ONE);
	else if (unit == SEEN_UNIT_NONE)
		snprintf(text, WORDS_LEN, "%ju", (uintmax_t)value);
	if (unit != SEEN_UNIT_NS)
		return text;
	while (value % times[i].ns)
		i++;
	snprintf(text, WORDS_LEN, "%ju%s", (uintmax_t)(value / times[i].ns), times[i].unit);
	return text;
}

static bool tell_value(const struct place *place, struct nlattr *const *tb,
		       char *text, size_t size)
{
	const struct nlattr *min = tb[NL_POLICY_TYPE_ATTR_MIN_VALUE_U];
	const struct nlattr *max = tb[NL_POLICY_TYPE_ATTR_MAX_VALUE_U];
	char least[WORDS_LEN], most[WORDS_LEN];

	if (!min || !max)
		return false;
	snprintf(text, size, "%s: must be %s to %s", place->words,
		 value_text(place->unit, seen_attr_u64(min), least),
		 value_text(place->unit, seen_attr_u64(max), most));
	return true;
}

static bool tell_length(const struct place *place, struct nlattr *const *tb,
			char *text, size_t size)
{
	const struct nlattr *min = tb[NL_POLICY_TYPE_ATTR_MIN_LENGTH];
	const struct nlattr *max = tb[NL_POLICY_TYPE_ATTR_MAX_LENGTH];
	uint32_t least = seen_attr_u32(min), most = seen_attr_u32(max);

	if (!max)
		return false;
	if (!min)
		snprintf(text, size, "%s: must be at most %u bytes", place->words,
			 most);
	else if (least == most)
		snprintf(text, size, "%s: must be %u bytes", place->words, most);
	else
		snprintf(text, size, "%s: must be %u to %u bytes",
			 place->words, least, most);
	return true;
}

/* Report the allowed range only if the value is outside of it. */
static bool tell_policy(const struct place *place, int err, struct nlattr *nest,
			char *text, size_t size)
{
	struct nlattr *tb[NL_POLICY_TYPE_ATTR_MAX + 1];
	uint32_t type;

	if (!nest || nla_parse_nested(tb, NL_POLICY_TYPE_ATTR_MAX, nest, NULL))
		return false;
	type = seen_attr_u32(tb[NL_POLICY_TYPE_ATTR_TYPE]);
	if (err != ERANGE && type != NL_ATTR_TYPE_NUL_STRING)
		return false;
	return tell_value(place, tb, text, size) || tell_length(place, tb, text, size);
}

static const char *string_of(struct nlmsghdr *request, int type)
{
	struct genlmsghdr *header = genlmsg_hdr(request);
	struct nlattr *attr = nla_find(genlmsg_attrdata(header, 0),
				       genlmsg_attrlen(header, 0), type);

	return attr ? nla_data(attr) : NULL;
}

/* The part of @said after "WORD: " if it is about the filter, as in "name: is in use", or NULL. */
static const char *about_filter(const char *word, const char *said)
{
	static const char *const verbs[] = { "is ", "belongs " };
	size_t len = strlen(word);

	if (strncmp(said, word, len) || strncmp(said + len, ": ", 2))
		return NULL;
	said += len + 2;
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strncmp(said, verbs[i], strlen(verbs[i])))
			return said;
	return NULL;
}

/* Name the filter: for "name: is in use" write "filter "NAME" is in use". */
static bool tell_filter(struct nlmsghdr *request, const char *said, char *text, size_t size)
{
	static const int attrs[] = { SEEN_A_FILTER_NAME, SEEN_A_FILTER_NEW_NAME };
	const struct seen_attr_words *set = seen_attr_words(genlmsg_hdr(request)->cmd);

	if (set != seen_attr_words(SEEN_CMD_FILTER_GET))
		return false;
	for (size_t i = 0; i < sizeof(attrs) / sizeof(*attrs); i++) {
		const char *about = about_filter(set->attr[attrs[i]].word, said);
		const char *name = about ? string_of(request, attrs[i]) : NULL;

		if (!name)
			continue;
		snprintf(text, size, "filter \"%s\" %s", name, about);
		return true;
	}
	return false;
}

void seen_refusal_text(struct nlmsghdr *request, int err, struct nlattr *const *tb,
		       char *text, size_t size)
{
	char said[256];
	struct place place;
	size_t end;

	seen_attr_text(tb[NLMSGERR_ATTR_MSG], said, sizeof(said));
	/* Some kernels pad all texts to the length of the longest one. */
	for (end = strlen(said); end && said[end - 1] == ' '; end--)
		said[end - 1] = '\0';
	if (said[0] && !is_of_the_core(said)) {
		if (!tell_filter(request, said, text, size))
			snprintf(text, size, "%s", said);
		return;
	}
	if (tell_missing(request, tb, text, size))
		return;
	if (tb[NLMSGERR_ATTR_OFFS] &&
	    place_find(request, seen_attr_u32(tb[NLMSGERR_ATTR_OFFS]), &place) &&
	    place.words[0]) {
		if (tell_policy(&place, err, tb[NLMSGERR_ATTR_POLICY], text, size))
			return;
		if (said[0]) {
			snprintf(text, size, "%s: %s", place.words, said);
			return;
		}
	}
	if (said[0])
		snprintf(text, size, "%s", said);
}

static uint32_t number_of(struct nlmsghdr *request, int type)
{
	struct genlmsghdr *header = genlmsg_hdr(request);

	return seen_attr_u32(nla_find(genlmsg_attrdata(header, 0),
				      genlmsg_attrlen(header, 0), type));
}

static void put_guard(struct nlmsghdr *request, const char *dev, char *text,
		      size_t size)
{
	bool egress = number_of(request, SEEN_A_GUARD_HOOK) == SEEN_HOOK_EGRESS;

	if (dev)
		snprintf(text, size, "guard %s %s%s: ",
			 seen_word(&seen_guard_kinds,
				   number_of(request, SEEN_A_GUARD_KIND)),
			 dev, egress ? " hook egress" : "");
}

static void put_filter(const char *name, char *text, size_t size)
{
	if (name)
		snprintf(text, size, "filter \"%s\": ", name);
}

/* Write the object that a request names, and ": ". */
static void put_object(struct nlmsghdr *request, char *text, size_t size)
{
	const struct seen_attr_words *set = seen_attr_words(genlmsg_hdr(request)->cmd);

	if (set->filter)
		put_filter(string_of(request, set->filter), text, size);
	else if (set->dev)
		put_guard(request, string_of(request, set->dev), text, size);
}

void seen_refusal_rights(struct nlmsghdr *request, char *text, size_t size)
{
	size_t len;

	text[0] = '\0';
	if (request)
		put_object(request, text, size);
	len = strlen(text);
	snprintf(text + len, size - len,
		 "Operation not permitted: CAP_NET_ADMIN is required in the user namespace that owns this network namespace");
}
