// SPDX-License-Identifier: GPL-2.0
/*
 * Folding: neighbouring lines (classic: bits) of a Bloom filter become one, by OR
 * (Papapetrou, Siberski and Nejdl, "Cardinality estimation and dynamic length
 * adaptation for Bloom filters", 2010). A key's place in the smaller table is its place
 * in the larger one divided by the fold, so the keys need not be known. The result is
 * bit for bit the filter of that many lines to which the same keys were added.
 */
#include "snapshot.h"
#include "unit.h"
#include "unit_set.h"

const char *seen_set_can_fold(const struct seen_geometry *geo)
{
	return seen_fill_known(geo) ? NULL : "type";
}

static u32 fold_of(const struct seen_geometry *geo)
{
	return geo->fold > 1 ? geo->fold : 1;
}

/*
 * The folded table has at least as many lines as a plan for these keys. A key sets the
 * same number of bits in both tables, because this number follows from the rate alone.
 */
bool seen_fold_plan(struct seen_set *set, u64 keys,
		    struct seen_geometry *folded)
{
	u64 span = set->geo.fold > 1 ? set->geo.span : set->geo.blocks;
	u64 present = seen_set_entries(set);
	u64 fold = fold_of(&set->geo);
	struct seen_geometry plan = set->geo;
	u64 more;

	plan.capacity = keys > present ? keys : present;
	if (!plan.capacity)
		plan.capacity = 1;
	if (seen_plan(&plan, 1) || plan.hashes != set->geo.hashes)
		return false;
	more = span / fold / plan.blocks;
	if (more < 2 || fold * more > U32_MAX)
		return false;
	*folded = set->geo;
	folded->capacity = plan.capacity;
	folded->span = span;
	folded->fold = fold * more;
	folded->blocks = (span + folded->fold - 1) / folded->fold;
	return true;
}

void seen_set_mirror(struct seen_set *set, struct seen_set *mirror)
{
	if (mirror)
		WRITE_ONCE(mirror->mirrors, true);
	else if (set->mirror)
		WRITE_ONCE(set->mirror->mirrors, false);
	WRITE_ONCE(set->judges, false);
	/* Pairs with set_add_all(): a writer that sees @mirror sees it initialised. */
	smp_store_release(&set->mirror, mirror);
}

void seen_set_mirror_judges(struct seen_set *set)
{
	/*
	 * Pairs with set_add_to_both(): a writer that sees @judges stores its key after
	 * the last unit was folded.
	 */
	smp_store_release(&set->judges, true);
}

static void fold_bits(struct seen_set *to, u64 first, const u8 *bytes, u64 ratio)
{
	u64 bit, at;
	u32 i;

	for (i = 0; i < SEEN_LINE_BITS; i++) {
		if (!(bytes[i / 8] >> i % 8 & 1))
			continue;
		at = (first + i) / ratio;
		bit = 1ULL << at % 64;
		if (!(atomic64_read((atomic64_t *)to->table + at / 64) & bit))
			atomic64_or(bit, (atomic64_t *)to->table + at / 64);
	}
}

u64 seen_set_fold(struct seen_set *from, struct seen_set *to, u64 at, u64 count)
{
	u64 ratio = fold_of(&to->geo) / fold_of(&from->geo);
	u64 units = seen_unit_count(&from->geo);
	u64 left = units - at;
	u64 end = at + (count < left ? count : left);
	u8 bytes[SEEN_LINE_BYTES];

	for (; at < end; at++) {
		seen_unit_read(from, at, bytes);
		if (from->geo.kind == SEEN_SET_CLASSIC)
			fold_bits(to, at * SEEN_LINE_BITS, bytes, ratio);
		else
			seen_unit_absorb(to, at / ratio, bytes,
					 seen_unit_now(&to->geo));
	}
	if (at < units)
		return at;
	seen_fill_count(to);
	return 0;
}
