// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libseen.h"

/* Parse decimal digits to a number of at most @most; *@end: the first character after them. */
static bool digits(const char *text, const char **end, unsigned long most,
		   unsigned long *number)
{
	char *after;

	if (*text < '0' || *text > '9')
		return false;
	*number = strtoul(text, &after, 10);
	*end = after;
	return *number <= most;
}

bool seen_port_range_parse(struct seen_port_range *range, const char *text)
{
	unsigned long first, last;

	*range = (struct seen_port_range){ 0, UINT16_MAX };
	if (!strcmp(text, "all"))
		return true;
	if (!digits(text, &text, UINT16_MAX, &first))
		return false;
	last = first;
	if (*text == '-' && !digits(text + 1, &text, UINT16_MAX, &last))
		return false;
	range->first = first;
	range->last = last;
	return !*text && first <= last;
}

const char *seen_port_range_text(const struct seen_port_range *range,
				 char text[SEEN_CONDITION_LEN])
{
	if (!range->first && range->last == UINT16_MAX)
		return "all";
	if (range->first == range->last)
		snprintf(text, SEEN_CONDITION_LEN, "%u", range->first);
	else
		snprintf(text, SEEN_CONDITION_LEN, "%u-%u", range->first,
			 range->last);
	return text;
}

bool seen_group_parse(struct seen_group *group, const char *text)
{
	unsigned long bits = 48;
	unsigned int byte[6];
	const char *end;
	int len = 0;

	if (sscanf(text, "%2x:%2x:%2x:%2x:%2x:%2x%n", &byte[0], &byte[1],
		   &byte[2], &byte[3], &byte[4], &byte[5], &len) != 6)
		return false;
	for (int i = 0; i < 6; i++)
		group->addr[i] = byte[i];
	end = text + len;
	if (*end == '/' && !digits(end + 1, &end, 48, &bits))
		return false;
	group->bits = bits;
	for (int i = 0; i < 6; i++)
		if (bits < 8UL * (i + 1))
			group->addr[i] &= bits > 8UL * i ?
					  0xff00 >> (bits - 8 * i) : 0;
	return !*end && bits >= 8 && group->addr[0] & 1;
}

const char *seen_group_text(const struct seen_group *group,
			    char text[SEEN_CONDITION_LEN])
{
	const uint8_t *addr = group->addr;
	int len = snprintf(text, SEEN_CONDITION_LEN,
			   "%02x:%02x:%02x:%02x:%02x:%02x", addr[0], addr[1],
			   addr[2], addr[3], addr[4], addr[5]);

	if (group->bits < 48)
		snprintf(text + len, SEEN_CONDITION_LEN - len, "/%u",
			 group->bits);
	return text;
}

bool seen_prefix_parse(struct seen_prefix *prefix, const char *text)
{
	const char *slash = strchr(text, '/'), *end;
	char address[INET6_ADDRSTRLEN];
	unsigned long len, bits;
	size_t size = slash ? (size_t)(slash - text) : strlen(text);

	if (size >= sizeof(address))
		return false;
	memcpy(address, text, size);
	address[size] = 0;
	prefix->family = strchr(address, ':') ? AF_INET6 : AF_INET;
	bits = prefix->family == AF_INET ? 32 : 128;
	prefix->len = bits;
	if (inet_pton(prefix->family, address, prefix->address) != 1)
		return false;
	if (!slash)
		return true;
	if (!digits(slash + 1, &end, bits, &len) || *end)
		return false;
	prefix->len = len;
	return true;
}

const char *seen_prefix_text(const struct seen_prefix *prefix,
			     char text[SEEN_CONDITION_LEN])
{
	char address[INET6_ADDRSTRLEN];

	inet_ntop(prefix->family, prefix->address, address, sizeof(address));
	snprintf(text, SEEN_CONDITION_LEN, "%s/%u", address, prefix->len);
	return text;
}
