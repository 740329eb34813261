// SPDX-License-Identifier: GPL-2.0
/* Filters whose keys hold prefixes of any length; core/lengths.h. */
#include <linux/spinlock.h>

#include "core/lpm.h"
#include "filter.h"

/* Serialises adding a prefix length, so that a filter never holds more than the maximum. */
static DEFINE_SPINLOCK(admit_lock);

/* Not inlined: it needs much stack, which lookups of whole keys must not pay for. */
noinline enum seen_result seen_filter_match(struct seen_filter *filter,
					    const struct seen_key *key, u32 over,
					    u32 *value)
{
	const struct seen_lpm lpm = {
		.set = &filter->set,
		.secret = &filter->secret,
		.lengths = &filter->lengths,
		.over = over,
	};

	BUILD_BUG_ON(SEEN_LPM_KEY_MAX < SEEN_KEY_HEAD_MAX);
	return seen_lpm_ask(&lpm, key->head, key->len, key->prefix - 1, value);
}

bool seen_filter_admit(struct seen_filter *filter, const struct seen_key *key)
{
	bool fits;
	int index;

	if (!key->prefix)
		return true;
	index = seen_lengths_index(key->head + key->prefix - 1);
	if (seen_lengths_next(&filter->lengths, index) == index)
		return true;
	spin_lock(&admit_lock);
	fits = seen_lengths_add(&filter->lengths, index);
	spin_unlock(&admit_lock);
	return fits;
}

bool seen_filter_admit_all(struct seen_filter *to, const struct seen_filter *from)
{
	bool fit;

	spin_lock(&admit_lock);
	fit = seen_lengths_merge(&to->lengths, &from->lengths);
	spin_unlock(&admit_lock);
	return fit;
}
