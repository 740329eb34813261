// SPDX-License-Identifier: GPL-2.0
/* What the kernel's log says of the allocations that failed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nth.h"
#include "numbers.h"

#define LOG_BYTES	1048576
/* What module/seen_nth.c says. */
#define ASKED		"seen_nth: asked for by "
/* The kernel's own limit for a record. */
#define RECORD_BYTES	8192

static const char *const knobs[][2] = {
	{ "failslab/ignore-gfp-wait", "N" },
	{ "failslab/verbose", "2" },
	{ "fail_page_alloc/ignore-gfp-wait", "N" },
	{ "fail_page_alloc/ignore-gfp-highmem", "N" },
	{ "fail_page_alloc/min-order", "0" },
	{ "fail_page_alloc/verbose", "2" },
};

/* Each is followed by a stack: of what failed as it was told, and vmalloc's own word. */
static const char *const expected[] = {
	"FAULT_INJECTION: forcing a failure", "vmalloc error: ",
	"page allocation failure: ",
};

/* What no failing allocation may lead to. */
static const char *const complaints[] = {
	"WARNING:", "BUG:", "Oops", "UBSAN:", "KASAN:", "KCSAN:", "recursive locking",
	"circular locking", "inconsistent lock", "suspicious RCU",
	"held lock freed", "refcount_t:", "leak detector disabled",
};

static char log_text[LOG_BYTES + 1];
/* A place of its own in the log, of which others still read all. */
static int log_fd;

static void set(const char *name, const char *value)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/kernel/debug/%s", name);
	file = fopen(path, "w");
	if (!file || fputs(value, file) < 0 || fclose(file))
		fatal(path);
}

void nth_open(void)
{
	size_t i;

	for (i = 0; i < sizeof(knobs) / sizeof(*knobs); i++)
		if (!getenv("NTH_CONTROL"))
			set(knobs[i][0], knobs[i][1]);
	log_fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (log_fd < 0 || lseek(log_fd, 0, SEEK_END) < 0)
		fatal("/dev/kmsg");
}

/* "6,339,5140900,-;the line" and, below it, lines for machines */
static size_t put_record(char *to, const char *record)
{
	const char *line = strchr(record, ';');
	size_t len;

	if (!line)
		return 0;
	len = strcspn(++line, "\n");
	memcpy(to, line, len);
	to[len] = '\n';
	return len + 1;
}

/* All lines since the last call. What was overwritten unread may be a complaint. */
static void read_log(void)
{
	char record[RECORD_BYTES + 1];
	size_t size = 0;
	ssize_t got;

	while ((got = read(log_fd, record, RECORD_BYTES)) > 0) {
		record[got] = '\0';
		if (size + got > LOG_BYTES)
			fatal("too much in the log");
		size += put_record(log_text + size, record);
	}
	if (got < 0 && errno != EAGAIN)
		fatal("/dev/kmsg");
	log_text[size] = '\0';
}

static unsigned int count(const char *text, const char *word)
{
	unsigned int found = 0;

	while ((text = strstr(text, word))) {
		found++;
		text += strlen(word);
	}
	return found;
}

/*
 * " seen_slot_add+0x1c/0x80 [seen]": the first of the stack. Where it is not unwound but
 * searched, pointers to functions are found, too, but at no offset; and what was there
 * before. There a build of the module that says what is its own tells better.
 */
static void find_site(struct nth_fault *fault)
{
	const char *end = log_text, *at, *offset;

	if (getenv("NTH_ASKED"))
		end = strstr(log_text, ASKED);
	while (end && (end = strstr(end, " [seen]"))) {
		for (at = end; at > log_text && at[-1] != ' '; at--)
			;
		offset = memchr(at, '+', end - at);
		if (offset && strncmp(offset, "+0x0/", 5))
			break;
		end++;
	}
	if (!end)
		return;
	fault->own = true;
	snprintf(fault->site, sizeof(fault->site), "%.*s", (int)(end - at), at);
}

void nth_log(struct nth_fault *fault)
{
	unsigned int stacks = 0;
	size_t i;

	memset(fault, 0, sizeof(*fault));
	read_log();
	fault->logged = count(log_text, expected[0]);
	find_site(fault);
	for (i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		stacks += count(log_text, expected[i]);
	fault->noise = count(log_text, "Call Trace:") > stacks;
	for (i = 0; i < sizeof(complaints) / sizeof(*complaints); i++)
		fault->noise |= !!strstr(log_text, complaints[i]);
	if (fault->noise)
		printf("# the kernel complained:\n%s\n", log_text);
}
