// SPDX-License-Identifier: GPL-2.0
/* Transfer of tables from and to the kernel, one chunk in each request. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "local.h"
#include "number.h"
#include "snapshot_in.h"
#include "snapshot_out.h"

/* How often an export is tried. */
#define TRIES		16
/* Enough for the configuration of a filter, and its geometry. */
#define REQUEST_BYTES	2048
/* Enough for headers and padding around a key, whose record has at least 3 bytes. */
#define TOP_KEY_FACTOR	4

/**
 * struct transfer - an export or an import
 * @client: the connection
 * @table: the table
 * @out: target of an export
 * @in: source of an import
 * @failed: error of @out or @in
 * @cookie: of the transfer
 * @next: first unit of the next chunk; 0: no more chunks
 * @unit: bytes of a unit
 */
struct transfer {
	struct seen_client *client;
	struct seen_table *table;
	struct seen_snapshot_out *out;
	struct seen_snapshot_in *in;
	int failed;
	uint64_t cookie;
	uint64_t next;
	uint32_t unit;
};

/* Drop a message whose attributes did not fit. */
static struct nl_msg *table_drop(struct nl_msg *msg)
{
	nlmsg_free(msg);
	return NULL;
}

/* Parse the reply that begins an export: the configuration, and the cookie. */
static int parse_head(struct seen_client *client, struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[SEEN_A_FILTER_MAX + 1], *secret;
	struct transfer *transfer = context;
	struct seen_table *table = transfer->table;
	int err = seen_filter_parse(client, nlh, &table->info, tb);

	if (err)
		return err;
	secret = tb[SEEN_A_FILTER_SECRET];
	table->info.config.has_secret = secret;
	seen_attr_bytes(secret, table->info.config.secret, SEEN_SECRET_LEN);
	table->span = seen_attr_u64(tb[SEEN_A_FILTER_SPAN]);
	table->check = seen_attr_u64(tb[SEEN_A_FILTER_SECRET_CHECK]);
	transfer->cookie = seen_attr_u64(tb[SEEN_A_FILTER_COOKIE]);
	transfer->unit = seen_attr_u32(tb[SEEN_A_FILTER_UNIT]);
	return 0;
}

static int begin_export(struct transfer *transfer, const char *name,
			bool with_secret)
{
	struct nl_msg *msg = seen_request(transfer->client,
					  SEEN_CMD_FILTER_EXPORT, NLM_F_ACK,
					  REQUEST_BYTES);

	if (msg && (nla_put_string(msg, SEEN_A_FILTER_NAME, name) ||
		    (with_secret &&
		     nla_put_flag(msg, SEEN_A_FILTER_WITH_SECRET))))
		msg = table_drop(msg);
	return seen_transact(transfer->client, msg, parse_head, transfer);
}

static int parse_chunk(struct seen_client *client, struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[SEEN_A_FILTER_MAX + 1], *data;
	struct transfer *transfer = context;
	struct seen_table *table = transfer->table;

	(void)client;
	if (genlmsg_parse(nlh, 0, tb, SEEN_A_FILTER_MAX, NULL))
		return -EPROTO;
	data = tb[SEEN_A_FILTER_DATA];
	transfer->next = seen_attr_u64(tb[SEEN_A_FILTER_NEXT]);
	table->age = seen_attr_u64(tb[SEEN_A_FILTER_AGE]);
	if (!data || !nla_len(data) || nla_len(data) > SEEN_CHUNK_MAX)
		return -EPROTO;
	transfer->failed = seen_snapshot_out_put(transfer->out, nla_data(data),
						 nla_len(data));
	return transfer->failed;
}

int seen_fail_file(struct seen_client *client, int err, const char *name)
{
	const char *error = seen_local_error();

	if (!name)
		return seen_fail(client, err, error);
	snprintf(client->error, sizeof(client->error), "%.*s: %s",
		 (int)(sizeof(client->error) / 2), name, error);
	return err;
}

/* @err: may be SEEN_SNAPSHOT_AGAIN, which is not an error */
static int fail_file(struct transfer *transfer, int err)
{
	const char *name = transfer->in ? transfer->in->name : transfer->out->name;

	transfer->failed = err;
	return err < 0 ? seen_fail_file(transfer->client, err, name) : err;
}

static int get_chunk(struct transfer *transfer, const char *name)
{
	struct nl_msg *msg = seen_request(transfer->client,
					  SEEN_CMD_FILTER_EXPORT, NLM_F_ACK,
					  REQUEST_BYTES);
	int err;

	if (msg && (nla_put_string(msg, SEEN_A_FILTER_NAME, name) ||
		    nla_put_u64(msg, SEEN_A_FILTER_COOKIE, transfer->cookie) ||
		    nla_put_u64(msg, SEEN_A_FILTER_FROM, transfer->next)))
		msg = table_drop(msg);
	/* No next chunk, unless the reply sets it. */
	transfer->next = 0;
	err = seen_transact(transfer->client, msg, parse_chunk, transfer);
	return transfer->failed ? fail_file(transfer, transfer->failed) : err;
}

/* Append a key. The kernel's list has at most 1024 keys of 48 bytes. */
static int add_top(const uint8_t *key, size_t len, uint32_t count, void *context)
{
	struct seen_table *table = context;
	uint8_t *top = realloc(table->top, table->top_bytes + 2 + len);

	(void)count;
	if (!top)
		return -ENOMEM;
	number_put(top + table->top_bytes, 2, len);
	memcpy(top + table->top_bytes + 2, key, len);
	table->top = top;
	table->top_bytes += 2 + len;
	return 0;
}

/* Read the list of heaviest keys. Keys that enter the list later are not exported. */
static int get_top(struct transfer *transfer, const char *name)
{
	struct seen_table *table = transfer->table;

	free(table->top);
	table->top = NULL;
	table->top_bytes = 0;
	return table->info.config.top ?
	       seen_top_keys(transfer->client, name, add_top, table) : 0;
}

/* Return: 0, -errno, or SEEN_SNAPSHOT_AGAIN. */
static int try_export(struct transfer *transfer, const char *name,
		      bool with_secret)
{
	int err;

	transfer->failed = 0;
	transfer->next = 0;
	err = begin_export(transfer, name, with_secret);
	if (!err)
		err = get_top(transfer, name);
	if (err)
		return err;
	err = seen_snapshot_out_begin(transfer->out, transfer->table);
	if (err)
		return fail_file(transfer, err);
	do {
		err = get_chunk(transfer, name);
	} while (!err && transfer->next);
	if (err)
		return err;
	err = seen_snapshot_out_end(transfer->out, transfer->table);
	return err ? fail_file(transfer, err) : 0;
}

static int fail_tries(struct seen_client *client)
{
	snprintf(client->error, sizeof(client->error),
		 "the filter changes faster than it can be exported (%d tries); try again",
		 TRIES);
	return -EAGAIN;
}

int seen_table_get(struct seen_client *client, const char *name,
		   bool with_secret, struct seen_snapshot_out *out)
{
	struct seen_table table = {};
	struct transfer transfer = {
		.client = client, .table = &table, .out = out,
	};
	int err = -ESTALE;

	for (int i = 0; i < TRIES && !transfer.failed && err == -ESTALE; i++)
		do {
			err = try_export(&transfer, name, with_secret);
		} while (err == SEEN_SNAPSHOT_AGAIN);
	seen_table_free(&table);
	return err == -ESTALE && !transfer.failed ? fail_tries(client) : err;
}

int seen_filter_secret(struct seen_client *client, const char *name,
		       uint8_t *secret)
{
	struct seen_table table = {};
	struct transfer transfer = { .client = client, .table = &table };
	int err = seen_check_name(client, SEEN_CMD_FILTER_EXPORT, SEEN_A_FILTER_NAME, name);

	if (!err)
		err = begin_export(&transfer, name, true);
	if (!err && !table.info.config.has_secret)
		err = seen_fail(client, -EPROTO, seen_short_reply);
	if (!err)
		memcpy(secret, table.info.config.secret, SEEN_SECRET_LEN);
	explicit_bzero(&table, sizeof(table));
	return err;
}

static int table_put_geometry(struct nl_msg *msg,
			      const struct seen_table *table)
{
	const struct seen_filter_info *info = &table->info;

	NLA_PUT_U32(msg, SEEN_A_FILTER_HASHES, info->hashes);
	NLA_PUT_U64(msg, SEEN_A_FILTER_BLOCKS, info->blocks);
	if (info->tick)
		NLA_PUT_U64(msg, SEEN_A_FILTER_TICK, info->tick);
	if (info->ticks)
		NLA_PUT_U32(msg, SEEN_A_FILTER_TICKS, info->ticks);
	if (info->fold > 1) {
		NLA_PUT_U32(msg, SEEN_A_FILTER_FOLD, info->fold);
		NLA_PUT_U64(msg, SEEN_A_FILTER_SPAN, table->span);
	}
	if (info->lengths && seen_filter_put_lengths(msg, info))
		return -NLE_NOMEM;
	NLA_PUT_U64(msg, SEEN_A_FILTER_SECRET_CHECK, table->check);
	NLA_PUT_U64(msg, SEEN_A_FILTER_AGE, table->age);
	return 0;

nla_put_failure:
	return -NLE_NOMEM;
}

static int parse_begun(struct seen_client *client, struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[SEEN_A_FILTER_MAX + 1];
	struct transfer *transfer = context;

	(void)client;
	if (genlmsg_parse(nlh, 0, tb, SEEN_A_FILTER_MAX, NULL))
		return -EPROTO;
	transfer->cookie = seen_attr_u64(tb[SEEN_A_FILTER_COOKIE]);
	transfer->unit = seen_attr_u32(tb[SEEN_A_FILTER_UNIT]);
	return transfer->unit && transfer->unit <= SEEN_CHUNK_MAX ? 0 : -EPROTO;
}

static int begin_import(struct transfer *transfer, bool replace)
{
	const struct seen_table *table = transfer->table;
	struct nl_msg *msg = seen_request(transfer->client,
					  SEEN_CMD_FILTER_IMPORT, NLM_F_ACK,
					  REQUEST_BYTES);

	if (msg && (seen_filter_config_put(msg, &table->info.config) ||
		    table_put_geometry(msg, table) ||
		    (replace && nla_put_flag(msg, SEEN_A_FILTER_REPLACE))))
		msg = table_drop(msg);
	return seen_transact(transfer->client, msg, parse_begun, transfer);
}

/* Read the file's bytes directly into the message. */
static int put_data(struct transfer *transfer, struct nl_msg *msg, size_t bytes)
{
	struct nlattr *data = nla_reserve(msg, SEEN_A_FILTER_DATA, bytes);

	if (!data)
		return -NLE_NOMEM;
	transfer->failed = seen_snapshot_in_get(transfer->in, nla_data(data),
						bytes);
	return transfer->failed;
}

static int put_chunk(struct transfer *transfer, size_t bytes)
{
	struct nl_msg *msg = seen_request(transfer->client,
					  SEEN_CMD_FILTER_IMPORT, NLM_F_ACK,
					  REQUEST_BYTES + bytes);

	if (msg && (nla_put_u64(msg, SEEN_A_FILTER_COOKIE, transfer->cookie) ||
		    nla_put_u64(msg, SEEN_A_FILTER_FROM, transfer->next) ||
		    put_data(transfer, msg, bytes)))
		msg = table_drop(msg);
	return transfer->failed ? transfer->failed :
	       seen_transact(transfer->client, msg, NULL, NULL);
}

static struct nl_msg *end_request(struct transfer *transfer)
{
	struct nl_msg *msg = seen_request(transfer->client,
					  SEEN_CMD_FILTER_IMPORT, NLM_F_ACK,
					  REQUEST_BYTES);

	return !msg || nla_put_u64(msg, SEEN_A_FILTER_COOKIE, transfer->cookie) ?
	       table_drop(msg) : msg;
}

static int commit(struct transfer *transfer)
{
	struct nl_msg *msg = end_request(transfer);
	uint64_t total = transfer->table->info.total;

	if (msg && (nla_put_flag(msg, SEEN_A_FILTER_COMMIT) ||
		    (total && nla_put_u64(msg, SEEN_A_FILTER_TOTAL, total))))
		msg = table_drop(msg);
	return seen_transact(transfer->client, msg, NULL, NULL);
}

static int put_top_keys(struct nl_msg *msg, const struct seen_table *table)
{
	struct nlattr *nest;
	size_t at, len;

	for (at = 0; at < table->top_bytes; at += 2 + len) {
		len = number_get(table->top + at, 2);
		nest = nla_nest_start(msg, SEEN_A_FILTER_TOP_KEY);
		if (!nest || nla_put(msg, SEEN_A_ENTRY_KEY, len, table->top + at + 2))
			return -NLE_NOMEM;
		nla_nest_end(msg, nest);
	}
	return 0;
}

static int put_top(struct transfer *transfer)
{
	const struct seen_table *table = transfer->table;
	struct nl_msg *msg;

	if (!table->top_bytes)
		return 0;
	msg = seen_request(transfer->client, SEEN_CMD_FILTER_IMPORT, NLM_F_ACK,
			   REQUEST_BYTES + TOP_KEY_FACTOR * table->top_bytes);
	if (msg && (nla_put_u64(msg, SEEN_A_FILTER_COOKIE, transfer->cookie) ||
		    put_top_keys(msg, table)))
		msg = table_drop(msg);
	return seen_transact(transfer->client, msg, NULL, NULL);
}

/* Abort the import by a request without data and commit. Returns @err. */
static int give_up(struct transfer *transfer, int err)
{
	struct seen_client *client = transfer->client;
	char text[sizeof(client->error)];

	strcpy(text, client->error);
	seen_transact(client, end_request(transfer), NULL, NULL);
	return seen_fail(client, err, text);
}

/* If the kernel reports damaged data, check the file's checksum, which is the better reason. */
static int import_all(struct transfer *transfer)
{
	size_t left = transfer->table->bytes, bytes;
	size_t most = SEEN_CHUNK_MAX / transfer->unit * transfer->unit;
	int err = 0;

	for (; !err && left; left -= bytes) {
		bytes = left < most ? left : most;
		err = put_chunk(transfer, bytes);
		transfer->next += bytes / transfer->unit;
	}
	if (!err)
		transfer->failed = seen_snapshot_in_end(transfer->in);
	else if (!transfer->failed && err == -EBADMSG)
		transfer->failed = seen_snapshot_in_check(transfer->in);
	return transfer->failed ? fail_file(transfer, transfer->failed) : err;
}

static int table_import(struct transfer *transfer, bool replace)
{
	int err = begin_import(transfer, replace);

	if (err)
		return err;
	if (!transfer->unit)
		return seen_fail(transfer->client, -EPROTO, strerror(EPROTO));
	err = import_all(transfer);
	if (!err)
		err = put_top(transfer);
	return err ? give_up(transfer, err) : commit(transfer);
}

int seen_table_put(struct seen_client *client, const struct seen_table *table,
		   struct seen_snapshot_in *in, bool replace)
{
	struct transfer transfer = {
		.client = client, .table = (struct seen_table *)table, .in = in,
	};
	int err = table_import(&transfer, replace);

	/* The import, or the filter to be replaced, no longer exists: -EAGAIN as elsewhere. */
	return err == -ESTALE && !transfer.failed ? -EAGAIN : err;
}
