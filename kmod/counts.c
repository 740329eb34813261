// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of a binding. Each filter has counters of its own. When the filter of a binding is
 * replaced, the binding keeps the counters of the old one, so that its sums continue.
 */
#include "core/set.h"
#include "binding.h"

static u64 counts_stat_sum(const struct seen_filter *filter, enum seen_stat stat)
{
	u64 sum = 0;
	int cpu;

	if (stat == SEEN_STAT_EVICTED)
		return seen_set_evicted(&filter->set);
	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(filter->stats, cpu)->count[stat]);
	return sum;
}

u64 seen_binding_count(const struct seen_binding *binding, enum seen_stat stat)
{
	lockdep_assert_held(&binding->sn->lock);
	return counts_stat_sum(seen_binding_filter(binding), stat) + binding->counted[stat];
}

/*
 * A difference may wrap; the sum is correct nevertheless, modulo 2^64. If a packet that still
 * uses the old filter counts after this, the binding does not get that count.
 */
void seen_binding_count_on(struct seen_binding *binding,
			   const struct seen_filter *old,
			   const struct seen_filter *filter)
{
	enum seen_stat stat;

	lockdep_assert_held_write(&binding->sn->lock);
	for (stat = 0; stat < SEEN_STATS; stat++)
		binding->counted[stat] += counts_stat_sum(old, stat) -
					  counts_stat_sum(filter, stat);
}

/*
 * The difference is computed once for both, so that the sum over the two bindings stays
 * correct while packets count.
 */
void seen_binding_count_swap(struct seen_binding *binding,
			     struct seen_binding *other)
{
	enum seen_stat stat;

	lockdep_assert_held_write(&binding->sn->lock);
	for (stat = 0; stat < SEEN_STATS; stat++) {
		u64 difference = counts_stat_sum(seen_binding_filter(binding), stat) -
				 counts_stat_sum(seen_binding_filter(other), stat);

		binding->counted[stat] += difference;
		other->counted[stat] -= difference;
	}
}

u64 seen_binding_unanswered(const struct seen_binding *binding)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(binding->unanswered, cpu));
	return sum - binding->unanswered_before;
}

void seen_binding_count_anew(struct seen_binding *binding)
{
	enum seen_stat stat;

	lockdep_assert_held_write(&binding->sn->lock);
	for (stat = 0; stat < SEEN_STATS; stat++)
		binding->counted[stat] =
			-counts_stat_sum(seen_binding_filter(binding), stat);
	binding->unanswered_before += seen_binding_unanswered(binding);
}
