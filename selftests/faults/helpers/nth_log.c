// SPDX-License-Identifier: GPL-2.0
/* What the kernel's log says of the allocations that failed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>

#include "nth.h"

#define READ_CLEAR	4
#define LOG_BYTES	1048576

static const char *const knobs[][2] = {
	{ "failslab/ignore-gfp-wait", "N" },
	{ "failslab/verbose", "2" },
	{ "fail_page_alloc/ignore-gfp-wait", "N" },
	{ "fail_page_alloc/ignore-gfp-highmem", "N" },
	{ "fail_page_alloc/min-order", "0" },
	{ "fail_page_alloc/verbose", "2" },
};

/* What no failing allocation may lead to. */
static const char *const complaints[] = {
	"WARNING:", "BUG:", "Oops", "UBSAN:", "KASAN:", "KCSAN:", "recursive locking",
	"circular locking", "inconsistent lock", "suspicious RCU",
	"held lock freed", "refcount_t:", "leak detector disabled",
};

static char log_text[LOG_BYTES + 1];

static void set(const char *name, const char *value)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/kernel/debug/%s", name);
	file = fopen(path, "w");
	if (!file || fputs(value, file) < 0 || fclose(file)) {
		perror(path);
		exit(2);
	}
}

void nth_open(void)
{
	size_t i;

	for (i = 0; i < sizeof(knobs) / sizeof(*knobs); i++)
		if (!getenv("NTH_CONTROL"))
			set(knobs[i][0], knobs[i][1]);
	klogctl(READ_CLEAR, log_text, LOG_BYTES);
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

/* " seen_slot_add+0x1c/0x80 [seen]": the first of the stack. */
static void find_site(struct nth_fault *fault)
{
	const char *end = strstr(log_text, " [seen]"), *at;

	if (!end)
		return;
	fault->own = true;
	for (at = end; at > log_text && at[-1] != ' '; at--)
		;
	snprintf(fault->site, sizeof(fault->site), "%.*s", (int)(end - at), at);
}

void nth_log(struct nth_fault *fault)
{
	int size = klogctl(READ_CLEAR, log_text, LOG_BYTES);
	unsigned int forced;
	size_t i;

	memset(fault, 0, sizeof(*fault));
	if (size < 0) {
		perror("klogctl");
		exit(2);
	}
	log_text[size] = '\0';
	forced = count(log_text, "FAULT_INJECTION: forcing a failure");
	fault->logged = forced;
	find_site(fault);
	fault->noise = count(log_text, "Call Trace:") > forced;
	for (i = 0; i < sizeof(complaints) / sizeof(*complaints); i++)
		fault->noise |= !!strstr(log_text, complaints[i]);
	if (fault->noise)
		printf("# the kernel complained:\n%s\n", log_text);
}
