// SPDX-License-Identifier: GPL-2.0
/* Feeds, and keys by their hash. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "reserved.h"

/* Enough for a filter's name, the headers and numbers. */
#define REQUEST_BYTES	192

static struct nl_msg *feed_request(struct seen_client *client, enum seen_cmd cmd,
				   const char *filter, size_t bytes)
{
	struct nl_msg *msg = seen_request(client, cmd, NLM_F_ACK, REQUEST_BYTES + bytes);

	if (msg && nla_put_string(msg, SEEN_A_FEED_FILTER, filter)) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

static int feed_check_name(struct seen_client *client, enum seen_cmd cmd, const char *filter)
{
	return seen_check_name(client, cmd, SEEN_A_FEED_FILTER, filter);
}

static int feed_put_config(struct nl_msg *msg, const struct seen_feed_config *config)
{
	if (config->records)
		NLA_PUT_U32(msg, SEEN_A_FEED_RECORDS, config->records);
	if (config->stale)
		NLA_PUT_U64(msg, SEEN_A_FEED_STALE,
			    config->stale == SEEN_FEED_NEVER ? 0 : config->stale);
	return 0;

nla_put_failure:
	return -NLE_NOMEM;
}

int seen_feed_add(struct seen_client *client, const char *filter,
		  const struct seen_feed_config *config)
{
	const char *fault = config ? seen_feed_fault(config) : NULL;
	struct nl_msg *msg;
	int err;

	if (fault)
		return seen_refuse(client, fault);
	err = feed_check_name(client, SEEN_CMD_FEED_ADD, filter);
	if (err)
		return err;
	msg = feed_request(client, SEEN_CMD_FEED_ADD, filter, 0);
	if (msg && config && feed_put_config(msg, config)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, NULL, NULL);
}

int seen_feed_del(struct seen_client *client, const char *filter)
{
	int err = feed_check_name(client, SEEN_CMD_FEED_DEL, filter);

	return err ? err : seen_transact(client, feed_request(client, SEEN_CMD_FEED_DEL,
							      filter, 0), NULL, NULL);
}

static struct seen_feed_record feed_unpack(const struct nlattr *data, size_t at)
{
	struct seen_packed_record packed;

	memcpy(&packed, (const char *)nla_data(data) + at * sizeof(packed), sizeof(packed));
	return (struct seen_feed_record) {
		.hash = packed.hash,
		.age = packed.age & ~SEEN_RECORD_DELETED,
		.deleted = packed.age & SEEN_RECORD_DELETED,
	};
}

static int feed_parse_records(const struct nlattr *data, struct seen_feed_batch *batch)
{
	size_t count = nla_len(data) / sizeof(struct seen_packed_record);

	if (!count)
		return 0;
	batch->records = calloc(count, sizeof(*batch->records));
	if (!batch->records)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		batch->records[i] = feed_unpack(data, i);
	batch->count = count;
	return 0;
}

static int feed_parse(struct seen_client *client, struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[SEEN_A_FEED_MAX + 1];
	struct seen_feed_batch *batch = context;

	if (genlmsg_parse(nlh, 0, tb, SEEN_A_FEED_MAX, NULL) ||
	    !tb[SEEN_A_FEED_BATCH] || !tb[SEEN_A_FEED_DATA] || batch->records)
		return seen_fail(client, -EPROTO, seen_short_reply);
	batch->number = seen_attr_u64(tb[SEEN_A_FEED_BATCH]);
	batch->lost = seen_attr_u64(tb[SEEN_A_FEED_LOST]);
	batch->pending = seen_attr_u64(tb[SEEN_A_FEED_PENDING]);
	return feed_parse_records(tb[SEEN_A_FEED_DATA], batch);
}

int seen_feed_take(struct seen_client *client, const char *filter, uint64_t done,
		   struct seen_feed_batch *batch)
{
	int err = feed_check_name(client, SEEN_CMD_FEED_GET, filter);
	struct nl_msg *msg;

	memset(batch, 0, sizeof(*batch));
	if (err)
		return err;
	msg = feed_request(client, SEEN_CMD_FEED_GET, filter, 0);
	if (msg && done && nla_put_u64(msg, SEEN_A_FEED_DONE, done)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	err = seen_transact(client, msg, feed_parse, batch);
	if (err)
		seen_feed_batch_free(batch);
	return err;
}

void seen_feed_batch_free(struct seen_feed_batch *batch)
{
	free(batch->records);
	batch->records = NULL;
	batch->count = 0;
}

/* A request for some of the records, and the place of their results. */
struct hashes {
	const struct seen_feed_record *records;
	size_t count;
	const uint64_t *age;
	uint8_t *results;
};

static int hash_put(struct nl_msg *msg, const struct hashes *hashes)
{
	struct seen_packed_record packed;
	struct nlattr *data;

	if (hashes->age)
		NLA_PUT_U64(msg, SEEN_A_FEED_AGE, *hashes->age);
	if (!hashes->count)
		return 0;
	data = nla_reserve(msg, SEEN_A_FEED_DATA, hashes->count * sizeof(packed));
	if (!data)
		return -NLE_NOMEM;
	for (size_t i = 0; i < hashes->count; i++) {
		packed.hash = hashes->records[i].hash;
		packed.age = hashes->records[i].age & ~SEEN_RECORD_DELETED;
		if (hashes->records[i].deleted)
			packed.age |= SEEN_RECORD_DELETED;
		memcpy((char *)nla_data(data) + i * sizeof(packed), &packed, sizeof(packed));
	}
	return 0;

nla_put_failure:
	return -NLE_NOMEM;
}

static int hash_parse(struct seen_client *client, struct nlmsghdr *nlh, void *context)
{
	const struct hashes *hashes = context;
	struct nlattr *tb[SEEN_A_FEED_MAX + 1];

	if (genlmsg_parse(nlh, 0, tb, SEEN_A_FEED_MAX, NULL) ||
	    !tb[SEEN_A_FEED_RESULTS] ||
	    (size_t)nla_len(tb[SEEN_A_FEED_RESULTS]) != hashes->count)
		return seen_fail(client, -EPROTO, seen_short_reply);
	if (hashes->results)
		memcpy(hashes->results, nla_data(tb[SEEN_A_FEED_RESULTS]), hashes->count);
	return 0;
}

static int hash_send(struct seen_client *client, enum seen_cmd cmd, const char *filter,
		     struct hashes *hashes)
{
	struct nl_msg *msg = feed_request(client, cmd, filter, hashes->count *
					  sizeof(struct seen_packed_record));

	if (msg && hash_put(msg, hashes)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return seen_transact(client, msg, hash_parse, hashes);
}

/* The age belongs to all of the news, so the last request has it. */
static int hash_send_all(struct seen_client *client, enum seen_cmd cmd, const char *filter,
			 const struct hashes *all)
{
	int err = feed_check_name(client, cmd, filter);
	struct hashes part;
	size_t done = 0;

	do {
		if (err || (!all->count && !all->age))
			return err;
		part = (struct hashes) {
			.records = all->records + done,
			.count = all->count - done,
			.age = all->age,
			.results = all->results ? all->results + done : NULL,
		};
		if (part.count > SEEN_RECORDS_MAX) {
			part.count = SEEN_RECORDS_MAX;
			part.age = NULL;
		}
		err = hash_send(client, cmd, filter, &part);
		done += part.count;
	} while (done < all->count);
	return err;
}

int seen_hash_add(struct seen_client *client, const char *filter,
		  const struct seen_feed_record *records, size_t count,
		  const uint64_t *age, uint8_t *results)
{
	const struct hashes all = {
		.records = records, .count = count, .age = age, .results = results,
	};

	return hash_send_all(client, SEEN_CMD_HASH_ADD, filter, &all);
}

int seen_hash_del(struct seen_client *client, const char *filter,
		  const struct seen_feed_record *records, size_t count, uint8_t *results)
{
	const struct hashes all = {
		.records = records, .count = count, .results = results,
	};

	return hash_send_all(client, SEEN_CMD_HASH_DEL, filter, &all);
}
