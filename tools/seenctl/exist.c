// SPDX-License-Identifier: GPL-2.0
/*
 * -exist: adding an object that exists with the same parameters is no error. A restore that goes on
 * after errors keeps an object with other parameters: it was changed since the save.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard_trail.h"
#include "loss.h"
#include "seenctl.h"

static bool same_key(const struct seen_key_spec *a,
		     const struct seen_key_spec *b)
{
	char one[SEEN_KEY_SPEC_LEN], other[SEEN_KEY_SPEC_LEN];

	seen_key_spec_format(a, one);
	seen_key_spec_format(b, other);
	return !strcmp(one, other);
}

static bool is_classic(const struct seen_filter_config *config)
{
	return config->layout == SEEN_LAYOUT_CLASSIC;
}

/* Name of the first parameter that differs, or NULL. In @want, fpp, bits or on-full 0 match any. */
static const char *filter_differs(const struct seen_filter_config *want,
				  const struct seen_filter_config *has)
{
	if (want->type != has->type)
		return "type";
	if (is_classic(want) != is_classic(has))
		return "layout";
	if (want->capacity != has->capacity)
		return "capacity";
	if (want->fpp && want->fpp != has->fpp)
		return "fpp";
	if (want->fp_bits && want->fp_bits != has->fp_bits)
		return "bits";
	if (want->window != has->window)
		return "window";
	if (want->refresh != has->refresh)
		return "refresh";
	if (!same_key(&want->key, &has->key))
		return "key";
	if (want->on_full && want->on_full != has->on_full)
		return "on-full";
	if (want->first_len != has->first_len ||
	    memcmp(want->first, has->first, want->first_len))
		return "range";
	if (want->threshold != has->threshold)
		return "threshold";
	if (want->conservative != has->conservative)
		return "conservative";
	return want->top != has->top ? "top" : NULL;
}

static int secret_differs(const struct seen_filter_config *want,
			  const char **differs)
{
	uint8_t secret[SEEN_SECRET_LEN];
	int err;

	if (!want->has_secret)
		return DONE;
	err = seen_filter_secret(ctl.client, want->name, secret);
	if (!err && memcmp(secret, want->secret, sizeof(secret)))
		*differs = "seed";
	explicit_bzero(secret, sizeof(secret));
	return from_kernel(err);
}

/* @kept: a restore that goes on after errors keeps the object */
static int tell_differs(bool kept, const char *object, const char *differs)
{
	if (!kept)
		return refused_object("%s exists with %s", object, differs);
	advise("%s exists with %s: it stays", object, differs);
	return DONE;
}

int exist_filter(const struct seen_filter_config *want)
{
	struct seen_filter_info info;
	char object[SEEN_NAME_ROOM + 16], text[TEXT_LEN];
	const char *differs;
	int status;

	status = from_kernel(seen_filter_get(ctl.client, want->name, &info));
	if (status)
		return status;
	differs = filter_differs(want, &info.config);
	if (!differs)
		status = secret_differs(want, &differs);
	if (!differs)
		return status;
	snprintf(object, sizeof(object), "filter \"%s\"", want->name);
	snprintf(text, sizeof(text), "another %s", differs);
	return tell_differs(loss_goes_on() && restore_keeps_filter(want->name), object, text);
}

static bool given(const struct seen_guard_config *want, int attr)
{
	return want->given & 1ULL << attr;
}

static bool same_prefixes(const struct seen_prefixes *a,
			  const struct seen_prefixes *b)
{
	char one[SEEN_CONDITION_LEN], other[SEEN_CONDITION_LEN];

	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (strcmp(seen_prefix_text(&a->prefix[i], one),
			   seen_prefix_text(&b->prefix[i], other)))
			return false;
	return true;
}

/* Without udp, profile relay has all ports. */
static bool same_ports(const struct seen_guard_config *want,
		       const struct seen_guard_config *has)
{
	if (!want->udps && has->profile == SEEN_GUARD_PROFILE_RELAY)
		return has->udps == 1 && !has->udp[0].first &&
		       has->udp[0].last == UINT16_MAX;
	return want->udps == has->udps &&
	       !memcmp(want->udp, has->udp, want->udps * sizeof(want->udp[0]));
}

static bool protects(const struct seen_guard_config *config, const char *port)
{
	for (uint32_t i = 0; i < config->protects; i++)
		if (!strcmp(config->protect[i], port))
			return true;
	return false;
}

static bool same_protects(const struct seen_guard_config *want,
			  const struct seen_guard_config *has)
{
	for (uint32_t i = 0; i < want->protects; i++)
		if (!protects(has, want->protect[i]))
			return false;
	return want->protects == has->protects;
}

static bool same_exempts(const struct seen_guard_config *want,
			 const struct seen_guard_config *has)
{
	return want->exempts == has->exempts &&
	       !memcmp(want->exempt, has->exempt,
		       want->exempts * sizeof(*want->exempt));
}

/* A bridge guard of profile loop with action drop is reported with no-block by the kernel. */
static bool same_no_block(const struct seen_guard_config *want,
			  const struct seen_guard_config *has)
{
	return want->no_block == has->no_block || given(want, SEEN_A_GUARD_ACTION);
}

static const char *conditions_differ(const struct seen_guard_config *want,
				     const struct seen_guard_config *has)
{
	if (!same_ports(want, has))
		return "udp";
	if (!same_prefixes(&want->src, &has->src))
		return "src";
	return same_prefixes(&want->dst, &has->dst) ? NULL : "dst";
}

static const char *guard_differs(const struct seen_guard_config *want,
				 const struct seen_guard_config *has)
{
	if (*want->filter && strcmp(want->filter, has->filter))
		return "filter";
	if (want->profile && want->profile != has->profile)
		return "profile";
	if (given(want, SEEN_A_GUARD_MATCH) && want->match != has->match)
		return "match";
	if (given(want, SEEN_A_GUARD_VERDICT) && want->verdict != has->verdict)
		return "verdict";
	if (given(want, SEEN_A_GUARD_ACTION) && want->action != has->action)
		return "action";
	if ((given(want, SEEN_A_GUARD_MARK) && want->mark != has->mark) ||
	    (given(want, SEEN_A_GUARD_ACTION) &&
	     want->mark_value != has->mark_value))
		return "mark";
	if (given(want, SEEN_A_GUARD_PRIORITY) &&
	    want->priority != has->priority)
		return "priority";
	if (given(want, SEEN_A_GUARD_STORM) && want->storm != has->storm)
		return "storm";
	if (given(want, SEEN_A_GUARD_REPEAT) && want->repeat != has->repeat)
		return "repeat";
	if (given(want, SEEN_A_GUARD_SUSPECT) && want->suspect != has->suspect)
		return "suspect";
	if (given(want, SEEN_A_GUARD_BLOCK_FIRST_NS) &&
	    want->block_first != has->block_first)
		return "block-first";
	if (given(want, SEEN_A_GUARD_BLOCK_MAX_NS) &&
	    want->block_max != has->block_max)
		return "block-max";
	if (!same_no_block(want, has))
		return "action";
	if (want->no_probe != has->no_probe)
		return "no-probe";
	if (!same_exempts(want, has))
		return "exempt";
	if (!same_protects(want, has))
		return "protect";
	return trail_differs(&want->trail, &has->trail) ?: conditions_differ(want, has);
}

/* The existing guard may not be paused yet. */
static int pause_too(const struct seen_guard_config *want)
{
	if (!want->paused || restore_keeps_guard(&want->id))
		return DONE;
	return from_kernel(seen_guard_pause(ctl.client, &want->id, true));
}

/* The action that @want asks for. Without an action, same_no_block() compares with block. */
static const char *wanted_action(const struct seen_guard_config *want)
{
	if (given(want, SEEN_A_GUARD_ACTION))
		return seen_word(&seen_actions, want->action);
	return seen_word(&seen_actions, want->no_block ? SEEN_ACTION_DROP : SEEN_ACTION_BLOCK);
}

/* @action: of the existing guard */
static int guard_tell_differs(const struct seen_guard_config *want, const char *differs,
			      uint32_t action)
{
	char object[TEXT_LEN], text[TEXT_LEN];

	snprintf(object, sizeof(object), "guard %s %s hook %s",
		 seen_word(&seen_guard_kinds, want->id.kind), want->id.dev,
		 seen_word(&seen_hooks, want->id.hook));
	if (!strcmp(differs, "action"))
		snprintf(text, sizeof(text), "action %s, not %s",
			 seen_word(&seen_actions, action), wanted_action(want));
	else
		snprintf(text, sizeof(text), "another %s", differs);
	return tell_differs(loss_goes_on() && restore_keeps_guard(&want->id), object, text);
}

int exist_guard(const struct seen_guard_config *want)
{
	const struct seen_guard_info *guard;
	const char *differs = "hook";
	struct seen_guards *list;
	uint32_t action = 0;
	int status;

	status = from_kernel(seen_guard_list(ctl.client, &list));
	if (status)
		return status;
	for (size_t i = 0; (guard = seen_guards_at(list, i)); i++) {
		if (!guard_is(&guard->config.id, &want->id))
			continue;
		differs = guard_differs(want, &guard->config);
		action = guard->config.action;
	}
	seen_guards_free(list);
	return differs ? guard_tell_differs(want, differs, action) : pause_too(want);
}
