// SPDX-License-Identifier: GPL-2.0
/* Reads what the kernel's log reports about the allocations that failed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nth.h"
#include "numbers.h"

#define LOG_BYTES	1048576
/* The text that module/seen_nth.c prints. */
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

/* Reports with a stack: of the requested failure, of vmalloc, and of the page allocator. */
static const char *const expected[] = {
	"FAULT_INJECTION: forcing a failure", "vmalloc error: ",
	"page allocation failure: ",
};

/* Reports that no failing allocation may cause. */
static const char *const complaints[] = {
	"WARNING:", "BUG:", "Oops", "UBSAN:", "KASAN:", "KCSAN:", "recursive locking",
	"circular locking", "inconsistent lock", "suspicious RCU",
	"held lock freed", "refcount_t:", "leak detector disabled",
};

static char log_text[LOG_BYTES + 1];
/* This descriptor has its own position in the log, so other readers still get all lines. */
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

/* Format: "6,339,5140900,-;the line" and, below it, lines for programs. */
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

/* All lines since the last call. Lines overwritten before that might be complaints: an error. */
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

/* A place in the code, "seen_binding_add+0x1c/0x80". Without an offset it is only a pointer. */
static bool is_place(const char *word, size_t len)
{
	const char *offset = memchr(word, '+', len);

	return offset && !strncmp(offset, "+0x", 3) && strncmp(offset, "+0x0/", 5);
}

/* The unwinder marks an entry with "? " if it may be left over from an earlier call. */
static bool is_doubtful(const char *word)
{
	return word >= log_text + 2 && !strncmp(word - 2, "? ", 2);
}

/* Without an unwinder the kernel searches the stack for addresses, and every entry is doubtful. */
static bool is_unwound(void)
{
	const char *word;
	size_t len;

	for (word = log_text; *word; word += len + !!word[len]) {
		len = strcspn(word, "\n ");
		if (is_place(word, len) && !is_doubtful(word))
			return true;
	}
	return false;
}

/*
 * Failures that the kernel tolerates: of the announcement of a family, and of the name that
 * lockdep stores for a workqueue.
 */
static bool is_dispensable(void)
{
	return strstr(log_text, " genl_ctrl_event+") ||
	       strstr(log_text, " ctrl_build_family_msg+") ||
	       (strstr(log_text, " kasprintf+") && strstr(log_text, " alloc_workqueue+"));
}

/*
 * Finds the first entry of the module on the stack: " seen_binding_add+0x1c/0x80 [seen]". Without
 * an unwinder it may be left over from an earlier call; there the build of the module that marks
 * its own places (module/places.h) is more reliable.
 */
static void find_site(struct nth_fault *fault)
{
	const char *end = log_text, *word;
	bool unwound = is_unwound();

	if (getenv("NTH_ASKED"))
		end = strstr(log_text, ASKED);
	if (is_dispensable())
		return;
	for (; end && (end = strstr(end, " [seen]")); end++) {
		for (word = end; word > log_text && word[-1] != ' '; word--)
			;
		if (!is_place(word, end - word) || (unwound && is_doubtful(word)))
			continue;
		fault->own = true;
		snprintf(fault->site, sizeof(fault->site), "%.*s", (int)(end - word), word);
		return;
	}
}

/* Old kernels dump the stack of a call that registers a sysctl without enough memory. */
static unsigned int count_sysctl(void)
{
	const char *line = log_text;
	unsigned int found = 0;

	while ((line = strstr(line, " dump_stack"))) {
		line += strcspn(line, "\n");
		found += !strncmp(line, "\n __register_sysctl_table+", 26);
	}
	return found;
}

void nth_log(struct nth_fault *fault)
{
	unsigned int stacks;
	size_t i;

	memset(fault, 0, sizeof(*fault));
	read_log();
	fault->logged = count(log_text, expected[0]);
	find_site(fault);
	stacks = count_sysctl();
	for (i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		stacks += count(log_text, expected[i]);
	fault->noise = count(log_text, "Call Trace:") > stacks;
	for (i = 0; i < sizeof(complaints) / sizeof(*complaints); i++)
		fault->noise |= !!strstr(log_text, complaints[i]);
	if (fault->noise)
		printf("# the kernel complained:\n%s\n", log_text);
}
