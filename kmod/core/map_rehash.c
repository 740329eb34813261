// SPDX-License-Identifier: GPL-2.0
/*
 * Rehash of a map, and a walk through its entries.
 *
 * Invariants of a rehash, true whenever the mover lock is free, until a key finds no
 * room in the new table and the rehash fails:
 * - Every entry in the new table is in the old one, with the same value.
 * - Every entry in a slot of the old table that was already copied is in the new one.
 * So at the end both hold the same entries. Readers use the old table until then.
 */
#include "map_table.h"

/*
 * No reader uses the new table yet. Moves in it change sequence counts all the same,
 * which costs readers a retry.
 */
void seen_map_mirror(struct seen_set *set, const struct seen_map_entry *entry)
{
	struct seen_map_key key = { .entry = *entry };
	struct seen_map_view view;
	struct seen_map_slot slot;
	struct seen_map_path path;

	if (!set->map.next || set->map.failed)
		return;
	view = seen_map_view(set, set->map.next);
	seen_map_locate(&view, &key);
	if (seen_map_find(&view, &key, &slot))
		WRITE_ONCE(seen_map_body(&view, &slot)[0], entry->word[1]);
	else if (seen_map_search(&view, &key, 0, &path))
		seen_map_walk_path(set, &view, &path, entry);
	else
		set->map.failed = true;
}

void seen_map_mirror_path(struct seen_set *set,
			  const struct seen_map_view *view,
			  const struct seen_map_path *path)
{
	struct seen_map_entry entry;
	u32 i;

	if (!set->map.next)
		return;
	for (i = 0; i < path->moves; i++) {
		seen_map_load(view, &path->slot[i], &entry);
		seen_map_mirror(set, &entry);
	}
}

void seen_map_mirror_del(struct seen_set *set,
			 const struct seen_map_entry *entry)
{
	struct seen_map_key key = { .entry = *entry };
	struct seen_map_view view;
	struct seen_map_slot slot;

	if (!set->map.next)
		return;
	view = seen_map_view(set, set->map.next);
	seen_map_locate(&view, &key);
	if (seen_map_find(&view, &key, &slot))
		seen_map_clear(set, &view, &slot);
}

void seen_map_rehash_begin(struct seen_set *set, struct seen_map_table *table)
{
	*(u64 *)table->entries = table->seed;
	spin_lock_bh(&set->mover);
	set->map.next = table->entries;
	set->map.failed = false;
	spin_unlock_bh(&set->mover);
}

/* The entry in slot @at of the set's table, if there is one. */
static bool rehash_load_at(struct seen_set *set, u64 at, struct seen_map_entry *entry)
{
	const struct seen_map_view view = seen_map_view(set, set->table);
	const struct seen_map_slot slot = {
		.bucket = at / SEEN_MAP_SLOTS,
		.index = at % SEEN_MAP_SLOTS,
	};

	return seen_map_load(&view, &slot, entry);
}

static u64 rehash_end_of(const struct seen_set *set, u64 from, u64 count)
{
	u64 left = set->geo.blocks * SEEN_MAP_SLOTS - from;

	return from + (count < left ? count : left);
}

static u64 rehash_next_of(const struct seen_set *set, u64 at)
{
	return at < set->geo.blocks * SEEN_MAP_SLOTS ? at : 0;
}

u64 seen_map_rehash_step(struct seen_set *set, u64 from, u64 count)
{
	u64 end = rehash_end_of(set, from, count);
	struct seen_map_entry entry;
	bool failed = false;

	for (; from < end && !failed; from++) {
		spin_lock_bh(&set->mover);
		if (rehash_load_at(set, from, &entry))
			seen_map_mirror(set, &entry);
		failed = set->map.failed;
		spin_unlock_bh(&set->mover);
	}
	return failed ? 0 : rehash_next_of(set, from);
}

/* Tears an export: its slot numbers are those of the old table. */
static void *map_rehash_publish(struct seen_set *set)
{
	void *old = set->table;

	/* Pairs with seen_map_test(): the table is complete and has its seed. */
	smp_store_release(&set->table, set->map.next);
	WRITE_ONCE(set->map.torn, false);
	set->front = 0;
	WRITE_ONCE(set->exported, 0);
	return old;
}

bool seen_map_rehash_end(struct seen_set *set, struct seen_map_table *old)
{
	bool failed;

	spin_lock_bh(&set->mover);
	failed = set->map.failed;
	old->entries = failed ? set->map.next : map_rehash_publish(set);
	old->seed = *(u64 *)old->entries;
	set->map.next = NULL;
	spin_unlock_bh(&set->mover);
	return !failed;
}

/* Unpack words to bytes, on any byte order; the key follows the value. */
static void map_rehash_unpack(const struct seen_map_entry *entry, struct seen_item *item)
{
	u32 i, at;

	*item = (struct seen_item) {
		.hash = entry->word[0] & ~0xffULL,
		.len = (u8)entry->word[0] - 1,
	};
	for (i = 0; i < item->len; i++) {
		at = sizeof(u64) + sizeof(u32) + i;
		item->key[i] = entry->word[at / sizeof(u64)] >>
			       at % sizeof(u64) * 8;
	}
}

bool seen_map_get(struct seen_set *set, u64 at, struct seen_item *item,
		  u32 *value)
{
	struct seen_map_entry entry;

	if (!rehash_load_at(set, at, &entry))
		return false;
	map_rehash_unpack(&entry, item);
	*value = entry.word[1];
	return true;
}

u64 seen_map_walk(struct seen_set *set, u64 from, u64 count,
		  void (*tell)(void *context, const void *key, u32 len,
			       u32 value),
		  void *context)
{
	u64 end = rehash_end_of(set, from, count);
	struct seen_item item;
	bool taken;
	u32 value;

	for (; from < end; from++) {
		spin_lock_bh(&set->mover);
		taken = seen_map_get(set, from, &item, &value);
		spin_unlock_bh(&set->mover);
		if (taken)
			tell(context, item.key, item.len, value);
	}
	return rehash_next_of(set, from);
}
