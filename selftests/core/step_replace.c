// SPDX-License-Identifier: GPL-2.0
/*
 * Filters that are replaced and freed while packets ask for them: every
 * interleaving of kmod's own functions, which part.sh has taken from its files,
 * with packets in read sections and with what runs a grace period later.
 */
#include <stdint.h>
#include <string.h>

#include "interleave.h"
#include "kmod.h"
#include "map_keys.h"

enum { KEY, PRESENT, KEYS };
enum { BUCKETS = 2, LEN = 8, VALUE = 7 };

static struct seen_net sn;
static struct seen_slot *slot, *other;
static struct seen_filter *filter, *spare;
static struct seen_item item[KEYS];
static struct seen_map_table rehashed;	/* that a rehash comes to use */
static const struct seen_slot *hooked;	/* where a packet finds its slot */

/* Shared: done() judges it. */
static struct {
	enum seen_rule_answer answer[2];
	enum seen_result bulk;
} told;

/* --- what kmod's functions call ------------------------------------------------- */

/* A command's attributes lead to the slot; its reply is of no matter. */
struct genl_info {
	struct netlink_ext_ack *extack;
};

#define find(info, attribute)			((void)(skb), found(info))
#define seen_nl_reply(info, size)		((struct sk_buff *)(info))
#define nlmsg_free(reply)			((void)(reply))
#define send(info, reply, slot)			((void)(reply), 0)
#define create_folded(info, old)		spare
#define move_stats(from, to)			((void)(to))
#define move_effective(from, to)		((void)(to))
#define get_random_u64()			rehashed.seed
#define allocate(filter, extack)		((void)(extack), rehashed.entries)
#define seen_filter_table_bytes(geo)		((void)(geo), 0)
#define seen_filter_count(filter, stat)		((void)(filter))
#define seen_filter_passes(filter)		false
#define can(filter, question)			true
#define count(filter, op, answer)		((void)(op))

enum { SLICE = 1 };

static struct seen_slot *found(const struct genl_info *info)
{
	(void)info;
	return slot;
}

/* A packet's address is the number of its key. */
static enum seen_rule_answer
read_packet(const struct seen_slot *slot, const struct seen_filter *filter,
	    const struct sk_buff *skb, bool arrival, struct seen_item *to)
{
	(void)slot;
	(void)arrival;
	/* Its key's fields and its secret: memory of the filter. */
	(void)READ_ONCE(filter->dying);
	*to = item[(uintptr_t)skb];
	return SEEN_RULE_SEEN;
}

static enum seen_rule_answer ask(struct seen_filter *filter,
				 const struct seen_item *item,
				 const struct seen_question *question)
{
	enum seen_result result;

	result = question->op == SEEN_RULE_TEST ?
		 seen_item_test(&filter->set, item) :
		 seen_item_test_and_add(&filter->set, item);
	return result == SEEN_SEEN ? SEEN_RULE_SEEN : SEEN_RULE_NEW;
}

#include "filter.part"
#include "registry.part"
#include "rule.part"
#include "netlink_merge.part"
#include "rehash.part"

/* --- a case ---------------------------------------------------------------------- */

static void *memory(size_t bytes)
{
	void *new = aligned_alloc(64, (bytes + 63) & ~63UL);

	memset(new, 0, bytes);
	share(new, bytes);
	return new;
}

static struct seen_slot *new_slot(void)
{
	struct seen_slot *new = memory(sizeof(*new));

	new->sn = &sn;
	return new;
}

static struct seen_filter *new_filter(const struct seen_geometry *geo)
{
	size_t beside = seen_geometry_stripes(geo) * sizeof(struct seen_stripe);
	struct seen_filter *new = memory(sizeof(*new));

	new->sn = &sn;
	new->beside = memory(beside);
	seen_set_init(&new->set, geo, memory(seen_geometry_bytes(geo)),
		      new->beside);
	new->free_work.work.fn = free_work;
	new->retire_work.fn = retire;
	return new;
}

/* A slot with a filter of two lines, and one that nobody knows yet. */
static void begin(const struct seen_geometry *geo,
		  const struct seen_geometry *geo_spare)
{
	unshare();
	share(&test_clock, sizeof(test_clock));
	share(&sn, sizeof(sn));
	share(&told, sizeof(told));
	share(&hooked, sizeof(hooked));
	share_rcu();
	memset(&told, 0, sizeof(told));
	slot = new_slot();
	other = new_slot();
	filter = new_filter(geo);
	spare = new_filter(geo_spare);
	slot->filter = filter;
	filter->slot = slot;
	hooked = slot;
}

static struct seen_geometry bloom(void)
{
	struct seen_geometry geo = {
		.kind = SEEN_SET_BLOCKED,
		.capacity = 80,
		.fpp = FPP_ONE / 20,
	};

	expect(seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK && geo.blocks == 2);
	return geo;
}

static void begin_bloom(void)
{
	struct seen_geometry geo = bloom();

	item[KEY].hash = hash_of(0, 1);
	item[PRESENT].hash = hash_of(0, 2);
	begin(&geo, &geo);
	expect(seen_item_test_and_add(&filter->set, &item[PRESENT]) ==
	       SEEN_NEW);
}

/* The spare one is what the filter folds to. */
static void begin_fold(void)
{
	struct seen_geometry geo = bloom(), folded;

	begin_bloom();
	expect(seen_fold_plan(&filter->set, 2, &folded) && folded.blocks == 1);
	begin(&geo, &folded);
	seen_item_test_and_add(&filter->set, &item[PRESENT]);
}

static void begin_map(void)
{
	struct seen_geometry geo = map_tiny(LEN, BUCKETS);

	begin(&geo, &geo);
	rehashed.seed = random64();
	rehashed.entries = spare->set.table;
	item[PRESENT] = map_item(&filter->set, LEN, 1);
	item[KEY] = map_item(&filter->set, LEN, 2);
	expect(seen_item_put(&filter->set, &item[PRESENT], VALUE) == SEEN_NEW);
}

/* --- actors ---------------------------------------------------------------------- */

static void packet(int i, int key, u8 op)
{
	const struct seen_question question = { .op = op };
	const struct seen_slot *at;

	rcu_read_lock();
	at = rcu_dereference(hooked);
	told.answer[i] = at ? seen_rule_ask(at, (void *)(uintptr_t)key,
					    &question) : SEEN_RULE_UNKNOWN;
	rcu_read_unlock();
}

static void packet_tests(void)
{
	packet(0, PRESENT, SEEN_RULE_TEST);
}

static void packet_adds(void)
{
	packet(0, KEY, SEEN_RULE_TEST_ADD);
}

static void packet_adds_too(void)
{
	packet(1, KEY, SEEN_RULE_TEST_ADD);
}

/* Keys in bulk are brought under the lock. */
static void bulk_adds(void)
{
	down_read(&sn.lock);
	told.bulk = seen_item_test_and_add(&seen_slot_filter(slot)->set,
					   &item[KEY]);
	up_read(&sn.lock);
}

static void swap_in(void)
{
	seen_item_test_and_add(&spare->set, &item[PRESENT]);
	down_write(&sn.lock);
	install(other, spare);
	expect(!seen_slot_swap(slot, other, NULL));
	up_write(&sn.lock);
}

/* As an import does. */
static void replace(void)
{
	seen_item_test_and_add(&spare->set, &item[PRESENT]);
	down_write(&sn.lock);
	expect(!seen_slot_replace(slot, spare, NULL));
	up_write(&sn.lock);
}

/* As a flush does. */
static void exchange(void)
{
	seen_slot_exchange(slot, spare);
	seen_filter_destroy(filter);
}

/* The filter first, then the rule; iptables waits for packets in between. */
static void delete(void)
{
	down_write(&sn.lock);
	seen_slot_del(slot);
	up_write(&sn.lock);
	RCU_INIT_POINTER(hooked, NULL);
	synchronize_rcu();
	seen_slot_unpin_rule(slot);
}

/* A guard's hook goes, and nobody waits. */
static void delete_guarded(void)
{
	down_write(&sn.lock);
	RCU_INIT_POINTER(hooked, NULL);
	seen_slot_unpin(slot, false);
	seen_slot_del(slot);
	up_write(&sn.lock);
}

static void fold_it(void)
{
	struct genl_info info = { };

	expect(!seen_nl_filter_fold((struct sk_buff *)&info, &info));
}

static void rehash(void)
{
	expect(!try(filter, NULL));
}

static void callback(void)
{
	run_callback(0);
}

static void callback_too(void)
{
	run_callback(1);
}

/* --- ends ------------------------------------------------------------------------ */

static bool holds(struct seen_slot *at, int key)
{
	return seen_item_test(&at->filter->set, &item[key]) == SEEN_SEEN;
}

static void after_swap(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN);
	expect(holds(slot, PRESENT) && holds(other, PRESENT));
	expect(slot->filter == spare && other->filter == filter);
}

static void after_replace(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN);
	expect(slot->filter == spare && holds(slot, PRESENT));
}

static void after_exchange(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN ||
	       told.answer[0] == SEEN_RULE_NEW);
	expect(slot->filter == spare && !holds(slot, PRESENT));
}

static void after_delete(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN ||
	       told.answer[0] == SEEN_RULE_UNKNOWN);
}

/* Whoever was first, by whichever table: one was told so. */
static void after_fold(void)
{
	ends++;
	expect((told.answer[0] == SEEN_RULE_NEW) +
	       (told.answer[1] == SEEN_RULE_NEW) == 1);
	expect((told.answer[0] == SEEN_RULE_SEEN) +
	       (told.answer[1] == SEEN_RULE_SEEN) == 1);
	expect(slot->filter == spare && holds(slot, PRESENT) &&
	       holds(slot, KEY));
}

static void after_bulk(void)
{
	ends++;
	expect((told.answer[0] == SEEN_RULE_NEW) +
	       (told.bulk == SEEN_NEW) == 1);
	expect(slot->filter == spare && holds(slot, PRESENT) &&
	       holds(slot, KEY));
}

static void after_test(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN);
	expect(slot->filter == spare && holds(slot, PRESENT));
}

static void after_rehash(void)
{
	ends++;
	expect(told.answer[0] == SEEN_RULE_SEEN);
	expect(filter->set.table == rehashed.entries && holds(slot, PRESENT));
}

int main(void)
{
	test_begin(9);

	begin_bloom();
	play("a filter is swapped, a packet",
	     (void (*[])(void)) { swap_in, packet_tests, NULL }, after_swap);

	begin_bloom();
	play("a filter is replaced, a packet, the old one is freed",
	     (void (*[])(void)) { replace, packet_tests, callback, NULL },
	     after_replace);

	begin_bloom();
	play("a filter is flushed, a packet, the old one is freed",
	     (void (*[])(void)) { exchange, packet_tests, callback, NULL },
	     after_exchange);

	begin_bloom();
	slot->rules = 1;
	play("a filter and then its rule go, a packet, both are freed",
	     (void (*[])(void)) { delete, packet_tests, callback, callback_too,
				  NULL }, after_delete);

	begin_bloom();
	slot->guards = 1;
	play("a guard and its filter go, a packet, both are freed",
	     (void (*[])(void)) { delete_guarded, packet_tests, callback,
				  callback_too, NULL }, after_delete);

	begin_fold();
	play("a filter is folded, a packet, the old one is freed",
	     (void (*[])(void)) { fold_it, packet_tests, callback, NULL },
	     after_test);

	begin_fold();
	play("a filter is folded, a new key by two packets",
	     (void (*[])(void)) { fold_it, packet_adds, packet_adds_too, NULL },
	     after_fold);

	begin_fold();
	play("a filter is folded, a new key by a packet and in bulk",
	     (void (*[])(void)) { fold_it, packet_adds, bulk_adds, NULL },
	     after_bulk);

	begin_map();
	play("a map has other hashes, a packet, the old table is freed",
	     (void (*[])(void)) { rehash, packet_tests, callback, NULL },
	     after_rehash);
	return test_end();
}
