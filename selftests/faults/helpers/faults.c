// SPDX-License-Identifier: GPL-2.0
/*
 * faults [long]: each allocation of each request fails in turn, until the request is
 * done and none has failed. Run in an empty network namespace of its own.
 *
 * A request that met a failure is done as if there had been none, or refused for want
 * of memory, in words, and has changed nothing. Where memory was missing for the
 * message itself, or for its answer, the kernel has no words, and the client cannot
 * know which of the two it is.
 *
 * Prints TAP: a result for each request, and figures.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "nth.h"
#include "numbers.h"
#include "ops.h"
#include "state.h"

/* No request has as many; one that has never ends. */
#define MOST	4000
#define SITES	512

/* What was found, of all requests. */
static struct {
	unsigned int results;
	unsigned int failures;
	unsigned int bad;
	unsigned int refused;
	unsigned int survived;
	unsigned int sites;
	char site[SITES][96];
} found;

static void add_site(const char *site)
{
	unsigned int i;

	for (i = 0; i < found.sites; i++)
		if (!strcmp(found.site[i], site))
			return;
	if (i < SITES)
		strcpy(found.site[found.sites++], site);
}

/**
 * struct trial - a request, one of whose allocations fails
 * @op: the request
 * @before: the state without it
 * @after: the state when it was done and nothing had failed
 * @now: the state it left
 * @n: which allocation
 * @err: what came of it
 * @text: and in words
 * @said: hash of the answer
 * @expected: of that when nothing had failed
 * @told: events that a guard waits
 * @fault: what the log says
 */
struct trial {
	const struct op *op;
	char *before;
	char *after;
	char *now;
	unsigned int n;
	int err;
	char text[256];
	uint64_t said;
	uint64_t expected;
	unsigned int told;
	struct nth_fault fault;
};

static bool is_before(const struct trial *trial)
{
	return !strcmp(trial->now, trial->before);
}

static bool is_after(const struct trial *trial)
{
	return !strcmp(trial->now, trial->after);
}

/* The family's refusals have words, which the C library's for the number are not. */
static bool has_words(const struct trial *trial)
{
	return strcmp(trial->text, strerror(-trial->err)) &&
	       strstr(trial->text, "memory");
}

/* Why it is not as it should be, or NULL. */
static const char *judge(const struct trial *trial)
{
	const struct op *op = trial->op;

	if (trial->fault.noise)
		return "the kernel complained";
	if (!trial->err) {
		if (trial->said != trial->expected)
			return "it is answered otherwise";
		if (is_after(trial))
			return NULL;
		if (op->otherwise != ELSE_TOLD || !trial->told)
			return "it says that it is done, which it is not";
		return NULL;
	}
	if (nth_calls.send_errno || nth_calls.recv_errno)
		return is_before(trial) || is_after(trial) ? NULL :
		       "it was done in part";
	if (!is_before(trial) && (!op->steps || trial->fault.own))
		return "it was refused, and yet something has changed";
	if (op->kernel)
		return NULL;
	if (trial->err != -ENOMEM &&
	    (trial->fault.own || trial->err != -ENOBUFS))
		return "the error is not ENOMEM";
	if ((trial->fault.own || !trial->fault.logged) && !has_words(trial))
		return "the error has no words";
	return NULL;
}

static void blame(const struct trial *trial, const char *why)
{
	found.bad++;
	printf("# %s, allocation %u: %s\n", trial->op->name, trial->n, why);
	printf("# error %d (%s), in %s%s\n", trial->err, trial->text,
	       trial->fault.own ? trial->fault.site : "the kernel",
	       trial->fault.logged ? "" : ", silently");
	if (!is_before(trial) && !is_after(trial))
		state_differ(trial->err ? trial->before : trial->after,
			     trial->now);
}

static void count(const struct trial *trial)
{
	found.failures++;
	if (trial->err)
		found.refused++;
	else
		found.survived++;
	if (trial->fault.own)
		add_site(trial->fault.site);
}

static void prepare(const struct op *op, const struct sort *sort)
{
	world_reset();
	if (op->prepare)
		op->prepare(sort);
	world_events(0);
}

/* Return: an allocation has failed. */
static bool try(struct trial *trial, const struct sort *sort)
{
	const char *why;
	bool failed;

	answer_take();
	nth_arm(trial->n);
	trial->err = trial->op->run(sort);
	failed = nth_disarm();
	trial->said = answer_take();
	nth_log(&trial->fault);
	snprintf(trial->text, sizeof(trial->text), "%s",
		 trial->err ? seen_error(client) : "");
	trial->told = world_events(SEEN_CMD_WAITING_NTF);
	trial->now = state_read(client);
	if (failed)
		count(trial);
	why = failed || !trial->err ? judge(trial) : "it does not work at all";
	if (!why && !failed && !is_after(trial))
		why = "without a failure it does something else";
	if (why)
		blame(trial, why);
	return failed;
}

/* Nothing of the request is left, also not of devices, which a state does not tell. */
static bool is_untouched(const struct trial *trial)
{
	return trial->err && is_before(trial) && !nth_calls.send_errno &&
	       !nth_calls.recv_errno;
}

/* With the kernel's fault injection each has at least that of the message. */
static bool is_free(const struct op *op)
{
	return op->free && getenv("NTH_CONTROL");
}

static void test(const struct op *op, const struct sort *sort)
{
	struct trial trial = { .op = op };
	unsigned int bad = found.bad;
	bool more = true;

	prepare(op, sort);
	trial.before = state_read(client);
	answer_take();
	must(op->run(sort));
	trial.expected = answer_take();
	trial.after = state_read(client);
	prepare(op, sort);
	while (more && ++trial.n < MOST && found.bad < bad + 5) {
		more = try(&trial, sort);
		if (more && !is_untouched(&trial))
			prepare(op, sort);
		free(trial.now);
	}
	if (trial.n == 1 && !is_free(op)) {
		found.bad++;
		printf("# %s: none of its allocations has failed\n", op->name);
	}
	printf("%sok %u - %s%s%s: %u allocations\n",
	       found.bad == bad && !more ? "" : "not ", ++found.results,
	       op->name, sort ? ", " : "", sort ? sort->name : "", trial.n - 1);
	fflush(stdout);
	free(trial.before);
	free(trial.after);
}

/* With each sort that can do it, or with the first such from number @from on. */
static void test_sorts(const struct op *op, unsigned int from, bool all)
{
	const struct sort *sort;
	unsigned int j, done = 0;

	for (j = 0; j < sort_count && (all || !done); j++) {
		sort = &sorts[(from + j) % sort_count];
		if (op_fits(op, sort)) {
			test(op, sort);
			done++;
		}
	}
	if (!done)
		fatal(op->name);
}

static void test_all(bool all)
{
	unsigned int i;

	for (i = 0; i < op_sorts_count; i++)
		test_sorts(&op_sorts[i], i, all || !i);
	for (i = 0; i < op_once_count; i++)
		if (all || !op_once[i].slow)
			test(&op_once[i], NULL);
	for (i = 0; i < op_links_count; i++)
		test(&op_links[i], NULL);
}

int main(int argc, char **argv)
{
	bool all = argc > 1 && !strcmp(argv[1], "long"), even;
	unsigned int i;

	nth_open();
	world_open();
	puts("TAP version 13");
	world_account();
	test_all(all);
	world_reset();
	even = world_account();
	printf("%sok %u - no memory is charged for nothing\n",
	       even ? "" : "not ", ++found.results);
	printf("%sok %u - the module was in some of it\n",
	       found.sites ? "" : "not ", ++found.results);
	printf("1..%u\n", found.results);
	printf("# figure: %u requests, %u allocations failed in turn",
	       found.results - 2, found.failures);
	printf(" (at %u places): %u refused, %u done all the same, %u unexpected\n",
	       found.sites, found.refused, found.survived, found.bad);
	for (i = 0; i < found.sites; i++)
		printf("# site %s\n", found.site[i]);
	return found.bad || !even || !found.sites;
}
