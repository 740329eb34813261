// SPDX-License-Identifier: GPL-2.0
/*
 * The words of a command lead from one state to the next. A state has the parts of the synopsis
 * that may follow. They may follow in any order, except that a VALUE without a word before it must
 * be given before the parts after it.
 */
#include <string.h>

#include "live.h"
#include "offer.h"
#include "synopsis.h"
#include "syntax.h"

#define STATE_PARTS_MAX	64

/**
 * struct state - what may follow
 * @part: the parts that may follow
 * @count: number of @part
 * @head: the first part of the synopsis
 * @value: the part that must follow; NULL: any of @part
 * @unfit: number of words that fit no part of the synopsis
 * @place: for names from the kernel
 */
struct state {
	struct part *part[STATE_PARTS_MAX];
	size_t count;
	const struct part *head;
	struct part *value;
	unsigned int unfit;
	struct live_place place;
};

static bool begins_with_value(const struct part *part);

static bool choice_has_value(const struct part *part)
{
	for (; part; part = part->next)
		if (begins_with_value(part))
			return true;
	return false;
}

/* May any word be the first word of the part? */
static bool begins_with_value(const struct part *part)
{
	if (part->text)
		return part_is_value(part);
	for (const struct part *first = part->choice; first; first = first->other)
		if (choice_has_value(first))
			return true;
	return false;
}

static bool begins_with(const struct part *part, const char *word);

static bool choice_has(const struct part *part, const char *word)
{
	for (; part; part = part->next)
		if (begins_with(part, word))
			return true;
	return false;
}

static bool begins_with(const struct part *part, const char *word)
{
	if (part->text)
		return !part_is_value(part) && part_is(part, word);
	for (const struct part *first = part->choice; first; first = first->other)
		if (choice_has(first, word))
			return true;
	return false;
}

/* Must the part be given before the parts after it? So must the device of a guard. */
static bool is_barrier(const struct state *state, const struct part *part)
{
	return !part->optional && (begins_with_value(part) ||
				   (part == state->head && !part->text));
}

/* Index of the part that @word belongs to, from @first on; @count if it fits no part. */
static size_t state_find(const struct state *state, const char *word, size_t first, size_t count)
{
	size_t i;

	for (i = first; i < count; i++)
		if (begins_with(state->part[i], word) ||
		    (!state->part[i]->optional && begins_with_value(state->part[i])))
			return i;
	for (i = first; i < count; i++)
		if (begins_with_value(state->part[i]))
			return i;
	return count;
}

/* The alternative that @word belongs to. */
static struct part *choose(const struct part *group, const char *word)
{
	struct part *first;

	for (first = group->choice; first; first = first->other)
		if (choice_has(first, word))
			return first;
	for (first = group->choice; first; first = first->other)
		if (choice_has_value(first))
			return first;
	return NULL;
}

/* Replace a part by a sequence of parts; returns the length of the sequence. */
static size_t state_replace(struct state *state, size_t at, struct part *sequence, bool keep)
{
	size_t count = 0, gone = keep ? 0 : 1;

	for (const struct part *part = sequence; part; part = part->next)
		count++;
	if (state->count + count - gone > STATE_PARTS_MAX)
		return 0;
	memmove(state->part + at + count, state->part + at + gone,
		(state->count - at - gone) * sizeof(*state->part));
	for (size_t i = at; sequence; sequence = sequence->next)
		state->part[i++] = sequence;
	state->count += count - gone;
	return count;
}

/* The value of @word is next. */
static void expect(struct state *state, struct part *word)
{
	struct part *spelled;

	if (word->value && part_is_value(word->value) && word->value->len == 1) {
		spelled = synopsis_spelled(word);
		if (spelled)
			word->value = spelled;
	}
	state->value = word->value;
}

static void take_text(struct state *state, struct part *part, const char *word)
{
	if (!part_is_value(part))
		expect(state, part);
	else if (part_is(part, "BR"))
		state->place.bridge = word;
}

/* Take @word for the part at @at, or for the first part of one of its alternatives. */
static void state_take(struct state *state, size_t at, const char *word)
{
	struct part *part = state->part[at];
	size_t count;

	while (!part->text) {
		count = state_replace(state, at, choose(part, word), part->repeats);
		at = state_find(state, word, at, at + count);
		if (!count)
			return;
		part = state->part[at];
	}
	if (!part->repeats)
		state_replace(state, at, NULL, false);
	take_text(state, part, word);
}

static void state_take_value(struct state *state, const char *word)
{
	struct part *value = state->value;

	state->value = NULL;
	if (!value->text)
		value = choose(value, word);
	if (!value || !(part_is_value(value) || part_is(value, word)))
		state->unfit++;
	else
		take_text(state, value, word);
}

static void state_step(struct state *state, const char *word)
{
	size_t at;

	if (state->value) {
		state_take_value(state, word);
		return;
	}
	at = state_find(state, word, 0, state->count);
	if (at == state->count)
		state->unfit++;
	else
		state_take(state, at, word);
}

static void offer_part(const struct state *state, const struct part *part);

/* The parts after the first required part of an alternative follow when this has been given. */
static void offer_choices(const struct state *state, const struct part *group)
{
	for (const struct part *first = group->choice; first; first = first->other) {
		for (const struct part *part = first; part; part = part->next) {
			offer_part(state, part);
			if (!part->optional)
				break;
		}
	}
}

static void offer_part(const struct state *state, const struct part *part)
{
	if (!part->text)
		offer_choices(state, part);
	else if (part_is_value(part))
		live_offer(&state->place, part->text, part->len);
	else
		offer_text(part->text, part->len);
}

static void state_offer(const struct state *state)
{
	if (state->value) {
		offer_part(state, state->value);
		return;
	}
	for (size_t i = 0; i < state->count; i++) {
		offer_part(state, state->part[i]);
		if (is_barrier(state, state->part[i]))
			return;
	}
}

/* The state of one form of the synopsis before the last word. */
static void state_reach(struct state *state, struct part *form, const struct live_place *place,
			const struct args *args)
{
	*state = (struct state) { .head = form, .place = *place };
	state->part[0] = form;
	if (form)
		state_replace(state, 0, form, true);
	for (int i = 0; i < args->argc - 1; i++)
		state_step(state, args->argv[i]);
}

/* Offer words for each form of the synopsis with the fewest words that fit no part of it. */
void syntax_complete(const struct object *object, const struct command *command,
		     struct args *args)
{
	const struct live_place place = {
		.object = object->name, .command = command->name,
	};
	struct part *form[SYNOPSIS_FORMS_MAX];
	struct state state[SYNOPSIS_FORMS_MAX];
	size_t count = synopsis_parse(command, form);
	unsigned int least = UINT32_MAX;

	for (size_t i = 0; i < count; i++) {
		state_reach(&state[i], form[i], &place, args);
		if (state[i].unfit < least)
			least = state[i].unfit;
	}
	for (size_t i = 0; i < count; i++)
		if (state[i].unfit == least)
			state_offer(&state[i]);
}
