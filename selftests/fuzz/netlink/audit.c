// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "audit.h"
#include "numbers.h"

/* Rounds of deleting everything: an allow map can be deleted only after its filters. */
#define PASSES	4

static struct listing filters, guards;

void disagree(struct audit *audit, const struct space *space,
	      const char *format, ...)
{
	va_list args;

	audit->disagreements++;
	fprintf(stderr, "audit: namespace %ju%s: ",
		(uintmax_t)(space - audit->spaces),
		space->tenant ? " (a tenant's)" : "");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

/* --- an object in a dump and alone -------------------------------------------------- */

/* Does an attribute change with time? The feed's age does. */
static bool is_passing(const struct item *item, uint8_t cmd, uint16_t type)
{
	if (cmd == SEEN_CMD_FILTER_GET && type == SEEN_A_FILTER_FEED)
		return item_nested(item, type, SEEN_A_FEED_AGE);
	if (cmd != SEEN_CMD_FILTER_GET ||
	    !item_flag(item, SEEN_A_FILTER_WINDOW))
		return false;
	switch (type) {
	case SEEN_A_FILTER_EFFECTIVE:
	case SEEN_A_FILTER_ENTRIES:
	case SEEN_A_FILTER_USED:
	case SEEN_A_FILTER_TOTAL:
	case SEEN_A_FILTER_FULL:
	case SEEN_A_FILTER_STATS:
	case SEEN_A_FILTER_PAD:
		return true;
	}
	return false;
}

static const struct nlattr *next_lasting(const struct item *item, uint8_t cmd,
					 uint32_t *at)
{
	const struct nlattr *attr;

	do
		attr = attr_next(item->attrs, item->len, at);
	while (attr && is_passing(item, cmd, attr_type(attr)));
	return attr;
}

static bool is_equal(const struct nlattr *a, const struct nlattr *b)
{
	return a->nla_len == b->nla_len && !memcmp(a, b, a->nla_len);
}

/* Return: type of the first attribute that differs, or 0. */
static uint32_t difference(const struct item *a, const struct item *b,
			   uint8_t cmd)
{
	const struct nlattr *one, *other;
	uint32_t at_a = 0, at_b = 0;

	do {
		one = next_lasting(a, cmd, &at_a);
		other = next_lasting(b, cmd, &at_b);
		if (!one != !other || (one && !is_equal(one, other)))
			return attr_type(one ?: other);
	} while (one);
	return 0;
}

static void compare(struct audit *audit, const struct space *space,
		    uint8_t cmd, const struct item *item)
{
	static struct item alone;
	uint32_t type;
	int err;

	err = listing_get(space->fd, audit->family, cmd, item, &alone);
	if (err) {
		disagree(audit, space, "%s is listed, but a request for it fails: %s",
			 listing_name(cmd, item), strerror(err));
		return;
	}
	type = difference(item, &alone, cmd);
	if (type)
		disagree(audit, space,
			 "%s: attribute %u differs between the list and a request",
			 listing_name(cmd, item), type);
	if (item->ports != alone.ports)
		disagree(audit, space, "%s: %u ports listed, %u reported",
			 listing_name(cmd, item), item->ports, alone.ports);
}

/* An object that is not listed must not exist. */
static void compare_absent(struct audit *audit, const struct space *space)
{
	static struct item item, alone;
	static struct message one;
	uint32_t number;
	char name[16];
	int err;

	for (number = 0; number < 20; number++) {
		snprintf(name, sizeof(name), "f%u", number);
		if (listing_has(&filters, SEEN_CMD_FILTER_GET, name))
			continue;
		one.len = 0;
		message_put_text(&one, SEEN_A_FILTER_NAME, name);
		memcpy(item.attrs, one.attrs, one.len);
		item.len = one.len;
		err = listing_get(space->fd, audit->family,
				  SEEN_CMD_FILTER_GET, &item, &alone);
		if (err != ENOENT)
			disagree(audit, space,
				 "%s is not listed, but a request for it returns: %s",
				 name, strerror(err));
	}
}

/* --- counts ----------------------------------------------------------------------- */

/* The number of users of a filter: guards, and filters that use it as their allow map. */
static uint32_t users_of(const char *name)
{
	uint32_t users = 0, i;

	for (i = 0; i < guards.count; i++)
		users += !strcmp(item_text(&guards.items[i],
					   SEEN_A_GUARD_FILTER), name);
	for (i = 0; i < filters.count; i++)
		users += !strcmp(item_text(&filters.items[i],
					   SEEN_A_FILTER_ALLOW_MAP), name);
	return users;
}

static void check_users(struct audit *audit, const struct space *space,
			const struct item *filter)
{
	const char *name = listing_name(SEEN_CMD_FILTER_GET, filter);
	uint32_t users = users_of(name);

	if (item_u32(filter, SEEN_A_FILTER_USERS) != users)
		disagree(audit, space, "%s: %u users reported, %u found", name,
			 item_u32(filter, SEEN_A_FILTER_USERS), users);
	if (item_flag(filter, SEEN_A_FILTER_GUARD_OWNED) && !users)
		disagree(audit, space, "%s: its guard does not exist any more", name);
}

/* With a window, keys only expire: the values before and after the export are bounds. */
static void check_used(struct audit *audit, const struct space *space,
		       const struct item *filter, const struct units *units)
{
	const char *name = listing_name(SEEN_CMD_FILTER_GET, filter);
	uint64_t most = item_u64(filter, SEEN_A_FILTER_USED), least = most;
	static struct item later;

	if (item_flag(filter, SEEN_A_FILTER_WINDOW)) {
		if (listing_get(space->fd, audit->family, SEEN_CMD_FILTER_GET,
				filter, &later))
			fatal("a filter does not exist any more");
		least = item_u64(&later, SEEN_A_FILTER_USED);
		/* If the sweep may be late, an export may be empty. */
		if (item_u64(filter, SEEN_A_FILTER_WINDOW) < SWEPT_IN_TIME)
			least = 0;
	}
	if (units->used < least || units->used > most)
		disagree(audit, space, "%s: %ju to %ju in use reported, %ju exported",
			 name, (uintmax_t)least, (uintmax_t)most,
			 (uintmax_t)units->used);
}

/* Return: false if the table was not read. */
static bool check_units(struct audit *audit, const struct space *space,
			const struct item *filter, struct units *units)
{
	const char *name = listing_name(SEEN_CMD_FILTER_GET, filter);
	uint64_t entries = item_u64(filter, SEEN_A_FILTER_ENTRIES);
	static struct item before;

	if (!units_wanted(filter))
		return false;
	/* Read the filter again: the listing may be old. */
	if (listing_get(space->fd, audit->family, SEEN_CMD_FILTER_GET, filter,
			&before) ||
	    !units_read(space->fd, audit->family, name, filter, units)) {
		disagree(audit, space, "%s: no export", name);
		return false;
	}
	audit->exports++;
	if (units_exact(filter))
		check_used(audit, space, &before, units);
	if (units_are_keys(filter) && units->used != entries)
		disagree(audit, space, "%s: %ju keys reported, %ju exported", name,
			 (uintmax_t)entries, (uintmax_t)units->used);
	return true;
}

/* The ledger of a filter that only one process changes, or NULL. */
static struct ledger *ledger_of(const struct audit *audit,
				const struct space *space, const char *name)
{
	uint32_t process = space - audit->spaces;
	int number;

	for (; process < audit->processes; process += audit->count) {
		number = own_number(process, name);
		if (number >= 0)
			return &audit->ledgers[process * OWN + number];
	}
	return NULL;
}

static void check_filter(struct audit *audit, const struct space *space,
			 const struct item *filter)
{
	const char *name = listing_name(SEEN_CMD_FILTER_GET, filter);
	struct ledger *ledger = ledger_of(audit, space, name);
	struct units units;
	bool read;

	check_users(audit, space, filter);
	read = check_units(audit, space, filter, &units);
	if (ledger)
		agree_check(audit, space, filter, read ? &units : NULL, ledger);
}

/* Each filter whose addition was acknowledged must be listed. */
static void check_added(struct audit *audit, const struct space *space)
{
	uint32_t process = space - audit->spaces, number;
	const struct ledger *ledger;
	char name[OWN_NAME];

	for (; process < audit->processes; process += audit->count)
		for (number = 0; number < OWN; number++) {
			ledger = &audit->ledgers[process * OWN + number];
			own_name(process, number, name);
			if (ledger->there && !ledger->lost &&
			    !listing_has(&filters, SEEN_CMD_FILTER_GET, name))
				disagree(audit, space,
					 "%s was added, but is not listed",
					 name);
		}
}

/* Return: bytes that are charged for the list. */
static uint64_t check_allowed(struct audit *audit, const struct space *space,
			      const struct item *filter)
{
	const char *name = listing_name(SEEN_CMD_FILTER_GET, filter);
	uint32_t told = item_u32(filter, SEEN_A_FILTER_ALLOWED), count;
	uint64_t bytes;

	count = allowed_count(space->fd, audit->family, name, &bytes);
	if (count != told)
		disagree(audit, space, "%s: %u allowed keys reported, %u listed",
			 name, told, count);
	return count ? audit->costs.list + count * audit->costs.entry + bytes :
		       0;
}

/* --- namespaces --------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char * const *)a, *(const char * const *)b);
}

static void check_names(struct audit *audit, const struct space *space)
{
	const char *names[LISTED];
	uint32_t i;

	for (i = 0; i < filters.count; i++)
		names[i] = listing_name(SEEN_CMD_FILTER_GET,
					&filters.items[i]);
	qsort(names, filters.count, sizeof(*names), by_name);
	for (i = 1; i < filters.count; i++)
		if (!strcmp(names[i - 1], names[i]))
			disagree(audit, space, "%s is listed twice", names[i]);
	if (filters.interrupted || guards.interrupted)
		disagree(audit, space, "a listing was interrupted without a change");
}

/* Return: bytes that are charged for the feed. */
static uint64_t charged_feed(const struct audit *audit, const struct item *filter)
{
	const struct nlattr *records = item_nested(filter, SEEN_A_FILTER_FEED,
						   SEEN_A_FEED_RECORDS);

	return records ? audit->costs.feed + attr_u32(records) * audit->costs.record : 0;
}

/* Return: bytes that all listed objects are charged. */
static uint64_t check_space(struct audit *audit, const struct space *space)
{
	uint64_t bytes = 0;
	uint32_t i;

	listing_read(space->dump_fd, audit->family, SEEN_CMD_GUARD_GET, &guards);
	listing_read(space->dump_fd, audit->family, SEEN_CMD_FILTER_GET, &filters);
	check_names(audit, space);
	compare_absent(audit, space);
	check_added(audit, space);
	/* Compare first: later lookups change statistics, also those of an allow map. */
	for (i = 0; i < filters.count; i++)
		compare(audit, space, SEEN_CMD_FILTER_GET, &filters.items[i]);
	for (i = 0; i < filters.count; i++) {
		check_filter(audit, space, &filters.items[i]);
		bytes += audit->costs.binding +
			 item_u64(&filters.items[i], SEEN_A_FILTER_BYTES) +
			 charged_feed(audit, &filters.items[i]) +
			 check_allowed(audit, space, &filters.items[i]);
	}
	for (i = 0; i < guards.count; i++) {
		compare(audit, space, SEEN_CMD_GUARD_GET, &guards.items[i]);
		bytes += audit->costs.guard +
			 guards.items[i].ports * audit->costs.port;
	}
	audit->filters += filters.count;
	audit->guards += guards.count;
	return bytes;
}

static void check_charge(struct audit *audit, const struct space *space,
			 uint64_t bytes)
{
	const char *wrong;

	if (space->cap != NO_CAP && bytes > space->cap)
		disagree(audit, space, "%ju bytes, above the cap of %ju",
			 (uintmax_t)bytes, (uintmax_t)space->cap);
	wrong = charge_check(space, audit->family, &audit->costs, bytes);
	if (wrong)
		disagree(audit, space, "%ju bytes are listed; %s",
			 (uintmax_t)bytes, wrong);
	space_cap(space, space->cap);
}

void audit_run(struct audit *audit)
{
	const struct space *space, *tenant = NULL;
	uint64_t bytes, of_tenants = 0;

	for (space = audit->spaces; space < audit->spaces + audit->count;
	     space++) {
		bytes = check_space(audit, space);
		if (space->tenant) {
			tenant = space;
			of_tenants += bytes;
		} else {
			check_charge(audit, space, bytes);
		}
	}
	/* All tenants share one cap. */
	if (tenant)
		check_charge(audit, tenant, of_tenants);
}

/* Return: number of objects that could not be deleted. */
static uint32_t delete_all(struct audit *audit, const struct space *space,
			   uint8_t get, uint8_t del)
{
	static struct message message;
	struct ledger *ledger;
	uint32_t left = 0, i;
	int err;

	listing_read(space->dump_fd, audit->family, get, &filters);
	for (i = 0; i < filters.count; i++) {
		message.cmd = del;
		message.version = SEEN_FAMILY_VERSION;
		message.flags = NLM_F_REQUEST | NLM_F_ACK;
		message.len = 0;
		listing_put_id(&message, get, &filters.items[i]);
		err = talk_ask(space->fd, audit->family, &message, NULL,
			       NULL).err;
		left += !!err;
		ledger = ledger_of(audit, space,
				   listing_name(get, &filters.items[i]));
		if (!err && ledger)
			ledger->there = false;
	}
	return left;
}

static void empty(struct audit *audit, const struct space *space)
{
	uint32_t left = 1, pass;

	for (pass = 0; left && pass < PASSES; pass++)
		left = delete_all(audit, space, SEEN_CMD_GUARD_GET,
				  SEEN_CMD_GUARD_DEL) +
		       delete_all(audit, space, SEEN_CMD_FILTER_GET,
				  SEEN_CMD_FILTER_DEL);
	if (left)
		disagree(audit, space, "%u objects cannot be deleted", left);
}

void audit_end(struct audit *audit)
{
	const struct space *space;

	for (space = audit->spaces; space < audit->spaces + audit->count;
	     space++)
		empty(audit, space);
	audit_run(audit);
	if (filters.count || guards.count)
		disagree(audit, audit->spaces + audit->count - 1,
			 "not all objects have been deleted");
}
