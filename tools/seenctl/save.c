// SPDX-License-Identifier: GPL-2.0
/*
 * The state of a namespace as the commands that make it: filters, what is in them,
 * their allow lists, guards, and which of these pause. A filter that a guard's profile
 * owns comes with the guard.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "seenctl.h"

/**
 * struct save - what is to be saved
 * @contents: folder for what is in the filters, or NULL
 * @secrets: tell them
 * @line: the command that is being written
 * @text: of it
 * @size: of that
 */
struct save {
	const char *contents;
	bool secrets;
	FILE *line;
	char *text;
	size_t size;
};

/* Quoted so that batch.c reads it as one word. */
static void put_text(const struct save *save, const char *text)
{
	fputc(' ', save->line);
	for (; *text; text++) {
		if (*text == '\'')
			fputs("\"'\"", save->line);
		else if (strchr("\"# \t", *text))
			fprintf(save->line, "'%c'", *text);
		else
			fputc(*text, save->line);
	}
}

static void put_word(const struct save *save, const char *word,
		     const char *value)
{
	fprintf(save->line, " %s %s", word, value);
}

static int begin(struct save *save, const char *command)
{
	save->line = open_memstream(&save->text, &save->size);
	if (!save->line)
		return refused("no memory");
	fputs(command, save->line);
	return DONE;
}

static int end(struct save *save)
{
	bool failed = fclose(save->line);

	if (!failed && ctl.json)
		json_text(NULL, save->text);
	else if (!failed)
		puts(save->text);
	free(save->text);
	return failed ? refused("no memory") : DONE;
}

static int put_secret(const struct save *save, const char *name)
{
	uint8_t secret[SEEN_SECRET_LEN];
	int err = seen_filter_secret(ctl.client, name, secret);

	if (err)
		return from_kernel(err);
	fputs(" seed ", save->line);
	for (size_t i = 0; i < sizeof(secret); i++)
		fprintf(save->line, "%02x", secret[i]);
	explicit_bzero(secret, sizeof(secret));
	return DONE;
}

/* A bitmap has its range, which is its capacity, too. */
static void put_capacity(const struct save *save,
			 const struct seen_filter_config *config)
{
	char range[SEEN_RANGE_TEXT_LEN];

	if (config->type != SEEN_TYPE_BITMAP) {
		fprintf(save->line, " capacity %ju", config->capacity);
		return;
	}
	seen_range_format(config, range);
	put_word(save, "range", range);
}

static void put_sizes(const struct save *save,
		      const struct seen_filter_config *config)
{
	char text[TEXT_LEN];

	put_word(save, "type", seen_word(&seen_types, config->type));
	if (config->type == SEEN_TYPE_BLOOM)
		put_word(save, "layout", seen_word(&seen_layouts,
						   config->layout));
	put_capacity(save, config);
	if (config->fpp)
		fprintf(save->line, " fpp %.12g", real_rate(config->fpp));
	if (config->fp_bits)
		fprintf(save->line, " bits %u", config->fp_bits);
	if (config->window)
		put_word(save, "window", text_exact(text, config->window));
	if (config->refresh)
		fputs(" refresh", save->line);
	if (config->threshold)
		fprintf(save->line, " threshold %u", config->threshold);
	if (config->conservative)
		fputs(" conservative", save->line);
	if (config->top)
		fprintf(save->line, " top %u", config->top);
}

static int save_config(struct save *save,
		       const struct seen_filter_config *config)
{
	char key[SEEN_KEY_SPEC_LEN];
	int status = begin(save, "filter add"), ended;

	if (status)
		return status;
	put_text(save, config->name);
	put_sizes(save, config);
	seen_key_spec_format(&config->key, key);
	put_word(save, "key", key);
	if (config->on_full)
		put_word(save, "on-full", seen_word(&seen_on_fulls,
						    config->on_full));
	if (save->secrets)
		status = put_secret(save, config->name);
	ended = end(save);
	return status ? status : ended;
}

/* The file first: a command that names it shall find it. */
static int save_contents(struct save *save, const char *name)
{
	char *path;
	int status;

	if (!save->contents)
		return DONE;
	if (asprintf(&path, "%s/%s.seen", save->contents, name) < 0)
		return refused("no memory");
	status = from_kernel(seen_filter_export(ctl.client, name, path,
						save->secrets));
	if (!status)
		status = begin(save, "filter import");
	if (!status) {
		put_text(save, name);
		put_text(save, path);
		fputs(" --replace", save->line);
		status = end(save);
	}
	free(path);
	return status;
}

/* A line of an allow list. */
struct allowed {
	struct save *save;
	const struct seen_filter_config *config;
};

static int save_allowed(const uint8_t *key, size_t len, void *context)
{
	const struct allowed *allowed = context;
	size_t size = SEEN_KEY_TEXT_LEN(len);
	char *text = malloc(size);

	if (!text || begin(allowed->save, "allow add")) {
		free(text);
		return -ENOMEM;
	}
	seen_key_format(&allowed->config->key, key, len, text, size);
	put_text(allowed->save, allowed->config->name);
	put_text(allowed->save, text);
	free(text);
	return end(allowed->save) ? -ENOMEM : 0;
}

static int save_filter(struct save *save, const struct seen_filter_info *info)
{
	struct allowed allowed = { save, &info->config };
	int status = DONE;

	if (!info->guard_owned)
		status = save_config(save, &info->config);
	if (!status)
		status = save_contents(save, info->config.name);
	if (status || !info->allowed)
		return status;
	return from_kernel(seen_allow_list(ctl.client, info->config.name,
					   save_allowed, &allowed));
}

/* Those of guards follow their guards. */
static int save_filters(struct save *save, const struct seen_filter_info *list,
			size_t count, bool owned)
{
	int status = DONE;

	for (size_t i = 0; i < count && !status; i++)
		if (!list[i].missing && list[i].guard_owned == owned)
			status = save_filter(save, &list[i]);
	return status;
}

/* By then each map is there. */
static int save_allow_maps(struct save *save,
			   const struct seen_filter_info *list, size_t count)
{
	int status = DONE;

	for (size_t i = 0; i < count && !status; i++) {
		if (!*list[i].allow_map)
			continue;
		status = begin(save, "filter set");
		if (status)
			break;
		put_text(save, list[i].config.name);
		fputs(" allow-map", save->line);
		put_text(save, list[i].allow_map);
		status = end(save);
	}
	return status;
}

static bool is_owned(const struct seen_filter_info *list, size_t count,
		     const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i].config.name, name))
			return list[i].guard_owned;
	return false;
}

static void put_id(const struct save *save, const struct seen_guard_id *id)
{
	fprintf(save->line, " %s", seen_word(&seen_guard_kinds, id->kind));
	put_text(save, id->dev);
	put_word(save, "hook", seen_word(&seen_hooks, id->hook));
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
	put_word(save, "action", seen_word(&seen_actions, config->action));
	if (config->mark_value)
		fputs(" value", save->line);
	else if (config->action == SEEN_ACTION_MARK)
		fprintf(save->line, " 0x%x", config->mark);
	if (config->no_block)
		fputs(" no-block", save->line);
	if (config->no_probe)
		fputs(" no-probe", save->line);
	/* One that does not block any more is not told whom to spare. */
	if (config->action != SEEN_ACTION_BLOCK &&
	    config->action != SEEN_ACTION_COUNT)
		return;
	for (uint32_t i = 0; i < config->protects; i++) {
		fputs(" protect", save->line);
		put_text(save, config->protect[i]);
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
		put_word(save, "block-first",
			 text_exact(time, config->block_first));
		put_word(save, "block-max", text_exact(time, config->block_max));
	}
	for (uint32_t i = 0; i < config->exempts; i++)
		fprintf(save->line, " exempt %s",
			seen_group_text(&config->exempt[i], text));
}

static int save_guard(struct save *save, const struct seen_guard_config *config,
		      bool owned)
{
	int status = begin(save, "guard add");

	if (status)
		return status;
	put_id(save, &config->id);
	if (config->profile)
		put_word(save, "profile", seen_word(&seen_profiles,
						    config->profile));
	if (!owned) {
		fputs(" filter", save->line);
		put_text(save, config->filter);
	}
	put_word(save, "match", seen_word(&seen_matches, config->match));
	put_conditions(save, config);
	put_word(save, "verdict", seen_word(&seen_verdicts, config->verdict));
	put_action(save, config);
	fprintf(save->line, " priority %d storm %u", config->priority,
		config->storm);
	put_repeats(save, config);
	return end(save);
}

static int save_paused(struct save *save, const struct seen_guard_id *id)
{
	int status = begin(save, "guard pause");

	if (status)
		return status;
	put_id(save, id);
	return end(save);
}

static int save_guards(struct save *save, const struct seen_filter_info *list,
		       size_t count)
{
	struct seen_guard_info *guards;
	int status = DONE;
	size_t found;

	if (seen_guard_list(ctl.client, &guards, &found))
		return from_kernel(-1);
	for (size_t i = 0; i < found && !status; i++) {
		const struct seen_guard_config *config = &guards[i].config;

		status = save_guard(save, config,
				    is_owned(list, count, config->filter));
		if (!status && guards[i].paused)
			status = save_paused(save, &config->id);
	}
	seen_guard_free(guards, found);
	return status;
}

static int save_all(struct save *save)
{
	struct seen_filter_info *list;
	size_t count;
	int status;

	status = from_kernel(seen_filter_list(ctl.client, &list, &count));
	if (status)
		return status;
	status = save_filters(save, list, count, false);
	if (!status)
		status = save_guards(save, list, count);
	if (!status)
		status = save_filters(save, list, count, true);
	if (!status)
		status = save_allow_maps(save, list, count);
	free(list);
	return status;
}

static int read_path(const struct param *param, const char *value)
{
	*(const char **)param->into = value;
	return DONE;
}

/* The shell made the file, before anybody knew what comes into it. */
static int keep_private(void)
{
	struct stat stat;

	if (!fstat(STDOUT_FILENO, &stat) && S_ISREG(stat.st_mode) &&
	    fchmod(STDOUT_FILENO, 0600))
		return refused("standard output: others could read the secrets: %s",
			       strerror(errno));
	return DONE;
}

static int run(struct args *args)
{
	struct save save = {};
	const struct param params[] = {
		{ "--contents", read_path, &save.contents },
		{ "--with-secret", NULL, &save.secrets },
	};
	int status = params_read(args, params, ARRAY_SIZE(params), NULL);

	if (!status && save.contents && !save.secrets)
		status = usage("--contents needs --with-secret, without which they are of no use");
	if (!status)
		status = connect_kernel();
	if (!status && save.secrets)
		status = keep_private();
	return status ? status : save_all(&save);
}

static const struct command commands[] = {
	{ "", run, "[--contents DIR] [--with-secret]", .list = true },
};

const struct object save_object = {
	.name = "save",
	.summary = "the commands that make up what is there",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"  --contents DIR  export what is in the filters, to DIR/NAME.seen, and say how\n"
	"                  to import it; needs --with-secret\n"
	"  --with-secret   tell the secrets of the hashes too; who has one can make keys\n"
	"                  that a filter takes for others. A file that the output goes to gets\n"
	"                  mode 0600\n"
	"\n"
	"Filters, allow lists, guards and pauses, in order, for seenctl restore. Without\n"
	"--contents the filters come back empty.\n",
};
