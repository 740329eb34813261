// SPDX-License-Identifier: GPL-2.0
/*
 * Print the commands that restore a namespace: filters, their contents, allow lists and feeds,
 * guards, and which guards are paused. The filter of a profile has no command of its own,
 * because adding the guard creates it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "save.h"

void save_text(const struct save *save, const char *text)
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

void save_word(const struct save *save, const char *word, const char *value)
{
	fprintf(save->line, " %s %s", word, value);
}

int save_begin(struct save *save, const char *command)
{
	save->line = open_memstream(&save->text, &save->size);
	if (!save->line)
		return no_memory();
	fputs(command, save->line);
	return DONE;
}

int save_end(struct save *save)
{
	bool failed = fclose(save->line);

	if (!failed && ctl.json)
		json_text(NULL, save->text);
	else if (!failed)
		puts(save->text);
	free(save->text);
	return failed ? no_memory() : DONE;
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

/* A bitmap has a range instead of a capacity. */
static void put_capacity(const struct save *save,
			 const struct seen_filter_config *config)
{
	char range[SEEN_RANGE_TEXT_LEN];

	if (config->type != SEEN_TYPE_BITMAP) {
		fprintf(save->line, " capacity %ju", config->capacity);
		return;
	}
	seen_range_format(config, range);
	save_word(save, "range", range);
}

static void put_sizes(const struct save *save,
		      const struct seen_filter_config *config)
{
	char text[TEXT_LEN];

	save_word(save, "type", seen_word(&seen_types, config->type));
	if (config->type == SEEN_TYPE_BLOOM && config->layout)
		save_word(save, "layout",
			  seen_word(&seen_layouts, config->layout));
	put_capacity(save, config);
	if (config->fpp)
		fprintf(save->line, " fpp %.12g", real_rate(config->fpp));
	if (config->fp_bits)
		fprintf(save->line, " bits %u", config->fp_bits);
	if (config->window)
		save_word(save, "window", text_exact(text, config->window));
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
	int status = save_begin(save, "filter add"), ended;

	if (status)
		return status;
	save_text(save, config->name);
	put_sizes(save, config);
	seen_key_spec_format(&config->key, key);
	save_word(save, "key", key);
	if (config->on_full)
		save_word(save, "on-full",
			  seen_word(&seen_on_fulls, config->on_full));
	if (save->secrets)
		status = put_secret(save, config->name);
	ended = save_end(save);
	return status ? status : ended;
}

/* Write the snapshot before the command that imports it is printed. */
static int save_contents(struct save *save, const char *name)
{
	char *path;
	int status;

	if (!save->contents)
		return DONE;
	if (asprintf(&path, "%s/%s.seen", save->contents, name) < 0)
		return no_memory();
	status = from_kernel(seen_filter_export(ctl.client, name, path,
						save->secrets));
	if (!status)
		status = save_begin(save, "filter import");
	if (!status) {
		save_text(save, name);
		save_text(save, path);
		fputs(" --replace", save->line);
		status = save_end(save);
	}
	free(path);
	return status;
}

/* Limits of a command: a new command begins after this number of keys or characters. */
#define LINE_KEYS	64
#define LINE_BYTES	8192

/* An allow list that is saved. @keys, @bytes: keys and characters of the current command. */
struct allowed {
	struct save *save;
	const struct seen_filter_config *config;
	unsigned int keys;
	size_t bytes;
};

static int end_allowed(struct allowed *allowed)
{
	int status = allowed->keys ? save_end(allowed->save) : DONE;

	allowed->keys = 0;
	allowed->bytes = 0;
	return status;
}

static int begin_allowed(const struct allowed *allowed)
{
	int status = allowed->keys ? DONE : save_begin(allowed->save, "allow add");

	if (!status && !allowed->keys)
		save_text(allowed->save, allowed->config->name);
	return status;
}

static int save_allowed(const uint8_t *key, size_t len, void *context)
{
	struct allowed *allowed = context;
	size_t size = SEEN_KEY_TEXT_LEN(len);
	char *text = malloc(size);
	int status;

	if (!text || begin_allowed(allowed)) {
		free(text);
		return -ENOMEM;
	}
	seen_key_format(&allowed->config->key, key, len, text, size);
	save_text(allowed->save, text);
	allowed->keys++;
	allowed->bytes += strlen(text);
	free(text);
	if (allowed->keys < LINE_KEYS && allowed->bytes < LINE_BYTES)
		return 0;
	status = end_allowed(allowed);
	return status ? -ENOMEM : 0;
}

static int save_allow_list(struct save *save, const struct seen_filter_info *info)
{
	struct allowed allowed = { save, &info->config };
	int err, ended;

	if (!info->allowed)
		return DONE;
	err = seen_allow_list(ctl.client, info->config.name, save_allowed,
			      &allowed);
	ended = end_allowed(&allowed);
	return err ? from_kernel(err) : ended;
}

static int save_feed(struct save *save, const struct seen_filter_info *info)
{
	char text[TEXT_LEN];
	int status = save_begin(save, "feed add");

	if (status)
		return status;
	save_text(save, info->config.name);
	fprintf(save->line, " records %u", info->feed_room);
	save_word(save, "stale", info->feed_limit ? text_exact(text, info->feed_limit) :
						    "never");
	return save_end(save);
}

/* The filter of a profile needs no "filter add". */
static int save_filter(struct save *save, const struct seen_filter_info *info)
{
	int status = DONE;

	if (!info->guard_owned)
		status = save_config(save, &info->config);
	if (!status)
		status = save_contents(save, info->config.name);
	if (!status)
		status = save_allow_list(save, info);
	return status || !info->has_feed ? status : save_feed(save, info);
}

static int save_allow_map(struct save *save, const struct seen_filter_info *info)
{
	int status = save_begin(save, "filter set");

	if (status)
		return status;
	save_text(save, info->config.name);
	fputs(" allow-map", save->line);
	save_text(save, info->allow_map);
	return save_end(save);
}

/*
 * Save the filters of profiles (@owned), or all other filters. Allow maps are among the
 * other filters, which are saved first.
 */
static int save_filters(struct save *save, bool owned)
{
	const struct seen_filter_info *info;
	int status = DONE;
	size_t i;

	for (i = 0; !status && (info = seen_filters_at(save->filters, i)); i++)
		if (!info->missing && info->guard_owned == owned)
			status = save_filter(save, info);
	for (i = 0; !status && (info = seen_filters_at(save->filters, i)); i++)
		if (*info->allow_map && info->guard_owned == owned)
			status = save_allow_map(save, info);
	return status;
}

/*
 * Allow lists and allow maps must exist before a guard judges packets, so filters come
 * first. The filter of a profile is created with its first guard, so such guards are added
 * paused, and resumed after their filters are complete.
 */
static int save_state(struct save *save)
{
	int status = save_filters(save, false);
	struct seen_guards *guards;

	if (status)
		return status;
	status = from_kernel(seen_guard_list(ctl.client, &guards));
	if (status)
		return status;
	status = save_guards(save, guards);
	if (!status)
		status = save_filters(save, true);
	if (!status)
		status = save_resumes(save, guards);
	seen_guards_free(guards);
	return status;
}

static int save_all(struct save *save)
{
	int status = from_kernel(seen_filter_list(ctl.client, &save->filters));

	if (status)
		return status;
	status = save_state(save);
	seen_filters_free(save->filters);
	return status;
}

static int read_path(const struct param *param, const char *value)
{
	*(const char **)param->into = value;
	return DONE;
}

/* The output will contain secrets, but the shell created the file with its usual mode. */
static int keep_private(void)
{
	struct stat stat;

	if (!fstat(STDOUT_FILENO, &stat) && S_ISREG(stat.st_mode) &&
	    fchmod(STDOUT_FILENO, 0600))
		return refused("standard output: cannot hide the secrets from other users: %s",
			       strerror(errno));
	return DONE;
}

/* Check --contents before the first command is printed. */
static int check_folder(const char *path)
{
	struct stat stat_of;

	if (stat(path, &stat_of))
		return refused("%s: %s", path, strerror(errno));
	return S_ISDIR(stat_of.st_mode) ? DONE : refused("%s: %s", path, strerror(ENOTDIR));
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
		status = usage("--contents: requires --with-secret, which an import needs");
	if (!status && save.contents)
		status = check_folder(save.contents);
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
	.summary = "print the commands that restore filters and guards",
	.command = commands,
	.commands = ARRAY_SIZE(commands),
	.help =
	"  --contents DIR  export the contents of the filters to DIR/NAME.seen, and print\n"
	"                  the commands that import them; needs --with-secret\n"
	"  --with-secret   print the secrets of the hashes, too. With a secret an\n"
	"                  attacker can make keys that a filter mistakes for other keys.\n"
	"                  If the output is a file, it gets mode 0600\n"
	"\n"
	"Prints filters, allow lists, feeds, guards and pauses in the order that seenctl\n"
	"restore needs. Without --contents the restored filters are empty.\n",
};
