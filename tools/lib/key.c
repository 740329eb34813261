// SPDX-License-Identifier: GPL-2.0
/* Keys as text; key.h. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "key_field.h"

#define SEPARATORS	", \t\r\n\v\f"
/* TCP's longest header, which profile "packet" has before its payload. */
#define L4_HEADER_MAX	60

#define LIST(...) \
	.count = sizeof((struct seen_key_field[]){ __VA_ARGS__ }) / \
		 sizeof(struct seen_key_field), \
	.field = { __VA_ARGS__ }

static const struct {
	const char *name;
	struct seen_key_spec spec;
} profiles[] = {
	{ "host", {
		.profile = SEEN_KEY_PROFILE_HOST,
		LIST({ SEEN_FIELD_SRC, 0 })
	} },
	{ "flow", {
		.profile = SEEN_KEY_PROFILE_FLOW,
		LIST({ SEEN_FIELD_SRC, 0 }, { SEEN_FIELD_DST, 0 },
		     { SEEN_FIELD_PROTO, 0 }, { SEEN_FIELD_SPORT, 0 },
		     { SEEN_FIELD_DPORT, 0 })
	} },
	{ "frame", {
		.profile = SEEN_KEY_PROFILE_FRAME,
		LIST({ SEEN_FIELD_SMAC, 0 }, { SEEN_FIELD_DMAC, 0 },
		     { SEEN_FIELD_VLAN, 0 }, { SEEN_FIELD_ETHERTYPE, 0 },
		     { SEEN_FIELD_PAYLOAD, 256 }, { SEEN_FIELD_LEN, 0 })
	} },
	{ "packet", {
		.profile = SEEN_KEY_PROFILE_PACKET,
		LIST({ SEEN_FIELD_SRC, 0 }, { SEEN_FIELD_DST, 0 },
		     { SEEN_FIELD_PROTO, 0 }, { SEEN_FIELD_IPID, 0 },
		     { SEEN_FIELD_FRAG, 0 }, { SEEN_FIELD_PAYLOAD, 64 },
		     { SEEN_FIELD_LEN, 0 })
	} },
	{ "bytes", {
		.profile = SEEN_KEY_PROFILE_BYTES,
		LIST({ SEEN_FIELD_BYTES, 0 })
	} },
	{ "relay", {
		.profile = SEEN_KEY_PROFILE_RELAY,
		LIST({ SEEN_FIELD_SRC, 0 }, { SEEN_FIELD_SPORT, 0 },
		     { SEEN_FIELD_DPORT, 0 }, { SEEN_FIELD_PAYLOAD, 256 },
		     { SEEN_FIELD_LEN, 0 })
	} },
};

#define PROFILES	(sizeof(profiles) / sizeof(*profiles))

static const struct seen_key_spec *find_profile(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < PROFILES; i++)
		if (strlen(profiles[i].name) == len &&
		    !memcmp(profiles[i].name, name, len))
			return &profiles[i].spec;
	return NULL;
}

static const char *profile_name(uint32_t profile)
{
	unsigned int i;

	for (i = 0; i < PROFILES; i++)
		if (profiles[i].spec.profile == profile)
			return profiles[i].name;
	return NULL;
}

/* Bytes that the keys of a specification have at least, and at most. */
static void measure(const struct seen_key_spec *spec, size_t *least,
		    size_t *most)
{
	unsigned int i;

	*least = 0;
	*most = spec->profile == SEEN_KEY_PROFILE_PACKET ? L4_HEADER_MAX : 0;
	for (i = 0; i < spec->count; i++) {
		const struct seen_field_kind *kind;

		kind = seen_field_kind(spec->field[i].id);
		*least += kind ? kind->bytes : 0;
		if (spec->field[i].id == SEEN_FIELD_PAYLOAD)
			*most += spec->field[i].param;
	}
	*most += *least;
}

/* A number from 1 up. */
static bool parse_length(const char *text, uint32_t max, uint32_t *length)
{
	return !seen_number_parse(text, max, length) && *length;
}

/*
 * "24" or "48" or "24/48". One alone is IPv4's as far as that has so many bits,
 * else IPv6's; addresses of the other family are whole then.
 */
static int parse_prefix(struct seen_key_field *field, const char *name,
			const char *text, char *error)
{
	size_t len = strcspn(text, "/");
	char first[8];

	snprintf(first, sizeof(first), "%.*s", (int)len, text);
	if (text[len]) {
		if (!parse_length(first, SEEN_PREFIX4_MAX, &field->param) ||
		    !parse_length(text + len + 1, SEEN_PREFIX6_MAX,
				  &field->param6))
			return seen_key_fail(error,
					     "%s: prefix lengths of 1 to %u for IPv4 and 1 to %u for IPv6, not %s",
					     name, SEEN_PREFIX4_MAX,
					     SEEN_PREFIX6_MAX, text);
	} else if (!parse_length(first, SEEN_PREFIX6_MAX, &field->param)) {
		return seen_key_fail(error,
				     "%s: a prefix length of 1 to %u, not %s",
				     name, SEEN_PREFIX6_MAX, text);
	} else if (field->param > SEEN_PREFIX4_MAX) {
		field->param6 = field->param;
		field->param = 0;
	}
	if (field->param == SEEN_PREFIX4_MAX)
		field->param = 0;
	if (field->param6 == SEEN_PREFIX6_MAX)
		field->param6 = 0;
	return 0;
}

static int parse_param(struct seen_key_field *field, const char *name,
		       char separator, const char *text, char *error)
{
	bool payload = field->id == SEEN_FIELD_PAYLOAD;
	bool addr = field->id == SEEN_FIELD_SRC || field->id == SEEN_FIELD_DST;

	if (payload && !separator)
		field->param = SEEN_PAYLOAD_DEFAULT;
	if (!separator)
		return 0;
	if (addr && separator == '/')
		return parse_prefix(field, name, text, error);
	if (!payload || separator != ':')
		return seen_key_fail(error, "%s: %s, not %c%s", name,
				     payload ? "takes :BYTES" :
				     addr ? "takes /PREFIX" :
				     "takes no parameter", separator, text);
	if (!parse_length(text, SEEN_PAYLOAD_MAX, &field->param))
		return seen_key_fail(error, "payload: 1 to %u bytes, not %s",
				     SEEN_PAYLOAD_MAX, text);
	return 0;
}

static bool has_field(const struct seen_key_spec *spec, uint32_t id)
{
	unsigned int i;

	for (i = 0; i < spec->count; i++)
		if (spec->field[i].id == id)
			return true;
	return false;
}

static int add_field(struct seen_key_spec *spec, const char *word, char *error)
{
	struct seen_key_field field = {};
	size_t len = strcspn(word, "/:");
	const char *name;

	field.id = seen_field_find(word, len);
	if (!field.id && find_profile(word, len))
		return seen_key_fail(error,
				     "%s: a profile goes with no other field",
				     word);
	if (!field.id)
		return seen_key_fail(error, "no such field or profile: '%s'",
				     word);
	name = seen_field_kind(field.id)->name;
	if (parse_param(&field, name, word[len],
			word + len + !!word[len], error))
		return -1;
	if (has_field(spec, field.id))
		return seen_key_fail(error, "%s: is there twice", name);
	if (has_field(spec, SEEN_FIELD_BYTES) ||
	    (spec->count && field.id == SEEN_FIELD_BYTES))
		return seen_key_fail(error, "bytes: goes with no other field");
	if (spec->count == SEEN_KEY_FIELDS_MAX)
		return seen_key_fail(error, "%s: more than %u fields", name,
				     SEEN_KEY_FIELDS_MAX);
	spec->field[spec->count++] = field;
	return 0;
}

/* What is of the wire, or of no packet at all, is in no tunnel. */
static int check_inner(const struct seen_key_spec *spec, const char *text,
		       char *error)
{
	if (!spec->inner || (spec->profile != SEEN_KEY_PROFILE_FRAME &&
			     !has_field(spec, SEEN_FIELD_BYTES) &&
			     !has_field(spec, SEEN_FIELD_ID)))
		return 0;
	return seen_key_fail(error,
			     "inner: goes with fields of packets, not with frame, bytes or id: %s",
			     text);
}

static int add_word(struct seen_key_spec *spec, const char *word, char *error)
{
	const struct seen_key_spec *profile = find_profile(word, strlen(word));
	bool inner = spec->inner;

	if (!strcmp(word, "inner")) {
		spec->inner = true;
		return inner ? seen_key_fail(error, "inner: is there twice")
			     : 0;
	}
	if (spec->profile)
		return seen_key_fail(error,
				     "%s: a profile goes with no other field",
				     profile_name(spec->profile));
	if (!profile || spec->count)
		return add_field(spec, word, error);
	*spec = *profile;
	spec->inner = inner;
	return 0;
}

int seen_key_spec_parse(struct seen_key_spec *spec, const char *text,
			char *error)
{
	char words[SEEN_KEY_SPEC_LEN];
	char *word, *rest = words;
	size_t least, most;

	memset(spec, 0, sizeof(*spec));
	if (strlen(text) >= sizeof(words))
		return seen_key_fail(error, "longer than any key: %.64s...",
				     text);
	strcpy(words, text);
	while ((word = strsep(&rest, ",")))
		if (add_word(spec, word, error))
			return -1;
	if (!spec->count)
		return seen_key_fail(error,
				     "inner: goes with a profile or fields");
	if (check_inner(spec, text, error))
		return -1;
	measure(spec, &least, &most);
	if (most > SEEN_KEY_MAX)
		return seen_key_fail(error, "longer than %u bytes: %s",
				     SEEN_KEY_MAX, text);
	return 0;
}

static size_t append_field(const struct seen_key_field *field, char *text,
			   size_t size)
{
	const struct seen_field_kind *kind = seen_field_kind(field->id);
	char name[16], param[32] = "";
	char separator = field->id == SEEN_FIELD_PAYLOAD ? ':' : '/';

	snprintf(name, sizeof(name), "%u", field->id);
	if (field->param6 > SEEN_PREFIX4_MAX && !field->param)
		snprintf(param, sizeof(param), "/%u", field->param6);
	else if (field->param6)
		snprintf(param, sizeof(param), "/%u/%u",
			 field->param ? field->param : SEEN_PREFIX4_MAX,
			 field->param6);
	else if (field->param)
		snprintf(param, sizeof(param), "%c%u", separator, field->param);
	return snprintf(text, size, "%s%s", kind ? kind->name : name, param);
}

void seen_key_spec_format(const struct seen_key_spec *spec, char *text)
{
	const char *name = profile_name(spec->profile);
	size_t used = 0;
	unsigned int i;

	*text = '\0';
	if (name)
		used = snprintf(text, SEEN_KEY_SPEC_LEN, "%s", name);
	for (i = 0; !name && i < spec->count && used + 1 < SEEN_KEY_SPEC_LEN;
	     i++) {
		if (i)
			text[used++] = ',';
		used += append_field(&spec->field[i], text + used,
				     SEEN_KEY_SPEC_LEN - used);
	}
	if (spec->inner && used < SEEN_KEY_SPEC_LEN)
		snprintf(text + used, SEEN_KEY_SPEC_LEN - used, ",inner");
}

static bool is_hex(const char *text)
{
	return text[0] == '0' && text[1] == 'x';
}

static bool is_bytes(const struct seen_key_spec *spec)
{
	return spec->count == 1 && spec->field[0].id == SEEN_FIELD_BYTES;
}

/* The payload of these is not what a list of the same fields would have. */
static bool is_digest(const struct seen_key_spec *spec)
{
	return spec->profile == SEEN_KEY_PROFILE_FRAME ||
	       spec->profile == SEEN_KEY_PROFILE_PACKET;
}

static int parse_bytes(const char *text, uint8_t *key, char *error)
{
	size_t len = strlen(text);
	int bytes;

	if (is_hex(text)) {
		bytes = seen_hex_parse(text + 2, key, SEEN_KEY_MAX);
		if (bytes > 0)
			return bytes;
		return seen_key_fail(error,
				     "bytes: not 0x and two hex digits for each of 1 to %u bytes: %s",
				     SEEN_KEY_MAX, text);
	}
	if (!len || len > SEEN_KEY_MAX)
		return seen_key_fail(error, "bytes: %zu, not 1 to %u", len,
				     SEEN_KEY_MAX);
	memcpy(key, text, len);
	return len;
}

static int parse_digest(const struct seen_key_spec *spec, const char *text,
			uint8_t *key, char *error)
{
	const char *name = profile_name(spec->profile);
	size_t least, most;
	int len;

	if (!is_hex(text))
		return seen_key_fail(error,
				     "%s: keys of this profile come from packets; as text only 0x and the key's bytes in hex digits: %s",
				     name, text);
	measure(spec, &least, &most);
	len = seen_hex_parse(text + 2, key, SEEN_KEY_MAX);
	if (len < (int)least || len > (int)most)
		return seen_key_fail(error,
				     "%s: not 0x and two hex digits for each of %zu to %zu bytes: %s",
				     name, least, most, text);
	return len;
}

/* The next word of @text, as a string of its own; false: there is none. */
static bool next_word(const char **text, char *word, size_t size)
{
	size_t len;

	*text += strspn(*text, SEPARATORS);
	len = strcspn(*text, SEPARATORS);
	if (!len)
		return false;
	if (len >= size)	/* too long for any field, and still so */
		snprintf(word, size, "%s", *text);
	else
		snprintf(word, len + 1, "%s", *text);
	*text += len;
	return true;
}

static int fail_count(const struct seen_key_spec *spec, const char *text,
		      char *error)
{
	char fields[SEEN_KEY_SPEC_LEN];
	struct seen_key_spec list = *spec;

	list.profile = SEEN_KEY_PROFILE_NONE;
	list.inner = false;
	seen_key_spec_format(&list, fields);
	return seen_key_fail(error, "not %u field%s (%s): %s", spec->count,
			     spec->count == 1 ? "" : "s", fields, text);
}

uint32_t seen_key_spec_longest(const struct seen_key_spec *spec)
{
	uint32_t bytes = 0;

	for (uint32_t i = 0; i < spec->count; i++) {
		const struct seen_field_kind *kind;

		kind = seen_field_kind(spec->field[i].id);
		if (spec->field[i].id == SEEN_FIELD_BYTES)
			return SEEN_KEY_EXACT_MAX;
		if (kind)
			bytes += kind->bytes;
		if (spec->field[i].id == SEEN_FIELD_PAYLOAD)
			bytes += spec->field[i].param;
	}
	return bytes;
}

int seen_key_parse(const struct seen_key_spec *spec, const char *text,
		   uint8_t *key, char *error)
{
	const char *rest = text;
	char word[2 * SEEN_KEY_MAX];
	unsigned int i;
	int used, len = 0;

	if (is_bytes(spec))
		return parse_bytes(text, key, error);
	if (is_digest(spec))
		return parse_digest(spec, text, key, error);
	for (i = 0; next_word(&rest, word, sizeof(word)); i++) {
		const struct seen_field_kind *kind;

		if (i == spec->count)
			return fail_count(spec, text, error);
		kind = seen_field_kind(spec->field[i].id);
		if (!kind || !kind->parse)
			return seen_key_fail(error,
					     "field %u: not known to this version",
					     spec->field[i].id);
		used = kind->parse(&spec->field[i], word, key + len, error);
		if (used < 0)
			return -1;
		len += used;
	}
	return i == spec->count ? len : fail_count(spec, text, error);
}

void seen_key_format(const struct seen_key_spec *spec, const uint8_t *key,
		     size_t len, char *text)
{
	size_t at = 0, done = 0;
	unsigned int i;

	for (i = 0; i < spec->count && !is_digest(spec); i++) {
		const struct seen_field_kind *kind;
		size_t used;

		kind = seen_field_kind(spec->field[i].id);
		if (!kind || !kind->format)
			break;
		if (i)
			text[at++] = ',';
		used = kind->format(&spec->field[i], key + done, len - done,
				    text + at, SEEN_KEY_TEXT_LEN - at);
		if (!used)
			break;
		done += used;
		at += strlen(text + at);
	}
	if (i < spec->count || done != len || !spec->count)
		seen_hex_format(key, len, text, SEEN_KEY_TEXT_LEN);
}
