// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libseen.h"

/* Decimal digits alone, from 0 to @most; what follows them is *@end. */
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
