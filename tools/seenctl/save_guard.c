// SPDX-License-Identifier: GPL-2.0
/* Print the commands that add guards. */
#include <string.h>

#include "guard_trail.h"
#include "save.h"

/* A value of 0 was not reported. The kernel will choose it again when the guard is added. */
static void put_enum(const struct save *save, const char *word,
		     const struct seen_names *names, uint32_t value)
{
	if (value)
		save_word(save, word, seen_word(names, value));
}

static void put_id(const struct save *save, const struct seen_guard_id *id)
{
	fprintf(save->line, " %s", seen_word(&seen_guard_kinds, id->kind));
	save_text(save, id->dev);
	put_enum(save, "hook", &seen_hooks, id->hook);
}

static void put_prefixes(const struct save *save, const char *word,
			 const struct seen_prefixes *prefixes)
{
	char text[SEEN_CONDITION_LEN];

	for (uint32_t i = 0; i < prefixes->count; i++)
		fprintf(save->line, "%s%s", i ? "," : word,
			seen_prefix_text(&prefixes->prefix[i], text));
}

static void put_conditions(const struct save *save,
			   const struct seen_guard_config *config)
{
	char text[SEEN_CONDITION_LEN];

	for (uint32_t i = 0; i < config->udps; i++)
		fprintf(save->line, "%s%s", i ? "," : " udp ",
			seen_port_range_text(&config->udp[i], text));
	put_prefixes(save, " src ", &config->src);
	put_prefixes(save, " dst ", &config->dst);
}

static void put_action(const struct save *save,
		       const struct seen_guard_config *config)
{
	put_enum(save, "action", &seen_actions, config->action);
	if (config->mark_value)
		fputs(" value", save->line);
	else if (config->action == SEEN_ACTION_MARK)
		fprintf(save->line, " 0x%x", config->mark);
	if (config->no_block)
		fputs(" no-block", save->line);
	if (config->no_probe)
		fputs(" no-probe", save->line);
	/* The kernel accepts protect only for a guard with action block or count. */
	if (config->action != SEEN_ACTION_BLOCK &&
	    config->action != SEEN_ACTION_COUNT)
		return;
	for (uint32_t i = 0; i < config->protects; i++) {
		fputs(" protect", save->line);
		save_text(save, config->protect[i]);
	}
}

static void put_repeats(const struct save *save,
			const struct seen_guard_config *config)
{
	char text[SEEN_CONDITION_LEN], time[TEXT_LEN];

	if (config->repeat)
		fprintf(save->line, " repeat %u", config->repeat);
	if (config->suspect) {
		fprintf(save->line, " suspect %u", config->suspect);
		save_word(save, "block-first",
			  text_exact(time, config->block_first));
		save_word(save, "block-max", text_exact(time, config->block_max));
	}
	for (uint32_t i = 0; i < config->exempts; i++)
		fprintf(save->line, " exempt %s",
			seen_group_text(&config->exempt[i], text));
}

static const struct seen_filter_info *filter_of(const struct save *save,
						const char *name)
{
	const struct seen_filter_info *filter;
	size_t i = 0;

	while ((filter = seen_filters_at(save->filters, i)) &&
	       strcmp(filter->config.name, name))
		i++;
	return filter;
}

static bool is_owned(const struct save *save, const char *name)
{
	const struct seen_filter_info *filter = filter_of(save, name);

	return filter && filter->guard_owned;
}

/* Must the guard wait because its filter, which it creates, has contents or allowed keys? */
static bool must_wait(const struct save *save, const char *name)
{
	const struct seen_filter_info *filter = filter_of(save, name);

	return filter && filter->guard_owned && !filter->missing &&
	       (save->contents || filter->allowed || *filter->allow_map);
}

static int save_guard(struct save *save, const struct seen_guard_info *guard)
{
	const struct seen_guard_config *config = &guard->config;
	int status = save_begin(save, "guard add");

	if (status)
		return status;
	put_id(save, &config->id);
	put_enum(save, "profile", &seen_profiles, config->profile);
	if (!is_owned(save, config->filter)) {
		fputs(" filter", save->line);
		save_text(save, config->filter);
	}
	put_enum(save, "match", &seen_matches, config->match);
	put_conditions(save, config);
	put_enum(save, "verdict", &seen_verdicts, config->verdict);
	put_action(save, config);
	fprintf(save->line, " priority %d", config->priority);
	if (config->storm)
		fprintf(save->line, " storm %u", config->storm);
	put_repeats(save, config);
	trail_save(save, &config->trail);
	if (guard->paused || must_wait(save, config->filter))
		fputs(" paused", save->line);
	return save_end(save);
}

static int save_resume(struct save *save, const struct seen_guard_id *id)
{
	int status = save_begin(save, "guard resume");

	if (status)
		return status;
	put_id(save, id);
	return save_end(save);
}

int save_guards(struct save *save, const struct seen_guards *guards)
{
	const struct seen_guard_info *guard;
	int status = DONE;

	for (size_t i = 0; !status && (guard = seen_guards_at(guards, i)); i++)
		status = save_guard(save, guard);
	return status;
}

int save_resumes(struct save *save, const struct seen_guards *guards)
{
	const struct seen_guard_info *guard;
	int status = DONE;

	for (size_t i = 0; !status && (guard = seen_guards_at(guards, i)); i++)
		if (!guard->paused && must_wait(save, guard->config.filter))
			status = save_resume(save, &guard->config.id);
	return status;
}
