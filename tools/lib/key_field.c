// SPDX-License-Identifier: GPL-2.0
/* The fields of keys: names, sizes, and conversion to and from text; key_field.h. */
#include <arpa/inet.h>
#include <ctype.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key_field.h"

#define MAC_LEN		6
#define VLAN_NONE	0xffff
#define FRAG_MAX	0xfff8
#define FRAG_MORE	1

static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

static const struct seen_field_word no_vlan[] = {
	{ "none", VLAN_NONE },
	{ NULL, 0 }
};

static const struct seen_field_word ethertypes[] = {
	{ "ipv4", 0x0800 },
	{ "arp", 0x0806 },
	{ "rarp", 0x8035 },
	{ "ipv6", 0x86dd },
	{ "lldp", 0x88cc },
	{ NULL, 0 }
};

static const struct seen_field_word protocols[] = {
	{ "icmp", 1 },
	{ "igmp", 2 },
	{ "ipip", 4 },
	{ "tcp", 6 },
	{ "udp", 17 },
	{ "dccp", 33 },
	{ "ipv6", 41 },
	{ "gre", 47 },
	{ "esp", 50 },
	{ "ah", 51 },
	{ "icmpv6", 58 },
	{ "ipv6-icmp", 58 },
	{ "ospf", 89 },
	{ "pim", 103 },
	{ "vrrp", 112 },
	{ "sctp", 132 },
	{ "udplite", 136 },
	{ NULL, 0 }
};

int seen_key_fail(char *error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, SEEN_KEY_ERROR_LEN, format, args);
	va_end(args);
	return -1;
}

int seen_number_parse(const char *text, uint32_t max, uint32_t *value)
{
	int base = text[0] == '0' && (text[1] | 0x20) == 'x' ? 16 : 10;
	const char *digits = base == 16 ? text + 2 : text;
	unsigned long long number;
	char *end;

	if (!isxdigit((unsigned char)*digits))
		return -1;
	number = strtoull(digits, &end, base);
	if (*end || number > max)
		return -1;
	*value = number;
	return 0;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int seen_hex_parse(const char *text, size_t len, uint8_t *to, size_t max)
{
	size_t bytes = len / 2 - 1;

	if (len < 2 || len % 2 || text[0] != '0' || text[1] != 'x' ||
	    bytes > max)
		return -1;
	for (size_t i = 0; i < bytes; i++) {
		int high = hex_digit(text[2 + 2 * i]);
		int low = hex_digit(text[3 + 2 * i]);

		if (high < 0 || low < 0)
			return -1;
		to[i] = high << 4 | low;
	}
	return bytes;
}

void seen_hex_format(const uint8_t *from, size_t len, char *text, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	snprintf(text, size, "0x");
	for (i = 0; i < len && 2 * i + 5 <= size; i++) {
		text[2 + 2 * i] = digits[from[i] >> 4];
		text[3 + 2 * i] = digits[from[i] & 15];
		text[4 + 2 * i] = '\0';
	}
}

void seen_number_put(uint8_t *to, unsigned int bytes, uint32_t value)
{
	while (bytes--) {
		to[bytes] = value;
		value >>= 8;
	}
}

uint32_t seen_number_get(const uint8_t *from, unsigned int bytes)
{
	uint32_t value = 0;

	while (bytes--)
		value = value << 8 | *from++;
	return value;
}

static const char *word_of(const struct seen_field_word *words, uint32_t value)
{
	for (; words && words->word; words++)
		if (words->value == value)
			return words->word;
	return NULL;
}

static int value_of(const struct seen_field_word *words, const char *word,
		    uint32_t *value)
{
	for (; words && words->word; words++) {
		if (!strcmp(words->word, word)) {
			*value = words->value;
			return 0;
		}
	}
	return -1;
}

static int parse_number(const struct seen_key_field *field, const char *text,
			uint8_t *to, char *error)
{
	const struct seen_field_kind *kind = seen_field_kind(field->id);
	uint32_t value;

	if (value_of(kind->words, text, &value) &&
	    seen_number_parse(text, kind->max, &value))
		return seen_key_fail(error, "%s: must be 0 to %u%s: %s",
				     kind->name, kind->max,
				     kind->words ? " or a known name" : "",
				     text);
	seen_number_put(to, kind->bytes, value);
	return kind->bytes;
}

static size_t format_number(const struct seen_key_field *field,
			    const uint8_t *from, size_t len, char *text,
			    size_t size)
{
	const struct seen_field_kind *kind = seen_field_kind(field->id);
	const char *word;
	uint32_t value;

	if (len < kind->bytes)
		return 0;
	value = seen_number_get(from, kind->bytes);
	word = word_of(kind->words, value);
	if (word)
		snprintf(text, size, "%s", word);
	else
		snprintf(text, size, kind->hex ? "0x%04x" : "%u", value);
	return kind->bytes;
}

/* An interface, by index, or by name in this network namespace. */
static int parse_iif(const struct seen_key_field *field, const char *text,
		     uint8_t *to, char *error)
{
	uint32_t index = if_nametoindex(text);

	if (!index)
		return parse_number(field, text, to, error);
	seen_number_put(to, sizeof(index), index);
	return sizeof(index);
}

/* An offset in bytes, followed by + if more fragments follow. */
static int parse_frag(const struct seen_key_field *field, const char *text,
		      uint8_t *to, char *error)
{
	size_t len = strcspn(text, "+");
	bool more = !strcmp(text + len, "+");
	uint32_t value;
	char offset[8];

	(void)field;
	snprintf(offset, sizeof(offset), "%.*s", (int)len, text);
	if (len >= sizeof(offset) || (text[len] && !more) ||
	    seen_number_parse(offset, FRAG_MAX, &value) || value % 8)
		return seen_key_fail(error,
				     "frag: must be a multiple of 8 up to %u, with + if more fragments follow: %s",
				     FRAG_MAX, text);
	seen_number_put(to, 2, value | (more ? FRAG_MORE : 0));
	return 2;
}

static size_t format_frag(const struct seen_key_field *field,
			  const uint8_t *from, size_t len, char *text,
			  size_t size)
{
	uint32_t value;

	(void)field;
	if (len < 2)
		return 0;
	value = seen_number_get(from, 2);
	snprintf(text, size, "%u%s", value & FRAG_MAX,
		 value & FRAG_MORE ? "+" : "");
	return 2;
}

static int parse_mac(const struct seen_key_field *field, const char *text,
		     uint8_t *to, char *error)
{
	const char *at = text;
	unsigned int i;

	for (i = 0; i < MAC_LEN; i++, at += 2) {
		int high, low;

		if (i && *at != ':' && *at != '-')
			break;
		at += !!i;
		high = hex_digit(at[0]);
		low = high < 0 ? -1 : hex_digit(at[1]);
		if (low < 0)
			break;
		to[i] = high << 4 | low;
	}
	if (i < MAC_LEN || *at)
		return seen_key_fail(error, "%s: not a MAC address: %s",
				     seen_field_kind(field->id)->name, text);
	return MAC_LEN;
}

static size_t format_mac(const struct seen_key_field *field,
			 const uint8_t *from, size_t len, char *text,
			 size_t size)
{
	(void)field;
	if (len < MAC_LEN)
		return 0;
	snprintf(text, size, "%02x:%02x:%02x:%02x:%02x:%02x", from[0], from[1],
		 from[2], from[3], from[4], from[5]);
	return MAC_LEN;
}

static void mask(uint8_t *addr, unsigned int bits)
{
	unsigned int i;

	for (i = 0; i < sizeof(struct in6_addr); i++) {
		unsigned int keep = bits < 8 ? bits : 8;

		addr[i] &= 0xff00 >> keep;
		bits -= keep;
	}
}

/* The key's prefix length for addresses of @bits; 0: whole addresses. */
static unsigned int key_field_prefix_of(const struct seen_key_field *field,
					unsigned int bits)
{
	return bits == SEEN_PREFIX4_MAX ? field->param : field->param6;
}

/* Number of bits that the key keeps of an address of @bits. */
static unsigned int kept(const struct seen_key_field *field, unsigned int bits)
{
	unsigned int prefix = key_field_prefix_of(field, bits);

	return prefix && prefix < bits ? prefix : bits;
}

bool seen_field_is_any(const struct seen_key_field *field)
{
	return (field->id == SEEN_FIELD_SRC || field->id == SEEN_FIELD_DST) &&
	       field->param == SEEN_PREFIX_ANY;
}

/**
 * struct address - an address as text
 * @text: all of it
 * @prefix: the prefix length in @text, or NULL
 * @bits: of the address family; an IPv4-mapped address is IPv4
 * @before: number to subtract from a written prefix length: 96 for the text ::ffff:a.b.c.d
 */
struct address {
	const char *text;
	const char *prefix;
	unsigned int bits;
	unsigned int before;
};

/* Parse the written prefix length, as a length in the address family. */
static int parse_given(const struct seen_key_field *field,
		       const struct address *address, unsigned int least,
		       uint32_t *given, char *error)
{
	unsigned int most = address->before + address->bits;
	const char *name = seen_field_kind(field->id)->name;
	bool number;

	*given = address->bits;
	if (!address->prefix)
		return 0;
	number = !seen_number_parse(address->prefix, most, given);
	if (number && *given < address->before)
		return seen_key_fail(error,
				     "%s: prefix length of an IPv4-mapped address must be %u or more: %s",
				     name, address->before, address->text);
	*given -= address->before;
	if (number && *given >= least)
		return 0;
	return seen_key_fail(error, "%s: prefix length must be %u to %u: %s",
			     name, address->before + least, most,
			     address->text);
}

/* A prefix of any length; without a length, the whole address. */
static int parse_any(const struct seen_key_field *field,
		     const struct address *address, uint8_t *to, char *error)
{
	uint32_t given;

	if (parse_given(field, address, 1, &given, error))
		return -1;
	given += SEEN_PREFIX6_MAX - address->bits;
	mask(to, given);
	to[sizeof(struct in6_addr)] = given;
	return sizeof(struct in6_addr) + 1;
}

/* If a prefix length is written, it must be that of the key. */
static int check_prefix(const struct seen_key_field *field,
			const struct address *address, char *error)
{
	const char *name = seen_field_kind(field->id)->name;
	unsigned int bits = address->bits;
	uint32_t given;

	if (parse_given(field, address, 0, &given, error))
		return -1;
	if (!address->prefix || given == kept(field, bits))
		return 0;
	if (key_field_prefix_of(field, bits))
		return seen_key_fail(error,
				     "%s: the key's prefix length is %u: %s",
				     name, address->before + kept(field, bits),
				     address->text);
	return seen_key_fail(error,
			     "%s: the key is a whole address, not a prefix: %s",
			     name, address->text);
}

/* The text of an IPv4-mapped address has a prefix length of IPv6, up to 128. */
static struct address address_of(const char *text, const uint8_t *key)
{
	struct address address = { .text = text, .bits = SEEN_PREFIX6_MAX };
	const char *slash = strchr(text, '/');

	address.prefix = slash ? slash + 1 : NULL;
	if (memcmp(key, mapped, sizeof(mapped)))
		return address;
	address.bits = SEEN_PREFIX4_MAX;
	if (strchr(text, ':'))
		address.before = SEEN_PREFIX6_MAX - SEEN_PREFIX4_MAX;
	return address;
}

static int parse_addr(const struct seen_key_field *field, const char *text,
		      uint8_t *to, char *error)
{
	size_t len = strcspn(text, "/");
	char addr[INET6_ADDRSTRLEN];
	struct address address;

	snprintf(addr, sizeof(addr), "%.*s", (int)len, text);
	memcpy(to, mapped, sizeof(mapped));
	if (len >= sizeof(addr) ||
	    (inet_pton(AF_INET, addr, to + sizeof(mapped)) != 1 &&
	     inet_pton(AF_INET6, addr, to) != 1))
		return seen_key_fail(error,
				     "%s: not an IPv4 or IPv6 address: %s",
				     seen_field_kind(field->id)->name, text);
	address = address_of(text, to);
	if (seen_field_is_any(field))
		return parse_any(field, &address, to, error);
	if (check_prefix(field, &address, error))
		return -1;
	mask(to, SEEN_PREFIX6_MAX - address.bits + kept(field, address.bits));
	return sizeof(struct in6_addr);
}

/* Write a whole address without a length, as other tools expect it. */
static size_t format_any(const uint8_t *from, size_t len, char *text, size_t size)
{
	bool v4 = !memcmp(from, mapped, sizeof(mapped));
	unsigned int bits = len > sizeof(struct in6_addr) ?
			    from[sizeof(struct in6_addr)] : 0;
	char addr[INET6_ADDRSTRLEN];

	if (!bits || bits > SEEN_PREFIX6_MAX)
		return 0;
	v4 = v4 && bits > SEEN_PREFIX6_MAX - SEEN_PREFIX4_MAX;
	inet_ntop(v4 ? AF_INET : AF_INET6, v4 ? from + sizeof(mapped) : from,
		  addr, sizeof(addr));
	if (bits == SEEN_PREFIX6_MAX)
		snprintf(text, size, "%s", addr);
	else
		snprintf(text, size, "%s/%u", addr, v4 ?
			 bits - SEEN_PREFIX6_MAX + SEEN_PREFIX4_MAX : bits);
	return sizeof(struct in6_addr) + 1;
}

static size_t format_addr(const struct seen_key_field *field,
			  const uint8_t *from, size_t len, char *text,
			  size_t size)
{
	bool v4 = len >= sizeof(mapped) && !memcmp(from, mapped, sizeof(mapped));
	unsigned int bits = v4 ? SEEN_PREFIX4_MAX : SEEN_PREFIX6_MAX;
	char addr[INET6_ADDRSTRLEN];

	if (len < sizeof(struct in6_addr))
		return 0;
	if (seen_field_is_any(field))
		return format_any(from, len, text, size);
	if (v4)
		inet_ntop(AF_INET, from + sizeof(mapped), addr, sizeof(addr));
	else
		inet_ntop(AF_INET6, from, addr, sizeof(addr));
	if (key_field_prefix_of(field, bits))
		snprintf(text, size, "%s/%u", addr, kept(field, bits));
	else
		snprintf(text, size, "%s", addr);
	return sizeof(struct in6_addr);
}

#define NUMBER(_name, _bytes, _max, ...) { .name = _name, .bytes = _bytes, \
	.max = _max, .parse = parse_number, .format = format_number, \
	__VA_ARGS__ }
#define KIND(_name, _bytes, _kind) { .name = _name, .bytes = _bytes, \
	.parse = parse_##_kind, .format = format_##_kind }

static const struct seen_field_kind kinds[] = {
	[SEEN_FIELD_SMAC]	= KIND("smac", MAC_LEN, mac),
	[SEEN_FIELD_DMAC]	= KIND("dmac", MAC_LEN, mac),
	[SEEN_FIELD_VLAN]	= NUMBER("vlan", 2, 4095, .words = no_vlan),
	[SEEN_FIELD_ETHERTYPE]	= NUMBER("ethertype", 2, 0xffff, .hex = true,
					 .words = ethertypes),
	[SEEN_FIELD_SRC]	= KIND("src", 16, addr),
	[SEEN_FIELD_DST]	= KIND("dst", 16, addr),
	[SEEN_FIELD_PROTO]	= NUMBER("proto", 1, 0xff, .words = protocols),
	[SEEN_FIELD_TTL]	= NUMBER("ttl", 1, 0xff),
	[SEEN_FIELD_DSCP]	= NUMBER("dscp", 1, 63),
	[SEEN_FIELD_IPID]	= NUMBER("ipid", 4, UINT32_MAX),
	[SEEN_FIELD_FRAG]	= KIND("frag", 2, frag),
	[SEEN_FIELD_SPORT]	= NUMBER("sport", 2, 0xffff),
	[SEEN_FIELD_DPORT]	= NUMBER("dport", 2, 0xffff),
	[SEEN_FIELD_TCPSEQ]	= NUMBER("tcpseq", 4, UINT32_MAX),
	[SEEN_FIELD_PAYLOAD]	= { .name = "payload", .bytes = 4 },
	[SEEN_FIELD_LEN]	= NUMBER("len", 4, UINT32_MAX),
	[SEEN_FIELD_IIF]	= { .name = "iif", .bytes = 4,
				    .max = UINT32_MAX, .parse = parse_iif,
				    .format = format_number },
	[SEEN_FIELD_BYTES]	= { .name = "bytes" },
	[SEEN_FIELD_ID]		= NUMBER("id", 4, UINT32_MAX),
};

const struct seen_field_kind *seen_field_kind(uint32_t id)
{
	if (id > SEEN_FIELD_MAX || !kinds[id].name)
		return NULL;
	return &kinds[id];
}

uint32_t seen_field_find(const char *name, size_t len)
{
	uint32_t id;

	for (id = 1; id <= SEEN_FIELD_MAX; id++)
		if (strlen(kinds[id].name) == len &&
		    !memcmp(kinds[id].name, name, len))
			return id;
	return SEEN_FIELD_UNSPEC;
}
