// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/key_field.h"
#include "../lib/key_range.h"
#include "lines.h"
#include "list.h"

#define BLANKS		" \t"
/* Size of the copy of a row for an error text. */
#define ROW_SHOWN	128

int list_open(struct list *list)
{
	list->key = malloc(SEEN_KEY_MAX);
	return list->key ? DONE : no_memory();
}

void list_close(struct list *list)
{
	free(list->key);
	csv_close(list->csv);
}

static int bad(struct list *list, const char *text, const char *why)
{
	snprintf(list->error, sizeof(list->error), "%.256s: %s", text, why);
	return LIST_BAD;
}

static bool has_field(const struct list *list, uint32_t id)
{
	return seen_key_find(&list->config->key, id);
}

static bool is_address(const struct list *list)
{
	return seen_key_is_address(&list->config->key);
}

/* Reason why a key cannot be stored, or NULL. */
static const char *misfit(const struct list *list, const uint8_t *key,
			  size_t len)
{
	if (list->lengths && !seen_key_lengths_add(list->lengths, key))
		return "the filter already has prefixes of 64 lengths; use one of these lengths";
	if (!list->longest)
		return NULL;
	if (len > list->longest)
		return "the key is too long for this filter";
	if (list->config->type == SEEN_TYPE_BITMAP &&
	    !seen_range_holds(list->config, key, len))
		return "keys must be in the bitmap's range";
	return NULL;
}

static int take_range(struct list *list, struct list_key *entry,
		      struct seen_key_range range, list_take_fn take,
		      void *context)
{
	char text[SEEN_KEY_TEXT_LEN(17)];
	int status = DONE;

	entry->text = text;
	while (!status && seen_key_range_next(&range, list->key)) {
		seen_key_format(&list->config->key, list->key, entry->len, text,
				sizeof(text));
		status = take(context, entry);
	}
	return status;
}

/* Check all keys of a range before the first one is taken. Returns the reason, or NULL. */
static const char *range_misfit(const struct list *list,
				struct seen_key_range range)
{
	struct seen_key_lengths before = {};
	const char *why = NULL;

	if (!list->lengths &&
	    (!list->longest || list->config->type != SEEN_TYPE_BITMAP))
		return NULL;
	if (list->lengths)
		before = *list->lengths;
	while (!why && seen_key_range_next(&range, list->key))
		why = misfit(list, list->key, range.bytes);
	if (why && list->lengths)
		*list->lengths = before;
	return why;
}

/* Text that is not a key may be a range, or a prefix that is shorter than the key's. */
static int take_many(struct list *list, struct list_key *entry,
		     list_take_fn take, void *context)
{
	bool ends = strchr(entry->text, '-');
	bool any = seen_key_spec_prefix(&list->config->key);
	struct seen_key_range range;
	char error[SEEN_KEY_ERROR_LEN];
	const char *why;
	int err;

	if (!is_address(list) || (!ends && (any || !strchr(entry->text, '/'))))
		return LIST_BAD;
	err = seen_key_range_parse(&list->config->key, entry->text, &range,
				   error);
	if (err && (ends || err == -E2BIG))
		snprintf(list->error, sizeof(list->error), "%s", error);
	if (err)
		return LIST_BAD;
	why = range_misfit(list, range);
	if (why)
		return bad(list, entry->text, why);
	entry->len = range.bytes;
	return take_range(list, entry, range, take, context);
}

/* Is @text an address without a length that the key shortens to a prefix? */
static bool is_bare(const struct list *list, const char *text,
		    const uint8_t *key)
{
	const struct seen_key_spec *spec = &list->config->key;

	for (uint32_t i = 0; i < spec->count; i++) {
		const struct seen_key_field *field = &spec->field[i];

		/* The payload is always the last part of a key. */
		if (field->id == SEEN_FIELD_PAYLOAD)
			continue;
		if (seen_key_shift(field, key))
			return !strchr(text, '/');
		key += seen_field_kind(field->id)->bytes +
		       seen_field_is_any(field);
	}
	return false;
}

int list_word(struct list *list, struct list_key *entry, list_take_fn take,
	      void *context)
{
	int len = seen_key_parse(&list->config->key, entry->text, list->key,
				 list->error);
	const char *why;

	entry->key = list->key;
	if (len < 0)
		return take_many(list, entry, take, context);
	why = misfit(list, list->key, len);
	if (why)
		return bad(list, entry->text, why);
	entry->len = len;
	list->bare += list->longest && is_bare(list, entry->text, list->key);
	return take(context, entry);
}

void list_no_value(struct list *list, const char *word, bool adds, const char *object)
{
	if (list->values || strcmp(word, "value"))
		return;
	if (adds)
		snprintf(list->error, sizeof(list->error), "value: needs type map");
	else
		snprintf(list->error, sizeof(list->error), "value: only %sadd takes a value",
			 object);
}

/* Is the word a host name as in hosts(5)? Only digits and dots are probably an address. */
static bool is_name(const char *word, size_t len)
{
	bool letter = false;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = word[i];

		letter |= isalpha(c) || c >= 0x80;
		if (!isalnum(c) && c < 0x80 && !strchr("._-", c))
			return false;
	}
	return letter;
}

static bool are_names(const char *rest)
{
	while (*(rest += strspn(rest, BLANKS))) {
		size_t len = strcspn(rest, BLANKS);

		if (!is_name(rest, len))
			return false;
		rest += len;
	}
	return true;
}

/* In a line as in hosts(5), cut off the names after the address. */
static void cut_names(char *line)
{
	size_t len = strcspn(line, BLANKS);

	if (are_names(line + len))
		line[len] = '\0';
}

/* Turn "A - B" into the range "A-B". A host name does not begin with a dash. */
static void join_range(char *line)
{
	char *to = line + strcspn(line, BLANKS);
	char *from = to + strspn(to, BLANKS);

	if (to > line && *from == '-')
		*to++ = *from++;
	else if (to == line || to[-1] != '-')
		return;
	from += strspn(from, BLANKS);
	memmove(to, from, strlen(from) + 1);
}

/*
 * Cut off a comment. The name of an interface may contain # and ;, so with the field iif
 * a comment needs a blank before it.
 */
static void cut_comment(const struct list *list, char *line)
{
	bool apart = has_field(list, SEEN_FIELD_IIF);
	char *at = line;

	while ((at = strpbrk(at, "#;"))) {
		if (!apart || at == line || strchr(BLANKS, at[-1])) {
			*at = '\0';
			return;
		}
		at++;
	}
}

/* Remove comments and blanks. A key of bytes may contain # and ;, so it has no comments. */
static char *clean(const struct list *list, char *line)
{
	if (!has_field(list, SEEN_FIELD_BYTES))
		cut_comment(list, line);
	line = lines_trim(line);
	if (is_address(list))
		join_range(line);
	return line;
}

/*
 * Cut the value, which is the last word, off the line. A line as in hosts(5) has no value.
 * Returns false if the last word is neither a value nor a name.
 */
static bool cut_value(const struct list *list, char *line,
		      struct list_key *entry)
{
	bool several = strpbrk(line, BLANKS);

	if (lines_value(line, &entry->value)) {
		entry->has_value = several;
		return true;
	}
	return !list->csv && is_address(list) &&
	       are_names(line + strcspn(line, BLANKS));
}

static int take_text(struct list *list, char *text, list_take_fn take,
		     void *context)
{
	struct list_key entry = { .text = text };

	if (list->values && !cut_value(list, text, &entry))
		return bad(list, text, LINES_NO_VALUE);
	if (is_address(list) && !list->csv)
		cut_names(text);
	return list_word(list, &entry, take, context);
}

/* Is this first row a header: it looks like a column name and cannot be a key? */
static bool is_header(struct list *list, const char *text)
{
	return csv_is_header(list->csv, text) &&
	       !has_field(list, SEEN_FIELD_BYTES) &&
	       seen_key_parse(&list->config->key, text, list->key,
			      list->error) < 0;
}

static int take_row(struct list *list, char *line, list_take_fn take,
		    void *context)
{
	char row[ROW_SHOWN], *text;
	const char *error;

	/* csv_row() modifies the row, so copy it for the error text. */
	snprintf(row, sizeof(row), "%s", line);
	switch (csv_row(list->csv, line, &text, &error)) {
	case CSV_SKIP:
		return DONE;
	case CSV_BAD:
		return bad(list, row, error);
	case CSV_HEADER:
		bad(list, row, error);
		return LIST_USELESS;
	case CSV_KEY:
		break;
	}
	return is_header(list, text) ? DONE :
				       take_text(list, text, take, context);
}

int list_line(struct list *list, char *line, list_take_fn take, void *context)
{
	if (list->csv)
		return take_row(list, line, take, context);
	line = clean(list, line);
	return *line ? take_text(list, line, take, context) : DONE;
}

const char *list_line_error(int err)
{
	switch (err) {
	case -E2BIG:
		return "the line has more than 262144 bytes";
	case -EILSEQ:
		return "the line contains a NUL byte";
	case -EBADMSG:
		return "the text is UTF-16; convert it: iconv -f UTF-16 -t UTF-8";
	default:
		return strerror(-err);
	}
}

int list_report(const char *path, uint64_t number, const char *error)
{
	char text[LIST_ERROR_LEN];
	size_t i;

	for (i = 0; error[i] && i + 1 < sizeof(text); i++)
		text[i] = iscntrl((unsigned char)error[i]) ? '?' : error[i];
	text[i] = '\0';
	return usage("%s%sline %ju: %s", path ? path : "", path ? ": " : "", number, text);
}

int list_refuse(struct lines *lines, uint64_t number, const char *text,
		const char *why)
{
	uint64_t behind = lines->number - number;
	bool all;

	behind += lines_rest(lines, &all);
	if (!behind && all)
		return refused("line %ju: %s: %s", number, text, why);
	return refused("line %ju: %s: %s; %s%ju more line%s %s not processed",
		       number, text, why, all ? "" : "at least ", behind,
		       behind == 1 ? "" : "s", behind == 1 ? "was" : "were");
}

/* Does the key shorten this field to a prefix of a fixed length? */
static bool has_prefix(const struct seen_key_field *field)
{
	return (field->id == SEEN_FIELD_SRC || field->id == SEEN_FIELD_DST) &&
	       (field->param || field->param6) && !seen_field_is_any(field);
}

void list_note(const struct list *list)
{
	const struct seen_key_field *field = list->config->key.field;
	bool one = list->bare == 1;
	char prefix[64];

	if (!list->bare)
		return;
	while (!has_prefix(field))
		field++;
	if (field->param && field->param6)
		snprintf(prefix, sizeof(prefix), "/%u (IPv4) or /%u (IPv6)",
			 field->param, field->param6);
	else
		snprintf(prefix, sizeof(prefix), "/%u%s",
			 field->param ? field->param : field->param6,
			 field->param ? "" : " (IPv6)");
	advise("%ju address%s without a prefix length %s treated as %s whole %s",
	       list->bare, one ? "" : "es", one ? "is" : "are",
	       one ? "its" : "their", prefix);
}

bool list_counts(uint32_t type)
{
	return type == SEEN_TYPE_COUNTING || type == SEEN_TYPE_CMS ||
	       type == SEEN_TYPE_CMM;
}

int read_csv(const struct param *param, const char *value)
{
	struct csv **csv = param->into;
	const char *error;

	csv_close(*csv);
	*csv = csv_open(value, &error);
	return *csv ? DONE : usage("%s: %s: %s", param->word, value, error);
}
