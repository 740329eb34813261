// SPDX-License-Identifier: GPL-2.0
/* Tables from and to the kernel, a chunk a request. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "table.h"

/* How often an export begins again before it is given up. */
#define TRIES		16
/* The configuration of a filter, and its geometry. */
#define REQUEST_BYTES	2048

/**
 * struct transfer - an export or an import under way
 * @client: the connection
 * @table: what is moved
 * @cookie: of the transfer
 * @next: unit to go on with; 0: there is no more
 * @unit: bytes of one
 * @room: bytes allocated for the table of an export
 */
struct transfer {
	struct seen_client *client;
	struct seen_table *table;
	uint64_t cookie;
	uint64_t next;
	uint32_t unit;
	size_t room;
};

static struct nl_msg *drop(struct nl_msg *msg)
{
	nlmsg_free(msg);
	return NULL;
}

/* The head of a filter: what it is, and the cookie of its export. */
static int parse_head(struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[SEEN_A_FILTER_MAX + 1], *secret;
	struct transfer *transfer = context;
	struct seen_table *table = transfer->table;
	int err = seen_filter_parse(nlh, &table->info, tb);

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
		msg = drop(msg);
	return seen_transact(transfer->client, msg, parse_head, transfer);
}

static bool has_room(struct transfer *transfer, size_t bytes)
{
	struct seen_table *table = transfer->table;
	size_t room = transfer->room;
	uint8_t *grown;

	if (room - table->bytes >= bytes)
		return true;
	if (room > (SIZE_MAX - bytes) / 2)
		return false;
	room = 2 * room + bytes;
	grown = realloc(table->data, room);
	if (!grown) {
		/* Perhaps there is enough for what has come. */
		room = table->bytes + bytes;
		grown = realloc(table->data, room);
	}
	if (!grown)
		return false;
	table->data = grown;
	transfer->room = room;
	return true;
}

static int parse_chunk(struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[SEEN_A_FILTER_MAX + 1], *data;
	struct transfer *transfer = context;
	struct seen_table *table = transfer->table;
	if (genlmsg_parse(nlh, 0, tb, SEEN_A_FILTER_MAX, NULL))
		return -EPROTO;
	data = tb[SEEN_A_FILTER_DATA];
	transfer->next = seen_attr_u64(tb[SEEN_A_FILTER_NEXT]);
	table->age = seen_attr_u64(tb[SEEN_A_FILTER_AGE]);
	if (!data || !nla_len(data))
		return -EPROTO;
	if (!has_room(transfer, nla_len(data)))
		return -ENOMEM;
	memcpy(table->data + table->bytes, nla_data(data), nla_len(data));
	table->bytes += nla_len(data);
	return 0;
}

static int get_chunk(struct transfer *transfer, const char *name)
{
	struct nl_msg *msg = seen_request(transfer->client,
					  SEEN_CMD_FILTER_EXPORT, NLM_F_ACK,
					  REQUEST_BYTES);

	if (msg && (nla_put_string(msg, SEEN_A_FILTER_NAME, name) ||
		    nla_put_u64(msg, SEEN_A_FILTER_COOKIE, transfer->cookie) ||
		    nla_put_u64(msg, SEEN_A_FILTER_FROM, transfer->next)))
		msg = drop(msg);
	return seen_transact(transfer->client, msg, parse_chunk, transfer);
}

static int try_export(struct transfer *transfer, const char *name,
		      bool with_secret)
{
	int err = begin_export(transfer, name, with_secret);

	transfer->next = 0;
	transfer->room = 0;
	if (err)
		return err;
	do {
		err = get_chunk(transfer, name);
	} while (!err && transfer->next);
	return err;
}

int seen_table_get(struct seen_client *client, const char *name,
		   bool with_secret, struct seen_table *table)
{
	struct transfer transfer = { .client = client, .table = table };
	int err = -ESTALE;

	memset(table, 0, sizeof(*table));
	for (int i = 0; i < TRIES && err == -ESTALE; i++) {
		seen_table_free(table);
		err = try_export(&transfer, name, with_secret);
	}
	if (err)
		seen_table_free(table);
	return err;
}

int seen_filter_secret(struct seen_client *client, const char *name,
		       uint8_t *secret)
{
	struct seen_table table = {};
	struct transfer transfer = { .client = client, .table = &table };
	int err = begin_export(&transfer, name, true);

	if (!err)
		memcpy(secret, table.info.config.secret, SEEN_SECRET_LEN);
	seen_table_free(&table);
	return err;
}

static int put_geometry(struct nl_msg *msg, const struct seen_table *table)
{
	const struct seen_filter_info *info = &table->info;

	NLA_PUT_U32(msg, SEEN_A_FILTER_HASHES, info->hashes);
	NLA_PUT_U64(msg, SEEN_A_FILTER_BLOCKS, info->blocks);
	if (info->tick)
		NLA_PUT_U64(msg, SEEN_A_FILTER_TICK, info->tick);
	NLA_PUT_U32(msg, SEEN_A_FILTER_TICKS, info->ticks);
	if (info->fold)
		NLA_PUT_U32(msg, SEEN_A_FILTER_FOLD, info->fold);
	if (table->span)
		NLA_PUT_U64(msg, SEEN_A_FILTER_SPAN, table->span);
	NLA_PUT_U64(msg, SEEN_A_FILTER_SECRET_CHECK, table->check);
	NLA_PUT_U64(msg, SEEN_A_FILTER_AGE, table->age);
	return 0;

nla_put_failure:
	return -NLE_NOMEM;
}

static int parse_begun(struct nlmsghdr *nlh, void *context)
{
	struct nlattr *tb[SEEN_A_FILTER_MAX + 1];
	struct transfer *transfer = context;

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

	if (msg && (seen_filter_put(msg, &table->info.config) ||
		    put_geometry(msg, table) ||
		    (replace && nla_put_flag(msg, SEEN_A_FILTER_REPLACE))))
		msg = drop(msg);
	return seen_transact(transfer->client, msg, parse_begun, transfer);
}

static int put_chunk(struct transfer *transfer, const uint8_t *data,
		     size_t bytes)
{
	struct nl_msg *msg = seen_request(transfer->client,
					  SEEN_CMD_FILTER_IMPORT, NLM_F_ACK,
					  REQUEST_BYTES + bytes);

	if (msg && (nla_put_u64(msg, SEEN_A_FILTER_COOKIE, transfer->cookie) ||
		    nla_put_u64(msg, SEEN_A_FILTER_FROM, transfer->next) ||
		    nla_put(msg, SEEN_A_FILTER_DATA, bytes, data)))
		msg = drop(msg);
	return seen_transact(transfer->client, msg, NULL, NULL);
}

static int commit(struct transfer *transfer)
{
	struct nl_msg *msg = seen_request(transfer->client,
					  SEEN_CMD_FILTER_IMPORT, NLM_F_ACK,
					  REQUEST_BYTES);

	if (msg && (nla_put_u64(msg, SEEN_A_FILTER_COOKIE, transfer->cookie) ||
		    nla_put_flag(msg, SEEN_A_FILTER_COMMIT)))
		msg = drop(msg);
	return seen_transact(transfer->client, msg, NULL, NULL);
}

/* Whatever is refused ends the import in the kernel. */
int seen_table_put(struct seen_client *client, const struct seen_table *table,
		   bool replace)
{
	struct transfer transfer = {
		.client = client, .table = (struct seen_table *)table,
	};
	int err = begin_import(&transfer, replace);
	size_t done = 0, most, bytes;

	if (err)
		return err;
	most = SEEN_CHUNK_MAX / transfer.unit * transfer.unit;
	for (; !err && done < table->bytes; done += bytes) {
		bytes = table->bytes - done < most ? table->bytes - done : most;
		err = put_chunk(&transfer, table->data + done, bytes);
		transfer.next += bytes / transfer.unit;
	}
	return err ? err : commit(&transfer);
}
