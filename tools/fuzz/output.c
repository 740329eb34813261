// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../seenctl/seenctl.h"
#include "output.h"

/* The real streams of the process while they are replaced. */
static FILE *kept_out, *kept_err;
static int kept_fd, data_fd;
static struct output now;
static size_t out_size, err_size;

/* Descriptor for messages to people; libFuzzer may close standard error. */
static int report;

__attribute__((constructor)) static void keep_report(void)
{
	report = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
}

void wrong(const char *what, const char *where)
{
	dprintf(report, "fuzz: %s: %s\n", what, where);
	abort();
}

static void data_begin(void)
{
	data_fd = memfd_create("fuzz", MFD_CLOEXEC);
	kept_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
	if (data_fd < 0 || dup2(data_fd, STDOUT_FILENO) < 0)
		abort();
}

static void data_end(struct output *output)
{
	off_t size = lseek(data_fd, 0, SEEK_END);

	output->data = malloc(size + 1);
	output->size = size;
	if (pread(data_fd, output->data, size, 0) != size)
		abort();
	output->data[size] = '\0';
	close(data_fd);
	close(STDOUT_FILENO);
	if (kept_fd < 0)
		return;
	dup2(kept_fd, STDOUT_FILENO);
	close(kept_fd);
}

void output_begin(void)
{
	fflush(stdout);
	data_begin();
	kept_out = stdout;
	kept_err = stderr;
	stdout = open_memstream(&now.out, &out_size);
	stderr = open_memstream(&now.err, &err_size);
	if (!stdout || !stderr)
		abort();
}

struct output output_end(void)
{
	fclose(stdout);
	fclose(stderr);
	stdout = kept_out;
	stderr = kept_err;
	data_end(&now);
	return now;
}

void output_free(struct output *output)
{
	free(output->out);
	free(output->err);
	free(output->data);
}

/*
 * Does the error text "seenctl: filter add: capacity: REASON" have a reason? A text with a reason
 * ends with ": " only if it quotes an empty word, as in "not 1 field (src): ".
 */
static bool says_why(const char *err)
{
	const char *line = strstr(err, "seenctl: "), *end;

	if (!line)
		return false;
	end = strchr(line, '\n');
	return end && end - line > 3 &&
	       (strncmp(end - 2, ": ", 2) || end[-3] == ')');
}

/* Has the text a line with an error? Notes do not count. */
static bool complains(const char *err)
{
	static const char who[] = "seenctl: ";

	while ((err = strstr(err, who))) {
		err += sizeof(who) - 1;
		if (strncmp(err, "note: ", strlen("note: ")))
			return true;
	}
	return false;
}

void output_judge(const struct output *output, int status)
{
	if (status != DONE && status != NOT_SEEN && !says_why(output->err))
		wrong("a command fails without an error text", output->err);
	if (status == DONE && complains(output->err))
		wrong("a command succeeds with an error text", output->err);
}
