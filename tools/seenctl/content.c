// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/key_field.h"
#include "../lib/snapshot_client.h"
#include "content.h"

static int check_type(struct content *content)
{
	uint32_t type = content->info.config.type;

	if (type == SEEN_TYPE_MAP || type == SEEN_TYPE_BITMAP)
		return DONE;
	return refused("%s: " SEEN_NO_WALK_TEXT,
		       content->name, seen_word(&seen_types, type));
}

/* Check the type first, to avoid the copy of a large filter that is not exact. */
int content_filter(struct content *content, const char *name)
{
	int status = learn_filter(name, &content->info);

	content->name = name;
	if (!status)
		status = check_type(content);
	return status ? status : from_kernel(seen_filter_copy(ctl.client, name,
							      &content->local));
}

int content_file(struct content *content, const char *path)
{
	content->name = path;
	if (seen_local_open(&content->local, path, NULL))
		return refused("%s: %s", path, seen_local_error());
	seen_local_info(content->local, &content->info);
	return check_type(content);
}

void content_close(struct content *content)
{
	seen_local_close(content->local);
	content->local = NULL;
}

bool content_has_values(const struct content *content)
{
	return content->info.config.type == SEEN_TYPE_MAP;
}

/* Can a list contain this key as text, so that it is not printed as hex digits? */
static bool is_readable(const uint8_t *key, size_t len)
{
	if (!len || key[0] == '#' || key[0] == ' ' || key[len - 1] == ' ' ||
	    (len > 1 && key[0] == '0' && key[1] == 'x'))
		return false;
	for (size_t i = 0; i < len; i++)
		if (key[i] < ' ' || key[i] > '~')
			return false;
	return true;
}

char *content_text(const struct content *content, const uint8_t *key,
		   size_t len)
{
	const struct seen_key_spec *spec = &content->info.config.key;
	size_t size = SEEN_KEY_TEXT_LEN(len);
	char *text;

	if (seen_key_find(spec, SEEN_FIELD_BYTES) && is_readable(key, len))
		return strndup((const char *)key, len);
	text = malloc(size);
	if (text)
		seen_key_format(spec, key, len, text, size);
	return text;
}

int content_walk(const struct content *content, seen_tell_fn tell,
		 void *context)
{
	int status = seen_local_walk(content->local, tell, context);

	return status < 0 ? refused("%s: %s", content->name,
				    seen_local_error()) : status;
}

static int show_key(const uint8_t *key, size_t len, uint32_t value,
		    void *context)
{
	const struct content *content = context;
	char *text = content_text(content, key, len);
	bool has_value = content_has_values(content);

	if (!text)
		return no_memory();
	if (ctl.json) {
		json_open(NULL, '{');
		json_text("key", text);
		if (has_value)
			json_number("value", value);
		json_close();
	} else if (has_value) {
		printf("%s %u\n", text, value);
	} else {
		puts(text);
	}
	free(text);
	return DONE;
}

int key_show(struct args *args)
{
	struct content content = {};
	char name[SEEN_NAME_MAX];
	int status = args_name(args, "name", name);

	if (!status)
		status = args_end(args);
	if (!status)
		status = content_filter(&content, name);
	if (!status)
		status = content_walk(&content, show_key, &content);
	content_close(&content);
	return status;
}
