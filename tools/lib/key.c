// SPDX-License-Identifier: GPL-2.0
/* Keys as text; key.h. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "key_field.h"
#include "suggest.h"

#define SEPARATORS	", \t\r\n\v\f"
/* Bytes for the longest word of a field, with its NUL; longer words are refused. */
#define WORD_LEN	256

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
		     { SEEN_FIELD_PAYLOAD, 0 }, { SEEN_FIELD_LEN, 0 })
	} },
	{ "packet", {
		.profile = SEEN_KEY_PROFILE_PACKET,
		LIST({ SEEN_FIELD_SRC, 0 }, { SEEN_FIELD_DST, 0 },
		     { SEEN_FIELD_PROTO, 0 }, { SEEN_FIELD_IPID, 0 },
		     { SEEN_FIELD_FRAG, 0 }, { SEEN_FIELD_PAYLOAD, 0 })
	} },
	{ "bytes", {
		.profile = SEEN_KEY_PROFILE_BYTES,
		LIST({ SEEN_FIELD_BYTES, 0 })
	} },
	{ "relay", {
		.profile = SEEN_KEY_PROFILE_RELAY,
		LIST({ SEEN_FIELD_SRC, 0 }, { SEEN_FIELD_SPORT, 0 },
		     { SEEN_FIELD_DPORT, 0 }, { SEEN_FIELD_PAYLOAD, 0 })
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

const struct seen_key_field *seen_key_find(const struct seen_key_spec *spec,
					   uint32_t id)
{
	for (uint32_t i = 0; i < spec->count; i++)
		if (spec->field[i].id == id)
			return &spec->field[i];
	return NULL;
}

static const struct seen_key_field *payload_of(const struct seen_key_spec *spec)
{
	return seen_key_find(spec, SEEN_FIELD_PAYLOAD);
}

static uint32_t payload_max(const struct seen_key_field *payload)
{
	return payload->param ? payload->param : SEEN_PAYLOAD_MAX;
}

/* Bytes of all fields; of a payload only the bytes that store its length. */
static uint32_t fixed_bytes(const struct seen_key_spec *spec)
{
	uint32_t bytes = 0;
	unsigned int i;

	for (i = 0; i < spec->count; i++) {
		const struct seen_field_kind *kind;

		kind = seen_field_kind(spec->field[i].id);
		bytes += kind ? kind->bytes : 0;
		bytes += seen_field_is_any(&spec->field[i]);
	}
	return bytes;
}

/* Parse a number from 1 to @max. */
static bool parse_length(const char *text, uint32_t max, uint32_t *length)
{
	return !seen_number_parse(text, max, length) && *length;
}

/*
 * "24", "48" or "24/48". A single length is IPv4's if it is at most 32, else IPv6's; addresses
 * of the other family are then used whole.
 */
static int key_parse_prefix(struct seen_key_field *field, const char *name,
			    const char *text, char *error)
{
	size_t len = strcspn(text, "/");
	char first[SEEN_KEY_SPEC_LEN];

	if (!strcmp(text, "*")) {
		field->param = SEEN_PREFIX_ANY;
		return 0;
	}
	snprintf(first, sizeof(first), "%.*s", (int)len, text);
	if (text[len]) {
		if (!parse_length(first, SEEN_PREFIX4_MAX, &field->param) ||
		    !parse_length(text + len + 1, SEEN_PREFIX6_MAX,
				  &field->param6))
			return seen_key_fail(error,
					     "%s: prefix lengths must be 1 to %u for IPv4 and 1 to %u for IPv6, not %s",
					     name, SEEN_PREFIX4_MAX,
					     SEEN_PREFIX6_MAX, text);
	} else if (!parse_length(first, SEEN_PREFIX6_MAX, &field->param)) {
		return seen_key_fail(error,
				     "%s: prefix length must be 1 to %u, not %s",
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

	if (!separator)
		return 0;
	if (addr && separator == '/')
		return key_parse_prefix(field, name, text, error);
	if (!payload || separator != ':')
		return seen_key_fail(error, "%s: %s, not %c%s", name,
				     payload ? "takes :BYTES" :
				     addr ? "takes /PREFIX" :
				     "takes no parameter", separator, text);
	if (!parse_length(text, SEEN_PAYLOAD_MAX, &field->param))
		return seen_key_fail(error,
				     "payload: must be 1 to %u bytes, not \"%s\"; payload alone is all of it",
				     SEEN_PAYLOAD_MAX, text);
	return 0;
}

const char *seen_key_word(size_t i, bool whole)
{
	if (whole && i < PROFILES)
		return profiles[i].name;
	if (whole)
		i -= PROFILES;
	if (i < SEEN_FIELD_MAX)
		return seen_field_kind(i + 1)->name;
	return i == SEEN_FIELD_MAX ? "inner" : NULL;
}

/* The words of a key's specification, for suggestions. */
static const char *spec_word(size_t i, const void *in)
{
	(void)in;
	return seen_key_word(i, true);
}

static int unknown_word(const char *word, char *error)
{
	const char *meant = seen_suggest(word, spec_word, NULL), *name;
	char list[SEEN_KEY_ERROR_LEN];
	size_t used = 0;

	if (meant)
		return seen_key_fail(error,
				     "unknown field or profile \"%s\", did you mean \"%s\"?",
				     word, meant);
	for (size_t i = 0; (name = spec_word(i, NULL)) && used < sizeof(list); i++)
		if (i < PROFILES || !find_profile(name, strlen(name)))
			used += snprintf(list + used, sizeof(list) - used, ", %s",
					 name);
	return seen_key_fail(error, "unknown field or profile \"%s\" (%s)", word,
			     list + 2);
}

static int key_add_field(struct seen_key_spec *spec, const char *word,
			 char *error)
{
	struct seen_key_field field = {};
	size_t len = strcspn(word, "/:");
	const char *name;

	field.id = seen_field_find(word, len);
	if (!field.id && find_profile(word, len))
		return seen_key_fail(error,
				     "%s: a profile must be first and without other fields; list the fields instead",
				     word);
	if (!field.id)
		return unknown_word(word, error);
	name = seen_field_kind(field.id)->name;
	if (parse_param(&field, name, word[len],
			word + len + !!word[len], error))
		return -1;
	if (seen_key_find(spec, field.id))
		return seen_key_fail(error, "%s: given twice", name);
	if (seen_key_find(spec, SEEN_FIELD_BYTES) ||
	    (spec->count && field.id == SEEN_FIELD_BYTES))
		return seen_key_fail(error, "bytes: must be the only field");
	if (spec->count == SEEN_KEY_FIELDS_MAX)
		return seen_key_fail(error, "%s: a key has at most %u fields", name,
				     SEEN_KEY_FIELDS_MAX);
	spec->field[spec->count++] = field;
	return 0;
}

/* A lookup tries each length that the filter holds; it does not try pairs of lengths. */
static int check_prefix(const struct seen_key_spec *spec, char *error)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < spec->count; i++)
		count += seen_field_is_any(&spec->field[i]);
	if (count > 1)
		return seen_key_fail(error,
				     "src/* and dst/* exclude each other; give one of them a length");
	if (count && payload_of(spec))
		return seen_key_fail(error,
				     "src/* and dst/* exclude payload; give the address a length");
	return 0;
}

/* A frame is the outermost packet; bytes and ids come from callers, not from packets. */
static int check_inner(const struct seen_key_spec *spec, const char *text,
		       char *error)
{
	if (!spec->inner || (spec->profile != SEEN_KEY_PROFILE_FRAME &&
			     !seen_key_find(spec, SEEN_FIELD_BYTES) &&
			     !seen_key_find(spec, SEEN_FIELD_ID)))
		return 0;
	return seen_key_fail(error,
			     "inner: excludes frame, bytes and id: %s",
			     text);
}

/* "payload:N" after a profile, which otherwise has the whole payload. */
static int bound_payload(struct seen_key_spec *spec, const char *word,
			 char *error)
{
	const char *name = profile_name(spec->profile);
	struct seen_key_field *field = NULL;
	unsigned int i;

	for (i = 0; i < spec->count; i++)
		if (spec->field[i].id == SEEN_FIELD_PAYLOAD)
			field = &spec->field[i];
	if (!field || strncmp(word, "payload:", strlen("payload:")))
		return seen_key_fail(error,
				     "%s: profile %s takes no other field%s; list the fields instead",
				     word, name, field ? " but payload:N" : "");
	if (field->param)
		return seen_key_fail(error, "payload: given twice");
	return parse_param(field, "payload", ':', word + strlen("payload:"),
			   error);
}

/* Keep "inner", which may precede the profile. */
static void set_profile(struct seen_key_spec *spec,
			const struct seen_key_spec *profile)
{
	struct seen_key_spec whole = *profile;

	whole.inner = spec->inner;
	memcpy(whole.vxlan, spec->vxlan, sizeof(whole.vxlan));
	*spec = whole;
}

/* "payload:N" before a profile. */
static int bounded_profile(struct seen_key_spec *spec,
			   const struct seen_key_spec *profile)
{
	uint32_t param = spec->field[0].param;
	unsigned int i;

	set_profile(spec, profile);
	for (i = 0; i < spec->count; i++)
		if (spec->field[i].id == SEEN_FIELD_PAYLOAD)
			spec->field[i].param = param;
	return 0;
}

/* Insert in ascending order, so that equal keys have equal text. False: no room, or given twice. */
static bool insert_port(uint16_t *ports, uint16_t port)
{
	unsigned int at = 0, last = SEEN_VXLAN_PORTS_MAX - 1;

	while (at < last && ports[at] && ports[at] < port)
		at++;
	if (ports[last] || ports[at] == port)
		return false;
	memmove(ports + at + 1, ports + at, (last - at) * sizeof(*ports));
	ports[at] = port;
	return true;
}

static int parse_port(struct seen_key_spec *spec, const char *text, char *error)
{
	uint32_t port;

	if (!parse_length(text, UINT16_MAX, &port))
		return seen_key_fail(error,
				     "inner: a UDP port of VXLAN must be 1 to 65535, not \"%s\"",
				     text);
	if (!insert_port(spec->vxlan, port))
		return seen_key_fail(error, "inner: at most %u ports of VXLAN, each given once",
				     SEEN_VXLAN_PORTS_MAX);
	return 0;
}

/* "inner", or "inner:4789:8472". */
static int add_inner(struct seen_key_spec *spec, char *word, char *error)
{
	static const uint16_t usual[SEEN_VXLAN_PORTS_MAX] = { 4789, 8472 };
	char *ports = word + strlen("inner"), *port;

	if (spec->inner)
		return seen_key_fail(error, "inner: given twice");
	spec->inner = true;
	if (!*ports++)
		return 0;
	while ((port = strsep(&ports, ":")))
		if (parse_port(spec, port, error))
			return -1;
	if (!memcmp(spec->vxlan, usual, sizeof(usual)))
		memset(spec->vxlan, 0, sizeof(spec->vxlan));
	return 0;
}

static int add_word(struct seen_key_spec *spec, char *word, char *error)
{
	const struct seen_key_spec *profile = find_profile(word, strlen(word));

	if (!strncmp(word, "inner", 5) && (!word[5] || word[5] == ':'))
		return add_inner(spec, word, error);
	if (spec->profile)
		return bound_payload(spec, word, error);
	if (profile && spec->count == 1 && payload_of(spec) &&
	    spec->field[0].param && payload_of(profile))
		return bounded_profile(spec, profile);
	if (!profile || spec->count)
		return key_add_field(spec, word, error);
	set_profile(spec, profile);
	return 0;
}

int seen_key_spec_parse(struct seen_key_spec *spec, const char *text,
			char *error)
{
	char words[SEEN_KEY_SPEC_LEN];
	char *word, *rest = words;

	memset(spec, 0, sizeof(*spec));
	if (strlen(text) >= sizeof(words))
		return seen_key_fail(error, "longer than any key can be: %.64s...",
				     text);
	strcpy(words, text);
	while ((word = strsep(&rest, ",")))
		if (add_word(spec, word, error))
			return -1;
	if (!spec->count)
		return seen_key_fail(error,
				     "inner: requires a profile or fields");
	return check_prefix(spec, error) ? -1 : check_inner(spec, text, error);
}

static size_t append_field(const struct seen_key_field *field, char *text,
			   size_t size)
{
	const struct seen_field_kind *kind = seen_field_kind(field->id);
	char name[16], param[32] = "";
	char separator = field->id == SEEN_FIELD_PAYLOAD ? ':' : '/';

	snprintf(name, sizeof(name), "%u", field->id);
	if (seen_field_is_any(field))
		snprintf(param, sizeof(param), "/*");
	else if (field->param6 > SEEN_PREFIX4_MAX && !field->param)
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
	const struct seen_key_field *payload = payload_of(spec);
	const char *name = profile_name(spec->profile);
	size_t used = 0;
	unsigned int i;

	*text = '\0';
	if (name)
		used = snprintf(text, SEEN_KEY_SPEC_LEN, "%s", name);
	if (name && payload && payload->param)
		used += snprintf(text + used, SEEN_KEY_SPEC_LEN - used,
				 ",payload:%u", payload->param);
	for (i = 0; !name && i < spec->count && used + 1 < SEEN_KEY_SPEC_LEN;
	     i++) {
		if (i)
			text[used++] = ',';
		used += append_field(&spec->field[i], text + used,
				     SEEN_KEY_SPEC_LEN - used);
	}
	if (spec->inner && used < SEEN_KEY_SPEC_LEN)
		used += snprintf(text + used, SEEN_KEY_SPEC_LEN - used, ",inner");
	for (i = 0; i < SEEN_VXLAN_PORTS_ROOM && spec->vxlan[i] &&
	     used < SEEN_KEY_SPEC_LEN; i++)
		used += snprintf(text + used, SEEN_KEY_SPEC_LEN - used, ":%u",
				 spec->vxlan[i]);
}

static bool is_hex(const char *text)
{
	return text[0] == '0' && text[1] == 'x';
}

static bool is_bytes(const struct seen_key_spec *spec)
{
	return spec->count == 1 && spec->field[0].id == SEEN_FIELD_BYTES;
}

/* The payload of these profiles consists of other bytes than that of a list of the same fields. */
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
		bytes = seen_hex_parse(text, len, key, SEEN_BYTES_MAX);
		if (bytes > 0)
			return bytes;
		return seen_key_fail(error,
				     "bytes: must be 0x and two hex digits for each of 1 to %u bytes: %s",
				     SEEN_BYTES_MAX, text);
	}
	if (!len || len > SEEN_BYTES_MAX)
		return seen_key_fail(error, "bytes: the key has %zu bytes, must have 1 to %u", len,
				     SEEN_BYTES_MAX);
	memcpy(key, text, len);
	return len;
}

/* Is the length that a key states for its payload the true one? */
static bool key_is_whole(uint32_t head, const uint8_t *key, size_t len)
{
	return len >= head && seen_number_get(key + head - 4, 4) == len - head;
}

static int parse_digest(const struct seen_key_spec *spec, const char *text,
			uint8_t *key, char *error)
{
	const char *name = profile_name(spec->profile);
	uint32_t head = fixed_bytes(spec);
	uint32_t most = head + payload_max(payload_of(spec));
	int len;

	if (!is_hex(text))
		return seen_key_fail(error,
				     "%s: as text a key of this profile must be 0x and its bytes in hex digits: %s",
				     name, text);
	if (strlen(text) > 2 + 2 * (size_t)most)
		return seen_key_fail(error,
				     "%s: the key must have at most %u bytes, of which %u are payload",
				     name, most, most - head);
	len = seen_hex_parse(text, strlen(text), key, most);
	if (len < (int)head)
		return seen_key_fail(error,
				     "%s: must be 0x and two hex digits for each of %u to %u bytes: %s",
				     name, head, most, text);
	if (!key_is_whole(head, key, len))
		return seen_key_fail(error,
				     "%s: the key has %u bytes of payload, not the %u that it states: %s",
				     name, len - head,
				     seen_number_get(key + head - 4, 4), text);
	return len;
}

/* A word within a text, not terminated. */
struct word {
	const char *at;
	size_t len;
};

/* Find the next word of @text, and advance @text; false: there are no more words. */
static bool next_word(const char **text, struct word *word)
{
	*text += strspn(*text, SEPARATORS);
	word->at = *text;
	word->len = strcspn(*text, SEPARATORS);
	*text += word->len;
	return word->len;
}

static int parse_field(const struct seen_key_field *field,
		       const struct word *word, uint8_t *to, char *error)
{
	const struct seen_field_kind *kind = seen_field_kind(field->id);
	char text[WORD_LEN];

	if (!kind || !kind->parse)
		return seen_key_fail(error,
				     "field %u: unknown to this version; update libseen",
				     field->id);
	if (word->len >= sizeof(text))
		return seen_key_fail(error, "%s: longer than any value: %.64s...",
				     kind->name, word->at);
	memcpy(text, word->at, word->len);
	text[word->len] = '\0';
	return kind->parse(field, text, to, error);
}

/* Write a payload: its length, then its bytes. */
static int parse_payload(const struct seen_key_field *field,
			 const struct word *word, uint8_t *to, char *error)
{
	uint32_t max = payload_max(field);
	int len = seen_hex_parse(word->at, word->len, to + 4, max);

	if (len < 0)
		return seen_key_fail(error,
				     "payload: must be 0x and two hex digits for each of at most %u bytes: %.*s",
				     max, word->len < 128 ? (int)word->len : 128,
				     word->at);
	seen_number_put(to, 4, len);
	return 4 + len;
}

static int fail_count(const struct seen_key_spec *spec, const char *text,
		      char *error)
{
	char fields[SEEN_KEY_SPEC_LEN];
	struct seen_key_spec list = *spec;

	list.profile = SEEN_KEY_PROFILE_UNSPEC;
	list.inner = false;
	seen_key_spec_format(&list, fields);
	return seen_key_fail(error, "key: must have %u field%s (%s): %s", spec->count,
			     spec->count == 1 ? "" : "s", fields, text);
}

uint32_t seen_key_spec_longest(const struct seen_key_spec *spec)
{
	if (is_bytes(spec))
		return SEEN_KEY_EXACT_MAX;
	return payload_of(spec) ? 0 : fixed_bytes(spec);
}

uint32_t seen_key_spec_prefix(const struct seen_key_spec *spec)
{
	struct seen_key_spec before = *spec;

	for (before.count = 0; before.count < spec->count; before.count++)
		if (seen_field_is_any(&spec->field[before.count]))
			return fixed_bytes(&before) + 1;
	return 0;
}

uint32_t seen_key_spec_head(const struct seen_key_spec *spec)
{
	return payload_of(spec) ? fixed_bytes(spec) : 0;
}

size_t seen_key_room(const char *text)
{
	size_t room = strlen(text) + SEEN_KEY_HEAD_MAX;

	return room < SEEN_KEY_MAX ? room : SEEN_KEY_MAX;
}

int seen_key_parse(const struct seen_key_spec *spec, const char *text,
		   uint8_t *key, char *error)
{
	const struct seen_key_field *payload = payload_of(spec);
	struct word word, last = {};
	const char *rest = text;
	unsigned int i;
	int used, len = 0;

	if (is_bytes(spec))
		return parse_bytes(text, key, error);
	if (is_digest(spec))
		return parse_digest(spec, text, key, error);
	/* Otherwise the second column of a list that was not declared as CSV would be ignored. */
	if (spec->count == 1 && strchr(text, ','))
		return fail_count(spec, text, error);
	for (i = 0; next_word(&rest, &word); i++) {
		if (i == spec->count)
			return fail_count(spec, text, error);
		if (&spec->field[i] == payload) {
			last = word;
			continue;
		}
		used = parse_field(&spec->field[i], &word, key + len, error);
		if (used < 0)
			return -1;
		len += used;
	}
	if (i != spec->count)
		return fail_count(spec, text, error);
	if (!payload)
		return len;
	used = parse_payload(payload, &last, key + len, error);
	return used < 0 ? -1 : len + used;
}

/* Return: false: the key does not fit the fields. */
static bool format_fields(const struct seen_key_spec *spec, const uint8_t *key,
			  size_t len, char *text, size_t size)
{
	size_t head = seen_key_spec_head(spec), fields = head ? head - 4 : len;
	size_t at = 0, done = 0;
	unsigned int i;

	for (i = 0; i < spec->count; i++) {
		const struct seen_key_field *field = &spec->field[i];
		const struct seen_field_kind *kind = seen_field_kind(field->id);
		size_t used = 0;

		if (i && at + 1 < size)
			text[at++] = ',';
		if (field->id == SEEN_FIELD_PAYLOAD)
			seen_hex_format(key + head, len - head, text + at,
					size - at);
		else if (kind && kind->format)
			used = kind->format(field, key + done, fields - done,
					    text + at, size - at);
		if (!used && field->id != SEEN_FIELD_PAYLOAD)
			return false;
		done += used;
		at += strlen(text + at);
	}
	return done == fields;
}

static bool has_text(const struct seen_key_spec *spec, const uint8_t *key,
		     size_t len)
{
	const struct seen_key_field *payload = payload_of(spec);
	uint32_t head = seen_key_spec_head(spec);

	if (!spec->count || is_digest(spec))
		return false;
	return !payload || (key_is_whole(head, key, len) &&
			    len - head <= payload_max(payload));
}

void seen_key_format(const struct seen_key_spec *spec, const uint8_t *key,
		     size_t len, char *text, size_t size)
{
	if (!has_text(spec, key, len) ||
	    !format_fields(spec, key, len, text, size))
		seen_hex_format(key, len, text, size);
}
