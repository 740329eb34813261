// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"

void seen_attr_bytes(const struct nlattr *attr, void *bytes, size_t size)
{
	memset(bytes, 0, size);
	if (attr && (size_t)nla_len(attr) >= size)
		memcpy(bytes, nla_data(attr), size);
}

uint8_t seen_attr_u8(const struct nlattr *attr)
{
	uint8_t value;

	seen_attr_bytes(attr, &value, sizeof(value));
	return value;
}

uint16_t seen_attr_u16(const struct nlattr *attr)
{
	uint16_t value;

	seen_attr_bytes(attr, &value, sizeof(value));
	return value;
}

uint32_t seen_attr_u32(const struct nlattr *attr)
{
	uint32_t value;

	seen_attr_bytes(attr, &value, sizeof(value));
	return value;
}

uint64_t seen_attr_u64(const struct nlattr *attr)
{
	uint64_t value;

	seen_attr_bytes(attr, &value, sizeof(value));
	return value;
}

void seen_attr_text(const struct nlattr *attr, char *text, size_t size)
{
	text[0] = '\0';
	if (attr)
		snprintf(text, size, "%.*s", nla_len(attr),
			 (const char *)nla_data(attr));
}

void seen_attr_name(struct seen_client *client, const struct nlattr *attr, char *name,
		    size_t size)
{
	size_t len = attr ? strnlen(nla_data(attr), nla_len(attr)) : 0;

	if (seen_fits(client, "bytes of a name", len, size))
		seen_attr_text(attr, name, size);
}

void seen_dup_parse(struct seen_client *client, struct nlattr *nest,
		    struct seen_dup_info *dup)
{
	struct nlattr *tb[SEEN_A_DUP_MAX + 1];

	memset(dup, 0, sizeof(*dup));
	if (nla_parse_nested(tb, SEEN_A_DUP_MAX, nest, NULL))
		return;
	seen_attr_bytes(tb[SEEN_A_DUP_SMAC], dup->smac, sizeof(dup->smac));
	seen_attr_bytes(tb[SEEN_A_DUP_DMAC], dup->dmac, sizeof(dup->dmac));
	dup->tagged = tb[SEEN_A_DUP_VLAN];
	dup->vlan = seen_attr_u16(tb[SEEN_A_DUP_VLAN]);
	dup->ethertype = seen_attr_u16(tb[SEEN_A_DUP_ETHERTYPE]);
	dup->age = seen_attr_u64(tb[SEEN_A_DUP_AGE]);
	seen_attr_name(client, tb[SEEN_A_DUP_PORT], dup->port, sizeof(dup->port));
	seen_attr_name(client, tb[SEEN_A_DUP_FIRST_PORT], dup->first,
		       sizeof(dup->first));
}

void seen_finding_parse(struct seen_client *client, struct nlattr *nest,
			struct seen_finding_info *finding)
{
	struct nlattr *tb[SEEN_A_FINDING_MAX + 1];

	memset(finding, 0, sizeof(*finding));
	if (nla_parse_nested(tb, SEEN_A_FINDING_MAX, nest, NULL))
		return;
	finding->kind = seen_attr_u32(tb[SEEN_A_FINDING_KIND]);
	finding->vlan = seen_attr_u16(tb[SEEN_A_FINDING_VLAN]);
	finding->into = seen_attr_u16(tb[SEEN_A_FINDING_INTO]);
	finding->nodes = seen_attr_u16(tb[SEEN_A_FINDING_NODES]);
	finding->count = seen_attr_u64(tb[SEEN_A_FINDING_COUNT]);
	finding->age = seen_attr_u64(tb[SEEN_A_FINDING_AGE]);
	seen_attr_name(client, tb[SEEN_A_FINDING_PORT], finding->port,
		       sizeof(finding->port));
	seen_attr_name(client, tb[SEEN_A_FINDING_OTHER], finding->other,
		       sizeof(finding->other));
}

void *seen_grow(void **list, size_t *count, size_t size)
{
	char *grown = reallocarray(*list, *count + 1, size);

	if (!grown)
		return NULL;
	*list = grown;
	return memset(grown + size * (*count)++, 0, size);
}
