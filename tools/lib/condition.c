// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "condition.h"
#include "libseen.h"

/* Parse decimal digits; *@end: the first character after them. false: no digit. */
static bool digits_any(const char *text, const char **end, unsigned long *number)
{
	char *after;

	if (*text < '0' || *text > '9')
		return false;
	*number = strtoul(text, &after, 10);
	*end = after;
	return true;
}

/* The same, for a number of at most @most. */
static bool digits(const char *text, const char **end, unsigned long most,
		   unsigned long *number)
{
	return digits_any(text, end, number) && *number <= most;
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

const char *seen_port_range_fault(const char *text)
{
	unsigned long first, last;

	if (!digits_any(text, &text, &first))
		return NULL;
	last = first;
	if (*text == '-' && !digits_any(text + 1, &text, &last))
		return NULL;
	if (*text)
		return NULL;
	return first > UINT16_MAX || last > UINT16_MAX ?
	       "must be 0 to 65535" : "first must not be greater than last";
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

/* Copy @text up to the prefix length. false: no length, or @text is too long. */
static bool without_length(char *to, size_t size, const char *text)
{
	const char *slash = strchr(text, '/'), *end;
	unsigned long bits;

	if (!slash || (size_t)(slash - text) >= size ||
	    !digits_any(slash + 1, &end, &bits) || *end)
		return false;
	memcpy(to, text, slash - text);
	to[slash - text] = '\0';
	return true;
}

const char *seen_group_fault(const char *text)
{
	char address[SEEN_CONDITION_LEN];
	struct seen_group group;

	return without_length(address, sizeof(address), text) &&
	       seen_group_parse(&group, address) ?
	       "prefix length must be 8 to 48" : NULL;
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

const char *seen_prefix_fault(const char *text)
{
	char address[INET6_ADDRSTRLEN];
	struct seen_prefix prefix;

	if (!without_length(address, sizeof(address), text) ||
	    !seen_prefix_parse(&prefix, address))
		return NULL;
	return prefix.family == AF_INET ? "prefix length must be 0 to 32" :
					  "prefix length must be 0 to 128";
}

const char *seen_prefix_text(const struct seen_prefix *prefix,
			     char text[SEEN_CONDITION_LEN])
{
	char address[INET6_ADDRSTRLEN];

	inet_ntop(prefix->family, prefix->address, address, sizeof(address));
	snprintf(text, SEEN_CONDITION_LEN, "%s/%u", address, prefix->len);
	return text;
}
