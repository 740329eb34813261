// SPDX-License-Identifier: GPL-2.0
/*
 * libseen with a kernel that misbehaves, or that is newer: elements beyond the library's room are
 * an error, retries end, a callback cannot use its own client, and an incomplete answer is an
 * error. Prints TAP.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seen/local.h>

#include "client_tap.h"

/* --- answers ------------------------------------------------------------------------- */

/* Answers with a filter that has the attributes of @more, too. */
static void tell_filter(struct nlmsghdr *request, void (*more)(struct nl_msg *msg))
{
	struct nl_msg *msg = fake_begin(request, is_dump(request) ? NLM_F_MULTI : 0);

	nla_put_string(msg, SEEN_A_FILTER_NAME, "f");
	nla_put_u32(msg, SEEN_A_FILTER_TYPE, SEEN_TYPE_CUCKOO);
	if (more)
		more(msg);
	fake_send(msg);
	end(request);
}

static void put_nests(struct nl_msg *msg, int type, int inner, const void *bytes, int len,
		      int count)
{
	struct nlattr *nest;

	while (count--) {
		nest = nla_nest_start(msg, type);
		nla_put(msg, inner, len, bytes);
		nla_nest_end(msg, nest);
	}
}

static int many;

static void put_fields(struct nl_msg *msg)
{
	struct nlattr *nest = nla_nest_start(msg, SEEN_A_FILTER_KEY);
	const uint32_t id = SEEN_FIELD_SRC;

	put_nests(msg, SEEN_A_FIELD_ENTRY, SEEN_A_FIELD_ID, &id, sizeof(id), many);
	nla_nest_end(msg, nest);
}

static void put_vxlan(struct nl_msg *msg)
{
	for (int i = 1; i <= many; i++)
		nla_put_u16(msg, SEEN_A_FILTER_VXLAN_PORT, i);
}

static void put_lengths(struct nl_msg *msg)
{
	uint8_t length[256] = { 1 };

	nla_put(msg, SEEN_A_FILTER_LENGTHS6, many, length);
}

static void put_first(struct nl_msg *msg)
{
	uint8_t first[256] = { 1 };

	nla_put(msg, SEEN_A_FILTER_FIRST, many, first);
}

static void put_map(struct nl_msg *msg)
{
	char name[256] = {};

	memset(name, 'm', many);
	nla_put_string(msg, SEEN_A_FILTER_ALLOW_MAP, name);
}

static void put_stats(struct nl_msg *msg)
{
	struct nlattr *nest = nla_nest_start(msg, SEEN_A_FILTER_STATS);

	nla_put_u64(msg, many, 12345);
	nla_nest_end(msg, nest);
}

static void (*extra)(struct nl_msg *msg);

static void answer_filter(struct nlmsghdr *request)
{
	tell_filter(request, extra);
}

static void answer_guard(struct nlmsghdr *request)
{
	struct nl_msg *msg = fake_begin(request, NLM_F_MULTI);

	if (!is(request, SEEN_CMD_GUARD_GET)) {
		nlmsg_free(msg);
		fake_done(request, 0);
		return;
	}
	nla_put_string(msg, SEEN_A_GUARD_DEV, "d0");
	nla_put_u32(msg, SEEN_A_GUARD_ID, 1);
	extra(msg);
	fake_send(msg);
	fake_done(request, 0);
}

static void put_protects(struct nl_msg *msg)
{
	for (int i = 0; i < many; i++)
		nla_put_string(msg, SEEN_A_GUARD_PROTECT, "p");
}

static void put_exempts(struct nl_msg *msg)
{
	put_nests(msg, SEEN_A_GUARD_EXEMPT, SEEN_A_PREFIX_ADDRESS, "abcdef", 6, many);
}

static void put_udps(struct nl_msg *msg)
{
	put_nests(msg, SEEN_A_GUARD_UDP, SEEN_A_RANGE_FIRST, "ab", 2, many);
}

static void put_sources(struct nl_msg *msg)
{
	put_nests(msg, SEEN_A_GUARD_SRC, SEEN_A_PREFIX_ADDRESS, "abcd", 4, many);
}

static void put_destinations(struct nl_msg *msg)
{
	put_nests(msg, SEEN_A_GUARD_DST, SEEN_A_PREFIX_ADDRESS, "abcd", 4, many);
}

static void put_findings(struct nl_msg *msg)
{
	put_nests(msg, SEEN_A_GUARD_FINDING, SEEN_A_FINDING_VLAN, "ab", 2, many);
}

static void answer_interrupted(struct nlmsghdr *request)
{
	fake_done(request, NLM_F_DUMP_INTR);
}

/* Answers with a port whose guard is not in the list. */
static void answer_stray_port(struct nlmsghdr *request)
{
	struct nl_msg *msg;

	if (is(request, SEEN_CMD_PORT_GET)) {
		msg = fake_begin(request, NLM_F_MULTI);
		nla_put_u32(msg, SEEN_A_PORT_GUARD_ID, 2);
		fake_send(msg);
		fake_done(request, 0);
		return;
	}
	extra = put_protects;
	many = 0;
	answer_guard(request);
}

static int end_flags;

static void answer_keys(struct nlmsghdr *request)
{
	struct nl_msg *msg = fake_begin(request, NLM_F_MULTI);
	struct nlattr *nest;

	for (int i = 0; i < 2; i++) {
		nest = nla_nest_start(msg, SEEN_A_KEY_ENTRY);
		nla_put(msg, SEEN_A_ENTRY_KEY, 4, "\1\2\3\4");
		nla_put_u32(msg, SEEN_A_ENTRY_VALUE, 9);
		nla_nest_end(msg, nest);
	}
	fake_send(msg);
	fake_done(request, end_flags);
}

static void answer_nothing(struct nlmsghdr *request)
{
	end(request);
}

static int refusal;

static void answer_refused(struct nlmsghdr *request)
{
	fake_ack(request, refusal);
}

static const char *reason;

static void answer_busy(struct nlmsghdr *request)
{
	fake_text(request, -EBUSY, reason);
}

/* Answers with the counts 5, 6, ... for the keys of the request. */
static void answer_counts(struct nlmsghdr *request)
{
	struct nl_msg *msg = fake_begin(request, 0);
	struct nlattr *nest;

	nla_put_u32(msg, SEEN_A_KEY_DONE, 2);
	for (int i = 0; i < 2; i++) {
		nest = nla_nest_start(msg, SEEN_A_KEY_ENTRY);
		nla_put_u32(msg, SEEN_A_ENTRY_RESULT, SEEN_KEY_RESULT_SEEN);
		if (is(request, SEEN_CMD_KEY_COUNT))
			nla_put_u32(msg, SEEN_A_ENTRY_VALUE, 5 + i);
		nla_nest_end(msg, nest);
	}
	fake_send(msg);
	fake_ack(request, 0);
}

/* --- tests --------------------------------------------------------------------------- */

/* room() - @count elements fit, and one more is refused with a text */
static void room(bool guard, void (*put)(struct nl_msg *msg), int count, const char *what)
{
	struct seen_filters *filters = NULL;
	struct seen_guards *guards = NULL;
	struct seen_filter_info info;
	char text[128];
	int err;

	snprintf(text, sizeof(text), "more than %d %s; update libseen", count, what);
	extra = put;
	answer = guard ? answer_guard : answer_filter;
	many = count;
	err = guard ? seen_guard_list(client, &guards) :
		      seen_filter_get(client, "f", &info);
	ok(!err, "%d %s fit", count, what);
	seen_guards_free(guards);
	many = count + 1;
	err = guard ? seen_guard_list(client, &guards) :
		      seen_filter_list(client, &filters);
	failed_with(err, -EMSGSIZE, text, "one more is an error");
	ok(!filters && (!guard || !guards), "no list is returned then");
}

static void rooms(void)
{
	struct seen_filter_info info;

	room(false, put_fields, SEEN_KEY_FIELDS_ROOM, "fields of a key");
	room(false, put_vxlan, SEEN_VXLAN_PORTS_ROOM, "VXLAN ports of a key");
	room(false, put_lengths, SEEN_LENGTHS_ROOM, "prefix lengths");
	room(false, put_first, 16, "bytes of a bitmap's first key");
	room(true, put_protects, SEEN_PROTECT_ROOM, "protected ports");
	room(true, put_exempts, SEEN_EXEMPT_ROOM, "exempt groups");
	room(true, put_udps, SEEN_CONDITIONS_ROOM, "UDP ports");
	room(true, put_sources, SEEN_CONDITIONS_ROOM, "addresses");
	room(true, put_destinations, SEEN_CONDITIONS_ROOM, "addresses");
	room(true, put_findings, SEEN_FINDINGS_ROOM, "findings");
	answer = answer_filter;
	extra = put_map;
	many = SEEN_NAME_ROOM - 1;
	ok(!seen_filter_get(client, "f", &info) && strlen(info.allow_map) == 63, "a long name");
	many = SEEN_NAME_ROOM;
	failed_with(seen_filter_get(client, "f", &info), -EMSGSIZE,
		    "more than 64 bytes of a name", "a longer name is an error, and not cut off");
	extra = put_stats;
	many = SEEN_STATS_ROOM - 1;
	ok(!seen_filter_get(client, "f", &info) && info.stats[many] == 12345,
	   "a counter of a later kernel is read");
}

static void retries(void)
{
	struct seen_filters *filters;
	struct seen_guards *guards;

	answer = answer_interrupted;
	asked = 0;
	failed_with(seen_filter_list(client, &filters), -EAGAIN,
		    "filters change faster than they can be listed",
		    "a list of filters that changes during each dump");
	ok(asked == 64, "the list of filters is requested 64 times (%u)", asked);
	asked = 0;
	failed_with(seen_guard_list(client, &guards), -EAGAIN,
		    "guards change faster than they can be listed",
		    "a list of guards that changes during each dump");
	ok(asked == 64, "are read 64 times (%u)", asked);
	answer = answer_stray_port;
	asked = 0;
	failed_with(seen_guard_list(client, &guards), -EAGAIN, "guards change faster",
		    "a port without a guard in the list");
	ok(asked == 128, "are read 64 times (%u)", asked);
}

#define SNAPSHOT	"/dev/shm/client.seen"

/* Writes a file to import. */
static void save(void)
{
	struct seen_filter_config config = {
		.type = SEEN_TYPE_CUCKOO, .capacity = 100, .fp_bits = 32, .has_secret = true,
		.key = { .count = 1, .field = { { .id = SEEN_FIELD_SRC } } },
	};
	struct seen_local *local;

	ok(!seen_local_create(&local, &config) &&
	   !seen_local_save(local, SNAPSHOT, SEEN_LOCAL_WITH_SECRET), "a snapshot");
	seen_local_close(local);
}

static void stale(void)
{
	save();
	answer = answer_refused;
	refusal = -ESTALE;
	asked = 0;
	failed_with(seen_filter_export(client, "f", "/dev/null", false), -EAGAIN,
		    "changes faster than it can be exported (16 tries); try again",
		    "an export that is interrupted each time");
	ok(asked == 16, "the export is started 16 times (%u)", asked);
	failed_with(seen_filter_import(client, "f", SNAPSHOT, NULL, true), -EAGAIN,
		    "Stale", "an import that the kernel has dropped");
	remove(SNAPSHOT);
}

static int inner, calls;

static int use_client(void)
{
	struct seen_filter_info info;

	calls++;
	inner = seen_filter_get(client, "f", &info);
	seen_close(client);
	return 0;
}

static int tell_key(const uint8_t *key, size_t len, void *context)
{
	(void)key;
	(void)len;
	(void)context;
	return use_client();
}

static int tell_top(const uint8_t *key, size_t len, uint32_t count, void *context)
{
	(void)count;
	return tell_key(key, len, context);
}

static int tell_event(const struct seen_event_info *event, void *context)
{
	(void)event;
	(void)context;
	return use_client();
}

static int tell_again(const uint8_t *key, size_t len, void *context)
{
	(void)key;
	(void)len;
	(void)context;
	return -EAGAIN;
}

static int tell_enough(const uint8_t *key, size_t len, void *context)
{
	(void)key;
	(void)len;
	(void)context;
	calls++;
	return -ENOTEMPTY;
}

/* A message of the controller, as when the module is unloaded. */
static struct nl_msg *family_gone(const char *family)
{
	struct nl_msg *msg = fake_event(CTRL_CMD_DELFAMILY);

	nlmsg_hdr(msg)->nlmsg_type = GENL_ID_CTRL;
	nla_put_string(msg, CTRL_ATTR_FAMILY_NAME, family);
	return msg;
}

static void callbacks(void)
{
	answer = answer_keys;
	calls = 0;
	ok(!seen_allow_list(client, "f", tell_key, NULL) && calls == 2, "an allow list is read");
	ok(inner == -EBUSY, "its callback cannot use the client (%d)", inner);
	calls = 0;
	ok(!seen_top_keys(client, "f", tell_top, NULL) && calls == 2 && inner == -EBUSY,
	   "a callback for the heaviest keys cannot use the client");
	calls = 0;
	failed_with(seen_allow_list(client, "f", tell_enough, NULL), -ENOTEMPTY, "not empty",
		    "an error of a callback is the result of the call");
	ok(calls == 1, "the callback is not called again");
	end_flags = NLM_F_DUMP_INTR;
	ok(!seen_allow_list(client, "f", tell_key, NULL),
	   "an allow list that changes during the dump is read");
	ok(seen_allow_list(client, "f", tell_again, NULL) == -EAGAIN,
	   "a callback's -EAGAIN is the result of such a dump, too");
	end_flags = 0;
	ok(!seen_listen(client), "the client listens to events");
	fake_send(fake_event(SEEN_CMD_FILTER_ADD_NTF));
	calls = 0;
	ok(!seen_listen_next(client, tell_event, NULL) && calls == 1 && inner == -EBUSY,
	   "a callback for an event cannot use the client");
	calls = 0;
	fake_send(family_gone("other"));
	ok(!seen_listen_next(client, tell_event, NULL) && !calls,
	   "the end of another family is no event");
	fake_send(family_gone(SEEN_FAMILY_NAME));
	failed_with(seen_listen_next(client, tell_event, NULL), -ENOENT, "the module was unloaded",
		    "the end of the module is an error");
}

static void answers(void)
{
	uint8_t secret[SEEN_SECRET_LEN];
	struct seen_filter_info info;

	extra = NULL;
	answer = answer_filter;
	failed_with(seen_filter_secret(client, "f", secret), -EPROTO, "reply is incomplete",
		    "an answer without the secret");
	answer = answer_nothing;
	failed_with(seen_filter_secret(client, "f", secret), -EPROTO, "reply is incomplete",
		    "no answer");
	failed_with(seen_filter_get(client, "f", &info), -EPROTO, "reply is incomplete",
		    "no filter in the answer");
	answer = answer_refused;
	refusal = -ERANGE;
	ok(seen_filter_flush(client, "f") == -EINVAL, "a value out of range is EINVAL");
	refusal = -EAGAIN;
	ok(seen_filter_del(client, "f", true) == -EBUSY, "a filter that rules use is EBUSY");
	refusal = -EPERM;
	failed_with(seen_filter_flush(client, "f"), -EPERM, "CAP_NET_ADMIN",
		    "a refusal for lack of privilege has a text");
	answer = answer_busy;
	reason = "name: is in use";
	failed_with(seen_filter_del(client, "f", true), -EBUSY, "filter \"f\" is in use",
		    "a text about the filter names it");
	reason = "new-name: belongs to a guard";
	failed_with(seen_filter_swap(client, "f", "g"), -EBUSY, "filter \"g\" belongs to a guard",
		    "a text about the second filter names that");
	reason = "name: must be another name";
	failed_with(seen_filter_del(client, "f", true), -EBUSY, reason,
		    "a text about the attribute stays");
	reason = "dev: is missing";
	failed_with(seen_guard_del(client, &(struct seen_guard_id){ .dev = "d" }), -EBUSY, reason,
		    "a text about a guard stays");
	ok(!seen_warning(NULL) && *seen_error(NULL),
	   "without a client there is an error text, and no warning");
}

static void put_key(struct seen_keys *keys, uint8_t number)
{
	uint8_t *at = seen_keys_reserve(keys, 4);

	memset(at, number, 4);
	seen_keys_commit(keys, 4);
}

static void keys(void)
{
	static struct seen_keys keys;

	put_key(&keys, 1);
	put_key(&keys, 2);
	answer = answer_counts;
	keys.has_values = true;
	keys.value[0] = 100;
	keys.value[1] = 200;
	ok(!seen_keys_send(client, SEEN_CMD_KEY_ADD, "f", false, &keys) && keys.done == 2,
	   "keys with values are sent");
	ok(keys.has_values && !keys.got_values && keys.value[0] == 100 && keys.value[1] == 200,
	   "an add does not change the values");
	keys.has_values = false;
	ok(!seen_keys_send(client, SEEN_CMD_KEY_COUNT, "f", false, &keys) && !keys.has_values &&
	   keys.got_values && keys.value[1] == 6, "a count returns values");
	keys.reserved[7] = 1;
	failed_with(seen_keys_send(client, SEEN_CMD_KEY_ADD, "f", false, &keys), -EINVAL,
		    "reserved", "a reserved member that is not 0");
	keys.reserved[7] = 0;
	keys.size++;
	failed_with(seen_keys_send(client, SEEN_CMD_KEY_ADD, "f", false, &keys), -EINVAL,
		    "records", "a size that does not match the records");
	keys.size = SEEN_KEYS_BYTES + 1;
	failed_with(seen_keys_send(client, SEEN_CMD_KEY_ADD, "f", false, &keys), -EINVAL,
		    "SEEN_KEYS_BYTES", "a size above the room");
	keys.count = SEEN_KEYS_ROOM + 1;
	failed_with(seen_keys_send(client, SEEN_CMD_KEY_ADD, "f", false, &keys), -EINVAL,
		    "SEEN_KEYS_ROOM", "a count above the room");
}

int main(void)
{
	begin();
	rooms();
	retries();
	answers();
	stale();
	keys();
	callbacks();
	return finish();
}
