// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loss.h"

#define NAME_LEN	128

/**
 * struct loss - a restore that goes on after errors
 * @active: such a restore is running
 * @fallback: folder with the snapshots of an earlier save, or NULL
 * @errors: number of errors
 * @unknown: errors in lines that could not be read, which may have resumed a guard
 * @adds: the current line adds @object
 * @format: what an error in the current line loses; %s is @object. NULL: not known
 * @object: the filter or guard of the current line, as printed
 * @present: the last filter that was found to exist
 * @place: where these keys are in @filter
 * @filter: the filter whose keys the current error loses, or NULL
 * @keys: number of these keys
 * @lost: objects that are lost
 * @count: number of @lost
 */
static struct loss {
	bool active;
	const char *fallback;
	unsigned int errors;
	unsigned int unknown;
	bool adds;
	const char *format;
	char object[NAME_LEN];
	char present[SEEN_NAME_MAX];
	const char *place;
	const char *filter;
	unsigned int keys;
	char **lost;
	size_t count;
} loss;

/* The lines of a save, and the loss if one of them fails. */
static const struct {
	const char *object;
	const char *command;
	const char *format;
} losses[] = {
	{ "filter", "add", "%s is lost" },
	{ "filter", "import", "the keys of %s are lost" },
	{ "filter", "set", "the allow map of %s is lost" },
	{ "key", "add", "keys of %s are lost" },
	{ "allow", "add", "keys on the allow list of %s are lost" },
	{ "feed", "add", "the feed of %s is lost" },
	{ "guard", "add", "%s is lost" },
	{ "guard", "resume", "%s stays paused" },
};

void loss_start(const char *fallback)
{
	loss = (struct loss) { .active = true, .fallback = fallback };
}

unsigned int loss_end(unsigned int *unknown)
{
	unsigned int errors = loss.errors;

	*unknown = loss.unknown;
	while (loss.count)
		free(loss.lost[--loss.count]);
	free(loss.lost);
	loss = (struct loss) {};
	return errors;
}

bool loss_goes_on(void)
{
	return loss.active;
}

/* Without memory for the list, later lines of a lost object are reported, too. */
static void loss_remember(void)
{
	char **more = reallocarray(loss.lost, loss.count + 1, sizeof(*more));

	if (!more)
		return;
	loss.lost = more;
	more[loss.count] = strdup(loss.object);
	loss.count += !!more[loss.count];
}

static bool loss_is_lost(void)
{
	for (size_t i = 0; i < loss.count; i++)
		if (!strcmp(loss.lost[i], loss.object))
			return true;
	return false;
}

/* The guard's words: dev DEV hook H. */
static void loss_name_guard(const struct args *args)
{
	bool hook = args->argc > 5 && !strcmp(args->argv[4], "hook");

	snprintf(loss.object, sizeof(loss.object), "guard %.16s %.32s%s%.16s", args->argv[2],
		 args->argv[3], hook ? " hook " : "", hook ? args->argv[5] : "");
}

/* Find out what the line adds or changes. */
static void loss_parse(const struct args *args)
{
	loss.format = NULL;
	for (size_t i = 0; args->argc > 3 && i < ARRAY_SIZE(losses); i++)
		if (!strcmp(losses[i].object, args->argv[0]) &&
		    !strcmp(losses[i].command, args->argv[1]))
			loss.format = losses[i].format;
	if (!loss.format)
		return;
	loss.adds = (!strcmp(args->argv[0], "filter") || !strcmp(args->argv[0], "guard")) &&
		    !strcmp(args->argv[1], "add");
	if (!strcmp(args->argv[0], "guard"))
		loss_name_guard(args);
	else
		snprintf(loss.object, sizeof(loss.object), "filter \"%.64s\"", args->argv[2]);
}

/* Does the filter of the line exist? The kernel is asked once for neighbouring lines. */
static bool loss_exists(const char *name)
{
	struct seen_filter_info info;

	if (!strcmp(loss.present, name))
		return true;
	if (strlen(name) >= sizeof(loss.present) || seen_filter_get(ctl.client, name, &info) ||
	    info.missing)
		return false;
	strcpy(loss.present, name);
	return true;
}

bool loss_line(const struct args *args)
{
	if (!loss.active)
		return true;
	loss_parse(args);
	if (!loss.format || loss.adds)
		return true;
	if (loss_is_lost())
		return false;
	if (!strcmp(args->argv[0], "guard") || connect_kernel() || loss_exists(args->argv[2]))
		return true;
	/* Report errors in the order of the lines. */
	loss_note(gather_end());
	loss.format = "%s is lost";
	loss_note(refused("no line of the file has added it"));
	loss_remember();
	return false;
}

void loss_keys(const char *place, const char *filter, unsigned int count)
{
	loss.place = place;
	loss.filter = filter;
	loss.keys = count;
}

int loss_note(int status)
{
	if (!loss.active || status == DONE || status == NOT_SEEN)
		return status;
	loss.errors++;
	loss.unknown += !loss.format;
	if (loss.format && loss.adds)
		loss_remember();
	return DONE;
}

bool loss_tell(FILE *to)
{
	if (!loss.active)
		return false;
	if (loss.filter)
		fprintf(to, "%u key%s %s filter \"%s\" %s lost", loss.keys,
			loss.keys == 1 ? "" : "s", loss.place, loss.filter,
			loss.keys == 1 ? "is" : "are");
	else if (loss.format)
		fprintf(to, loss.format, loss.object);
	else
		fputs("the line is lost", to);
	fputs(": ", to);
	return true;
}

/* The path of the earlier snapshot, to be freed; NULL: none, or no memory. */
static char *loss_earlier(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *earlier;

	if (!loss.active || !loss.fallback ||
	    asprintf(&earlier, "%s/%s", loss.fallback, slash ? slash + 1 : path) < 0)
		return NULL;
	return earlier;
}

/* Use the earlier snapshot. Both errors are reported, because both files are damaged. */
static int loss_fall_back(const char *name, const char *path, const uint8_t *secret, bool replace)
{
	char *reason = strdup(seen_error(ctl.client));
	int err, status;

	if (!reason)
		return no_memory();
	err = seen_filter_import(ctl.client, name, path, secret, replace);
	if (err) {
		status = refused("%s; %s", reason, seen_error(ctl.client));
	} else {
		loss.format = "the keys of %s are those of the earlier save";
		status = refused("%s", reason);
	}
	free(reason);
	return status;
}

int loss_import(const char *name, const char *path, const uint8_t *secret, bool replace)
{
	int err = seen_filter_import(ctl.client, name, path, secret, replace), status;
	char *earlier = err ? loss_earlier(path) : NULL;

	if (!earlier)
		return from_kernel(err);
	status = loss_fall_back(name, earlier, secret, replace);
	free(earlier);
	return status;
}
