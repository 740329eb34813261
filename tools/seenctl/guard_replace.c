// SPDX-License-Identifier: GPL-2.0
/*
 * `guard replace`: a guard is made, or changed to what is asked for. What is not given gets
 * the value that `guard add` would give it. What no request can change has the guard deleted
 * and added again, one request after the other.
 */
#include <errno.h>
#include <string.h>

#include "guard.h"

/* What the kernel takes where nothing is given, as seenctl(8) promises. */
#define PRIORITY	(-1000)
#define STORM		100
#define REPEAT		1000
#define SUSPECT		3
#define BLOCK_FIRST	UINT64_C(5000000000)
#define BLOCK_MAX	UINT64_C(300000000000)

static bool given(const struct seen_guard_config *config, int attr)
{
	return config->given & 1ULL << attr;
}

static void give(struct seen_guard_config *config, int attr, uint32_t *value,
		 uint32_t number)
{
	if (given(config, attr))
		return;
	*value = number;
	config->given |= 1ULL << attr;
}

static void give_time(struct seen_guard_config *config, int attr, uint64_t *value,
		      uint64_t ns)
{
	if (given(config, attr))
		return;
	*value = ns;
	config->given |= 1ULL << attr;
}

static uint32_t default_action(const struct seen_guard_config *has)
{
	if (has->verdict != SEEN_VERDICT_LOOP)
		return SEEN_ACTION_COUNT;
	return has->id.kind == SEEN_GUARD_BRIDGE ? SEEN_ACTION_BLOCK :
						   SEEN_ACTION_DROP;
}

static void complete_action(struct seen_guard_config *want,
			    const struct seen_guard_config *has)
{
	if (given(want, SEEN_A_GUARD_ACTION))
		return;
	want->action = default_action(has);
	if (want->no_block && want->action == SEEN_ACTION_BLOCK)
		want->action = SEEN_ACTION_DROP;
	want->given |= 1ULL << SEEN_A_GUARD_ACTION;
}

/* All that can be changed live, of a guard that differs in nothing else. */
static struct seen_guard_config live(const struct seen_guard_config *from,
				     const struct seen_guard_config *has)
{
	struct seen_guard_config want = *from;
	bool all = has->profile == SEEN_PROFILE_UNSPEC ||
		   has->profile == SEEN_PROFILE_PACKET;

	complete_action(&want, has);
	give(&want, SEEN_A_GUARD_MATCH, &want.match,
	     all ? SEEN_MATCH_ALL : SEEN_MATCH_BUM);
	give(&want, SEEN_A_GUARD_STORM, &want.storm, STORM);
	want.given |= 1ULL << SEEN_A_GUARD_PROTECT;
	/* Only a guard that knows loops has these, and tells them. */
	if (has->repeat) {
		give(&want, SEEN_A_GUARD_REPEAT, &want.repeat, REPEAT);
		want.given |= 1ULL << SEEN_A_GUARD_EXEMPT;
	}
	if (has->suspect) {
		give(&want, SEEN_A_GUARD_SUSPECT, &want.suspect, SUSPECT);
		give_time(&want, SEEN_A_GUARD_BLOCK_FIRST_NS, &want.block_first,
			  BLOCK_FIRST);
		give_time(&want, SEEN_A_GUARD_BLOCK_MAX_NS, &want.block_max,
			  BLOCK_MAX);
		want.given |= 1ULL << SEEN_A_GUARD_NO_PROBE;
	}
	want.given &= ~(1ULL << SEEN_A_GUARD_VERDICT |
			1ULL << SEEN_A_GUARD_PRIORITY);
	want.profile = SEEN_PROFILE_UNSPEC;
	*want.filter = '\0';
	want.udps = 0;
	want.src.count = 0;
	want.dst.count = 0;
	return want;
}

static uint32_t profile_of(const struct seen_guard_config *want)
{
	if (given(want, SEEN_A_GUARD_VERDICT) && want->verdict == SEEN_VERDICT_LOOP)
		return SEEN_PROFILE_LOOP;
	return want->profile;
}

static bool same_verdict(const struct seen_guard_config *want,
			 const struct seen_guard_config *has)
{
	if (profile_of(want) != has->profile)
		return false;
	if (given(want, SEEN_A_GUARD_VERDICT))
		return want->verdict == has->verdict;
	return has->profile != SEEN_PROFILE_UNSPEC ||
	       has->verdict == SEEN_VERDICT_DUP;
}

static bool same_priority(const struct seen_guard_config *want,
			  const struct seen_guard_config *has)
{
	return has->priority == (given(want, SEEN_A_GUARD_PRIORITY) ?
				 want->priority : PRIORITY);
}

/* A profile without a filter has one of its own. */
static int same_filter(const struct seen_guard_config *want,
		       const struct seen_guard_config *has, bool *same)
{
	struct seen_filter_info info;
	int err;

	*same = !strcmp(want->filter, has->filter);
	if (*want->filter)
		return 0;
	err = seen_filter_get(ctl.client, has->filter, &info);
	*same = !err && info.guard_owned;
	return err == -ENOENT ? 0 : err;
}

/* Is all the same that no request changes? */
static int can_change(const struct seen_guard_config *want,
		      const struct seen_guard_config *has, bool *can)
{
	int err = same_filter(want, has, can);

	*can = *can && same_verdict(want, has) && same_priority(want, has) &&
	       !exist_conditions(want, has);
	return err;
}

static int change(const struct seen_guard_config *from,
		  const struct seen_guard_info *guard)
{
	const struct seen_guard_config want = live(from, &guard->config);
	int err = seen_guard_set(ctl.client, &want);

	if (!err && guard->paused && !want.paused)
		err = seen_guard_pause(ctl.client, &want.id, false);
	return from_kernel(err);
}

/* What was told of a guard as what makes it again. */
static struct seen_guard_config again(const struct seen_guard_info *guard)
{
	struct seen_guard_config config = guard->config;
	struct seen_filter_info info;

	config.given = 1ULL << SEEN_A_GUARD_MATCH | 1ULL << SEEN_A_GUARD_ACTION |
		       1ULL << SEEN_A_GUARD_VERDICT |
		       1ULL << SEEN_A_GUARD_PRIORITY |
		       1ULL << SEEN_A_GUARD_STORM;
	if (config.action == SEEN_ACTION_MARK && !config.mark_value)
		config.given |= 1ULL << SEEN_A_GUARD_MARK;
	if (config.repeat)
		config.given |= 1ULL << SEEN_A_GUARD_REPEAT |
				1ULL << SEEN_A_GUARD_EXEMPT;
	if (config.suspect)
		config.given |= 1ULL << SEEN_A_GUARD_SUSPECT |
				1ULL << SEEN_A_GUARD_BLOCK_FIRST_NS |
				1ULL << SEEN_A_GUARD_BLOCK_MAX_NS |
				1ULL << SEEN_A_GUARD_NO_PROBE;
	if (config.action != SEEN_ACTION_BLOCK && config.action != SEEN_ACTION_COUNT)
		config.protects = 0;
	config.paused = guard->paused;
	if (!seen_filter_get(ctl.client, config.filter, &info) && info.guard_owned)
		*config.filter = '\0';
	return config;
}

/*
 * A guard that cannot be made leaves the old one, whose counters begin at 0. The usual
 * mistake, a name of no filter, is found first.
 */
static int make_again(const struct seen_guard_config *want,
		      const struct seen_guard_info *guard)
{
	const struct seen_guard_config old = again(guard);
	struct seen_filter_info info;
	int err = 0, status;

	if (*want->filter)
		err = seen_filter_get(ctl.client, want->filter, &info);
	status = from_kernel(err ?: seen_guard_del(ctl.client, &old.id));
	if (status)
		return status;
	status = guard_make(want);
	if (status && seen_guard_add(ctl.client, &old))
		refused("the guard that was there is lost: %s",
			seen_error(ctl.client));
	return status;
}

static int replace(const struct seen_guard_config *want,
		   const struct seen_guard_info *guard)
{
	bool can;
	int status;

	if (!guard)
		return guard_make(want);
	status = from_kernel(can_change(want, &guard->config, &can));
	if (status)
		return status;
	return can ? change(want, guard) : make_again(want, guard);
}

int guard_replace(struct args *args)
{
	const struct seen_guard_info *guard;
	struct seen_guard_config config = {};
	int status = guard_read(args, &config);
	struct seen_guards *list;
	size_t i = 0;

	if (!status)
		status = connect_kernel();
	if (!status)
		status = from_kernel(seen_guard_list(ctl.client, &list));
	if (status)
		return status;
	while ((guard = seen_guards_at(list, i)) &&
	       !guard_is(&guard->config.id, &config.id))
		i++;
	status = replace(&config, guard);
	seen_guards_free(list);
	return status;
}
