// SPDX-License-Identifier: GPL-2.0
/*
 * Map: cuckoo hashing (Pagh and Rodler, "Cuckoo Hashing", 2001 and 2004) in two tables,
 * each with its own hash, of buckets of four slots (Dietzfelbinger and Weidling,
 * "Balanced Allocation and Cheap Hashing", 2007). Exact: an entry has the whole key. It
 * also has 56 bits of the key's hash, which suffice to move it, and to place it under
 * another seed, without the secret.
 *
 * Invariants
 * - A key is in one of its two buckets at any moment from its add to its del: a move
 *   writes the copy before it clears the source. All changes are made under the mover
 *   lock, so the table does not change under a writer.
 * - The body of an entry is written before its head, and is constant until the slot is
 *   cleared. Only the value may change; it shares a word with the first four bytes of
 *   the key, and this word is stored whole.
 * - A slot is cleared under its stripe, which changes the stripe's sequence count. So
 *   if no count changed during a lookup, the reader has seen whole entries only, and
 *   every entry that was present. The same is true for a reader that holds the stripes.
 * - Seed and entries are one piece of memory: a reader that has loaded set->table also
 *   has its seed. A reader that still uses the old table when a rehash ends answers as
 *   of the time before that end.
 * - An add searches its path before it moves an entry: an add that fails leaves the
 *   table bit for bit as it was.
 *
 * Direction of error: none, but a reader's answer may be as of the time when the reader began.
 * An add beyond the capacity is refused.
 */
#include <linux/build_bug.h>
#include <linux/log2.h>

#include "block.h"
#include "keycount.h"
#include "kinds.h"
#include "map_table.h"
#include "pair.h"

static_assert(2 * sizeof(u32) * SEEN_MAP_WORDS >=
	      sizeof(u64) + sizeof(u32) + SEEN_ITEM_KEY_MAX);

/* Four bytes of a key, the lowest first on every machine; 0 after the end. */
static u32 map_key_part(const struct seen_item *item, u32 at)
{
	const u8 *p = item->key + at;

	if (at >= SEEN_ITEM_KEY_MAX)
		return 0;
	return p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;
}

static struct seen_map_key map_key_of(const struct seen_map_view *view,
				      const struct seen_item *item, u32 value)
{
	struct seen_map_key key;
	u64 *word = key.entry.word;
	u32 at = sizeof(u32);
	u32 i;

	word[0] = (item->hash & ~0xffULL) | (item->len + 1);
	word[1] = value | (u64)map_key_part(item, 0) << 32;
	for (i = 2; i < view->words; i++, at += sizeof(u64))
		word[i] = map_key_part(item, at) |
			  (u64)map_key_part(item, at + sizeof(u32)) << 32;
	seen_map_locate(view, &key);
	return key;
}

static bool map_same(const struct seen_map_view *view,
		     const struct seen_map_entry *entry, struct seen_map_slot *slot)
{
	const u64 *body = seen_map_body(view, slot);
	u64 differ;
	u32 i;

	/* Pairs with map_path_put(): load the body after the head. */
	smp_rmb();
	differ = READ_ONCE(body[0]) ^ entry->word[1];
	slot->value = differ ^ entry->word[1];
	differ >>= 32;
	for (i = 2; i < view->words; i++)
		differ |= READ_ONCE(body[i - 1]) ^ entry->word[i];
	return !differ;
}

/* Load both buckets before either is compared, so that their cache misses overlap. */
bool seen_map_find(const struct seen_map_view *view,
		   const struct seen_map_key *key, struct seen_map_slot *slot)
{
	u64 head = key->entry.word[0];
	u32 map;

	map = seen_map_slots(view, key->bucket[0], head) |
	      seen_map_slots(view, key->bucket[1], head) << SEEN_MAP_SLOTS;
	for (; map; map &= map - 1) {
		u32 i = ilog2(map & -map);

		slot->bucket = key->bucket[i / SEEN_MAP_SLOTS];
		slot->index = i % SEEN_MAP_SLOTS;
		if (map_same(view, &key->entry, slot))
			return true;
	}
	return false;
}

bool seen_map_load(const struct seen_map_view *view,
		   const struct seen_map_slot *slot,
		   struct seen_map_entry *entry)
{
	const u64 *heads = seen_map_heads(view, slot->bucket);
	const u64 *body = seen_map_body(view, slot);
	u32 i;

	entry->word[0] = READ_ONCE(heads[slot->index]);
	for (i = 1; i < view->words; i++)
		entry->word[i] = READ_ONCE(body[i - 1]);
	return entry->word[0];
}

void seen_map_clear(struct seen_set *set, const struct seen_map_view *view,
		    const struct seen_map_slot *slot)
{
	struct seen_stripe *stripe = seen_set_stripe(set, slot->bucket);
	u64 *heads = seen_map_heads(view, slot->bucket);

	seen_stripe_lock(stripe);
	raw_write_seqcount_begin(&stripe->seq);
	WRITE_ONCE(heads[slot->index], 0);
	raw_write_seqcount_end(&stripe->seq);
	seen_stripe_unlock(stripe);
}

static bool map_test(const struct seen_set *set, const struct seen_map_view *view,
		     const struct seen_map_key *key, struct seen_map_slot *slot)
{
	const struct seen_pair pair = {
		.a = seen_set_stripe(set, key->bucket[0]),
		.b = seen_set_stripe(set, key->bucket[1]),
	};
	struct seen_pair_seq seq;
	int tries;
	bool seen;

	for (tries = 0; tries < SEEN_PAIR_TRIES; tries++) {
		seq = seen_pair_look(&pair);
		seen = seen_map_find(view, key, slot);
		if (seen_pair_calm(&pair, seq))
			return seen;
	}

	seen_pair_lock(&pair);
	seen = seen_map_find(view, key, slot);
	seen_pair_unlock(&pair);
	return seen;
}

bool seen_map_test(struct seen_set *set, const struct seen_item *item,
		   u32 *value)
{
	struct seen_map_view view;
	struct seen_map_slot slot;
	struct seen_map_key key;

	/* Pairs with map_rehash_publish(): the table is complete and has its seed. */
	view = seen_map_view(set, smp_load_acquire(&set->table));
	key = map_key_of(&view, item, 0);
	if (!map_test(set, &view, &key, &slot))
		return false;
	*value = slot.value;
	return true;
}

/* Tears an export only if there is no other path. Caller holds the mover lock. */
static bool map_search(struct seen_set *set, const struct seen_map_view *view,
		       const struct seen_map_key *key, struct seen_map_path *path)
{
	if (seen_map_search(view, key, set->front, path))
		return true;
	if (!set->front || !seen_map_search(view, key, 0, path))
		return false;
	set->front = 0;
	WRITE_ONCE(set->exported, 0);
	return true;
}

static enum seen_result map_insert(struct seen_set *set,
				   const struct seen_map_view *view,
				   const struct seen_map_key *key)
{
	struct seen_map_path path;

	if (!map_search(set, view, key, &path)) {
		WRITE_ONCE(set->map.torn, true);
		return SEEN_FULL;
	}
	seen_map_mirror_path(set, view, &path);
	seen_map_walk_path(set, view, &path, &key->entry);
	seen_map_mirror(set, &key->entry);
	seen_keycount_count_now(set);
	return SEEN_NEW;
}

static bool map_is_full(const struct seen_set *set)
{
	return seen_keycount_keys(set, 0) >= set->geo.capacity;
}

static void map_change(struct seen_set *set, const struct seen_map_view *view,
		       const struct seen_map_slot *slot,
		       const struct seen_map_entry *entry)
{
	WRITE_ONCE(seen_map_body(view, slot)[0], entry->word[1]);
	seen_map_mirror(set, entry);
}

enum seen_result seen_map_add(struct seen_set *set,
			      const struct seen_item *item, u32 value,
			      bool replace)
{
	enum seen_result result = SEEN_SEEN;
	struct seen_map_view view;
	struct seen_map_slot slot;
	struct seen_map_key key;
	u32 old;

	if (!replace && seen_map_test(set, item, &old))
		return SEEN_SEEN;

	spin_lock_bh(&set->mover);
	view = seen_map_view(set, set->table);
	key = map_key_of(&view, item, value);
	if (!seen_map_find(&view, &key, &slot))
		result = map_is_full(set) ? SEEN_FULL : map_insert(set, &view, &key);
	else if (replace)
		map_change(set, &view, &slot, &key.entry);
	spin_unlock_bh(&set->mover);
	return result;
}

enum seen_result seen_map_add_entry(struct seen_set *set,
				    const struct seen_map_entry *entry,
				    bool import)
{
	struct seen_map_key key = { .entry = *entry };
	enum seen_result result = SEEN_SEEN;
	struct seen_map_view view;
	struct seen_map_slot slot;

	spin_lock_bh(&set->mover);
	view = seen_map_view(set, set->table);
	seen_map_locate(&view, &key);
	if (seen_map_find(&view, &key, &slot)) {
		if (import)
			map_change(set, &view, &slot, entry);
	} else {
		result = !import && map_is_full(set) ? SEEN_FULL :
						   map_insert(set, &view, &key);
	}
	spin_unlock_bh(&set->mover);
	return result;
}

enum seen_result seen_map_del(struct seen_set *set,
			      const struct seen_item *item)
{
	enum seen_result result = SEEN_ABSENT;
	struct seen_map_view view;
	struct seen_map_slot slot;
	struct seen_map_key key;

	spin_lock_bh(&set->mover);
	view = seen_map_view(set, set->table);
	key = map_key_of(&view, item, 0);
	if (seen_map_find(&view, &key, &slot)) {
		seen_map_mirror_del(set, &key.entry);
		seen_map_clear(set, &view, &slot);
		seen_keycount_uncount(set);
		result = SEEN_SEEN;
	}
	spin_unlock_bh(&set->mover);
	return result;
}

bool seen_map_torn(const struct seen_set *set)
{
	return READ_ONCE(set->map.torn);
}

u32 seen_map_used(struct seen_set *set, u64 block)
{
	struct seen_map_view view;
	u32 used = SEEN_MAP_SLOTS;
	u32 map;

	spin_lock_bh(&set->mover);
	view = seen_map_view(set, set->table);
	for (map = seen_map_slots(&view, block, 0); map; map &= map - 1)
		used--;
	spin_unlock_bh(&set->mover);
	return used;
}
