// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "member.h"

/* An engine that does not answer is asked again after this time, ns. */
#define RETRY		(NS_PER_SEC / 2)
#define NS_PER_MS	1000000
#define YEAR_MS		(365ULL * 86400 * 1000)
/* Refused keys are sent again before, ns. */
#define REFUSED_TIME	(15 * NS_PER_SEC)
/* The filter is looked at so often, ns. */
#define STORE_TIME	NS_PER_SEC

uint64_t member_now(const struct member *member)
{
	return member->mono + member->offset;
}

bool member_epoch_may_be(const struct member *member, uint64_t epoch)
{
	return epoch < member_now(member) / NS_PER_MS + YEAR_MS;
}

void member_count(struct member *member, enum reason reason, uint64_t count)
{
	member->counts[reason] += count;
}

void member_refuse(struct member *member, enum reason reason, const struct message *message)
{
	member_count(member, reason, 1);
	blame_note(member->blames, reason, message, member_now(member));
}

bool member_blames(const struct member *member, enum reason reason)
{
	const struct blame *blame = &member->blames[reason];

	return blame_text(blame, reason) &&
	       blame_holds(blame, member->aggregator.stage == AGGREGATOR_RUN, member_now(member));
}

bool member_is_complete(const struct member *member)
{
	const struct chain *chain = &member->state->chain;

	for (size_t i = 0; i < REASONS; i++)
		if (member_blames(member, i))
			return false;
	return !chain_is_empty(chain) && !chain->gap;
}

bool member_is_refused(const struct member *member)
{
	uint64_t refused = member->publisher.refused;

	return refused && member_now(member) - refused < REFUSED_TIME;
}

bool member_engine(struct member *member, int err)
{
	if (!err)
		return true;
	member->online = false;
	/* Another process answers at once; its first answer is its run id. */
	if (err != -ESTALE) {
		member->retry = member->mono + RETRY;
		member_count(member, REASON_ENGINE, 1);
	}
	aggregator_stop(member);
	return false;
}

/* The engine's clock was set back: times that were noted are in the future now. */
static void member_step_back(struct member *member, uint64_t back)
{
	struct aggregator *aggregator = &member->aggregator;

	quota_step(&member->reader.quota, back);
	quota_step(&member->publisher.quota, back);
	quota_step(&aggregator->quota, back);
	for (size_t i = 0; aggregator->sender && i < member->group->count; i++) {
		quota_step(&aggregator->sender[i].rate, back);
		quota_step(&aggregator->sender[i].share, back);
	}
	outbox_unsend(&member->state->outbox, member_now(member));
}

static bool member_clock(struct member *member)
{
	uint64_t now, expected = member_now(member);

	if (member->mono < member->clock_next)
		return true;
	if (!member_engine(member, member->engine->ops->time(member->engine, &now)))
		return false;
	member->offset = now - member->mono;
	if (!member->clocked)
		outbox_clock(&member->state->outbox, member->offset);
	else if (now + NS_PER_SEC < expected)
		member_step_back(member, expected - now);
	member->clocked = true;
	member->clock_next = member->mono + NS_PER_SEC;
	return true;
}

/* Find out which process of the engine answers. */
static void member_connect(struct member *member)
{
	struct chain *chain = &member->state->chain;
	char run[RUN_ROOM] = "";

	if (member->mono < member->retry ||
	    !member_engine(member, member->engine->ops->run(member->engine, run)))
		return;
	member->clock_next = 0;
	if (!member_clock(member))
		return;
	member->online = true;
	if (strcmp(run, chain->run)) {
		if (*chain->run)
			member_count(member, REASON_RESTART, 1);
		/* A batch of the former process may be lost, though its id will be covered. */
		member_count(member, REASON_RESEND,
			     outbox_unsend(&member->state->outbox, member_now(member)));
		member->reader.placed = false;
		/* The order matters: if the daemon is killed here, all this is done again. */
		reader_restarted(member);
		if (member->online)
			memcpy(chain->run, run, sizeof(run));
	}
}

bool member_store_is_same(struct member *member)
{
	const struct chain *chain = &member->state->chain;
	struct store_info info;

	if (!member->store->ops->info(member->store, STORE_OWN, &info) &&
	    info.identity == chain->identity && info.check == member->group->check)
		return true;
	member->store_next = 0;
	return false;
}

/* The filter has lost its keys, so messages must be applied again. */
static void member_begin_again(struct member *member)
{
	struct member_state *state = member->state;

	chain_reset(&state->chain);
	outbox_unsend(&state->outbox, 0);
	outbox_rewind(&state->outbox, 0, 0);
	reader_begin(member);
	aggregator_stop(member);
}

/* Hashes of another key or secret are of no use to anybody. */
static void member_check_hashes(struct member *member)
{
	struct member_state *state = member->state;

	if (state->chain.check && state->chain.check != member->group->check) {
		outbox_forget(&state->outbox);
		holders_clear(&state->holders);
		state->chain.wrong = true;
	}
	if (state->chain.wrong)
		publisher_discard(member);
	state->chain.check = member->group->check;
	state->chain.wrong = false;
}

/*
 * The list of hosts may have changed since the daemon ran last. Keys of hosts that were not in it
 * were left out, so the stream is read again, and a keyframe is loaded if another host makes it.
 * Keys of hosts that are not in it any more are deleted.
 */
static bool member_check_list(struct member *member)
{
	struct member_state *state = member->state;
	struct chain *chain = &state->chain;

	if (!group_sectioned(member->group) || state->holders.roster == member->group->roster)
		return true;
	if (!chain_is_empty(chain)) {
		chain_again(chain);
		if (!group_me(member->group)->aggregates)
			chain_miss(chain, member_now(member));
	}
	if (!holding_relist(member))
		return false;
	state->holders.roster = member->group->roster;
	return true;
}

/*
 * Look at the filter. It may have been flushed, replaced, or deleted and created. As long as its
 * hashes are not the group's, this host takes no part.
 */
static bool member_look(struct member *member)
{
	struct chain *chain = &member->state->chain;
	struct store_info info;

	member->store_next = member->mono + STORE_TIME;
	if (member->store->ops->info(member->store, STORE_OWN, &info)) {
		member_count(member, REASON_STORE, 1);
		return false;
	}
	if (info.check != member->group->check) {
		chain->wrong = true;
		member_count(member, REASON_KEY, 1);
		return false;
	}
	member_check_hashes(member);
	if (chain->identity != info.identity)
		member_begin_again(member);
	chain->identity = info.identity;
	member->group->window = info.window;
	member->group->capacity = info.capacity;
	return true;
}

static bool member_is_usable(struct member *member)
{
	if (member->mono < member->store_next)
		return member->usable;
	member->usable = member_look(member);
	if (!member->usable)
		aggregator_stop(member);
	return member->usable;
}

void member_tick(struct member *member, uint64_t mono)
{
	member->mono = mono;
	if (!member_is_usable(member))
		return;
	/*
	 * New keys are taken from the feed even if the engine is away, and before anything that may
	 * take long: their ages are as of now.
	 */
	publisher_collect(member);
	if (!member->online)
		member_connect(member);
	if (member->online && member_clock(member) && member_check_list(member))
		reader_tick(member);
	publisher_tick(member);
	if (member->online)
		aggregator_tick(member);
}

uint64_t member_next(const struct member *member)
{
	uint64_t next = member->mono + BATCH_TIME, aggregator;

	/* Nothing else is done, so that the other times have passed. */
	if (!member->usable)
		return member->store_next;
	if (group_me(member->group)->publishes &&
	    member->publisher.next < next)
		next = member->publisher.next;
	if (!member->online)
		return next < member->retry ? next : member->retry;
	aggregator = aggregator_next(member);
	return next < aggregator ? next : aggregator;
}

/* State that cannot have been written by this program is forgotten. */
static void member_check_state(struct member_state *state)
{
	if (!outbox_valid(&state->outbox))
		memset(&state->outbox, 0, sizeof(state->outbox));
	if (!chain_valid(&state->chain))
		memset(&state->chain, 0, sizeof(state->chain));
}

struct member *member_new(struct group *group, struct engine *engine, struct store *store,
			  struct member_state *state)
{
	struct member *member = calloc(1, sizeof(*member));

	if (!member)
		return NULL;
	member->group = group;
	member->engine = engine;
	member->store = store;
	member->state = state;
	member->reader.placed = true;
	member_check_state(state);
	member->usable = member_look(member);
	if (member->counts[REASON_STORE])
		goto fail;
	if (group->deletes) {
		member->publisher.index = calloc(1, sizeof(*member->publisher.index));
		if (!member->publisher.index)
			goto fail;
		outbox_reindex(&state->outbox, member->publisher.index);
	}
	if (group_me(group)->aggregates) {
		member->aggregator.sender = calloc(group->count, sizeof(struct sender));
		member->aggregator.pending = calloc(2 * OUT_KEYS, sizeof(struct pending));
		member->aggregator.dedup = dedup_new(group->limits.recent);
		if (!member->aggregator.sender || !member->aggregator.pending ||
		    !member->aggregator.dedup)
			goto fail;
	}
	return member;

fail:
	member_free(member);
	return NULL;
}

void member_free(struct member *member)
{
	if (!member)
		return;
	free(member->publisher.index);
	free(member->aggregator.sender);
	free(member->aggregator.pending);
	dedup_free(member->aggregator.dedup);
	free(member);
}
