// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "fixture.h"
#include "numbers.h"
#include "state.h"

/**
 * struct writer - a state that is being written, and the filter whose table is read
 * @client: the connection
 * @out: destination
 * @cookie: cookie of the export
 * @next: first unit of the next request
 * @unit: bytes of a unit
 * @map: the filter is a map
 * @list: for a map: its units so far. They are sorted before they are written, because the place
 *        of an entry is not part of the state
 * @count: number of units in @list
 */
struct writer {
	struct seen_client *client;
	FILE *out;
	uint64_t cookie;
	uint64_t next;
	uint32_t unit;
	bool map;
	uint8_t *list;
	size_t count;
};

static void put_bytes(FILE *out, const uint8_t *bytes, int len)
{
	while (len-- > 0)
		fprintf(out, "%02x", *bytes++);
	putc('\n', out);
}

#define ATTR(type)	(UINT64_C(1) << (type))

/* All attributes in their order, except @numbers, which differ each time. */
static void put_stream(FILE *out, const char *what, struct nlattr *head, int len,
		       uint64_t numbers)
{
	struct nlattr *nla;
	int rest;

	nla_for_each_attr(nla, head, len, rest) {
		if (numbers & ATTR(nla_type(nla)))
			continue;
		fprintf(out, "%s %d ", what, nla_type(nla));
		put_bytes(out, nla_data(nla), nla_len(nla));
	}
}

static void put_attrs(FILE *out, const char *what, struct nlmsghdr *nlh, uint64_t numbers)
{
	struct genlmsghdr *gnlh = nlmsg_data(nlh);

	put_stream(out, what, genlmsg_attrdata(gnlh, 0), genlmsg_attrlen(gnlh, 0), numbers);
}

static int tell_filter(struct seen_client *from, struct nlmsghdr *nlh, void *context)
{
	struct nlattr *feed = nlmsg_find_attr(nlh, GENL_HDRLEN, SEEN_A_FILTER_FEED);
	struct writer *writer = context;

	put_attrs(writer->out, "filter", nlh, ATTR(SEEN_A_FILTER_ID) |
		  ATTR(SEEN_A_FILTER_ALLOW_MAP_ID) | ATTR(SEEN_A_FILTER_TABLE_ID) |
		  ATTR(SEEN_A_FILTER_FEED));
	if (feed)
		put_stream(writer->out, "feed", nla_data(feed), nla_len(feed),
			   ATTR(SEEN_A_FEED_AGE));
	return 0;
}

static int tell_guard(struct seen_client *from, struct nlmsghdr *nlh, void *context)
{
	struct writer *writer = context;

	put_attrs(writer->out, "guard", nlh, ATTR(SEEN_A_GUARD_ID) |
		  ATTR(SEEN_A_GUARD_FILTER_ID) | ATTR(SEEN_A_GUARD_IFINDEX));
	return 0;
}

static int tell_port(struct seen_client *from, struct nlmsghdr *nlh, void *context)
{
	struct writer *writer = context;

	put_attrs(writer->out, "port", nlh, ATTR(SEEN_A_PORT_GUARD_ID) |
		  ATTR(SEEN_A_PORT_IFINDEX));
	return 0;
}

static int tell_allowed(const uint8_t *key, size_t len, void *context)
{
	struct writer *writer = context;

	fputs("allowed ", writer->out);
	put_bytes(writer->out, key, len);
	return 0;
}

/* Collects the units that hold a key; the first byte is the key's length, 0 in an empty unit. */
static void collect(struct writer *writer, const uint8_t *units, int len)
{
	const uint8_t *end = units + len;

	for (; units < end; units += writer->unit) {
		if (!units[0])
			continue;
		writer->list = realloc(writer->list,
					(writer->count + 1) * writer->unit);
		if (!writer->list)
			fatal("state");
		memcpy(writer->list + writer->count++ * writer->unit, units,
		       writer->unit);
	}
}

/* By hash and length; no two keys of this test have both in common. */
static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(uint64_t));
}

static void tell_collected(struct writer *writer)
{
	size_t i;

	if (!writer->count)
		return;
	qsort(writer->list, writer->count, writer->unit, compare);
	for (i = 0; i < writer->count; i++) {
		fputs("entry ", writer->out);
		put_bytes(writer->out, writer->list + i * writer->unit,
			  writer->unit);
	}
	free(writer->list);
	writer->list = NULL;
	writer->count = 0;
}

static void tell_data(struct writer *writer, struct nlattr *data)
{
	if (writer->map) {
		collect(writer, nla_data(data), nla_len(data));
		return;
	}
	fputs("units ", writer->out);
	put_bytes(writer->out, nla_data(data), nla_len(data));
}

static int tell_chunk(struct seen_client *from, struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[SEEN_A_FILTER_MAX + 1];
	struct writer *writer = context;

	if (genlmsg_parse(nlh, 0, tb, SEEN_A_FILTER_MAX, NULL))
		return -EBADMSG;
	if (tb[SEEN_A_FILTER_COOKIE])
		writer->cookie = seen_attr_u64(tb[SEEN_A_FILTER_COOKIE]);
	if (tb[SEEN_A_FILTER_UNIT])
		writer->unit = seen_attr_u32(tb[SEEN_A_FILTER_UNIT]);
	if (tb[SEEN_A_FILTER_TYPE])
		writer->map = seen_attr_u32(tb[SEEN_A_FILTER_TYPE]) ==
			       SEEN_TYPE_MAP;
	if (tb[SEEN_A_FILTER_DATA])
		tell_data(writer, tb[SEEN_A_FILTER_DATA]);
	writer->next = seen_attr_u64(tb[SEEN_A_FILTER_NEXT]);
	return 0;
}

static int tell_top(const uint8_t *key, size_t len, uint32_t count, void *context)
{
	struct writer *writer = context;

	fprintf(writer->out, "top %u ", count);
	put_bytes(writer->out, key, len);
	return 0;
}

static void check(struct seen_client *client, int err)
{
	if (!err)
		return;
	fprintf(stderr, "state: %s\n", seen_error(client));
	exit(2);
}

static void dump(struct writer *writer, enum seen_cmd cmd, seen_parse_t tell)
{
	struct nl_msg *msg = seen_request(writer->client, cmd, NLM_F_DUMP, 0);

	check(writer->client, seen_transact(writer->client, msg, tell,
					     writer));
}

/* One request of an export: the first one returns the cookie for the others. */
static void ask_units(struct writer *writer, const char *name)
{
	struct nl_msg *msg = seen_request(writer->client,
					  SEEN_CMD_FILTER_EXPORT, NLM_F_ACK,
					  256);

	if (!msg || nla_put_string(msg, SEEN_A_FILTER_NAME, name) ||
	    (writer->cookie &&
	     (nla_put_u64(msg, SEEN_A_FILTER_COOKIE, writer->cookie) ||
	      nla_put_u64(msg, SEEN_A_FILTER_FROM, writer->next))))
		fatal("export");
	writer->next = 0;
	check(writer->client,
	      seen_transact(writer->client, msg, tell_chunk, writer));
}

static void tell_units(struct writer *writer, const char *name)
{
	writer->cookie = 0;
	writer->next = 0;
	ask_units(writer, name);
	do {
		ask_units(writer, name);
	} while (writer->next);
	tell_collected(writer);
}

char *state_read(struct seen_client *client)
{
	struct writer writer = { .client = client };
	const struct seen_filter_info *info;
	struct seen_filters *list;
	size_t size, i;
	char *text;

	writer.out = open_memstream(&text, &size);
	if (!writer.out)
		fatal("state");
	dump(&writer, SEEN_CMD_FILTER_GET, tell_filter);
	dump(&writer, SEEN_CMD_GUARD_GET, tell_guard);
	dump(&writer, SEEN_CMD_PORT_GET, tell_port);
	check(client, seen_filter_list(client, &list));
	for (i = 0; (info = seen_filters_at(list, i)); i++) {
		const struct seen_filter_config *config = &info->config;

		if (info->missing)
			continue;
		check(client, seen_allow_list(client, config->name,
					      tell_allowed, &writer));
		if (config->top)
			check(client, seen_top_keys(client, config->name,
						    tell_top, &writer));
		if (!config->window || config->window == AGES)
			tell_units(&writer, config->name);
	}
	seen_filters_free(list);
	fclose(writer.out);
	return text;
}

void state_differ(const char *was, const char *is)
{
	const char *from = was, *to = is;

	for (; *was && *was == *is; was++, is++)
		if (*was == '\n') {
			from = was + 1;
			to = is + 1;
		}
	printf("# was: %.*s\n", (int)strcspn(from, "\n"), from);
	printf("#  is: %.*s\n", (int)strcspn(to, "\n"), to);
}
