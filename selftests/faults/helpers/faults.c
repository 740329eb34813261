// SPDX-License-Identifier: GPL-2.0
/*
 * faults [long]: lets each allocation of each request fail in turn, until the request succeeds
 * without a failure; with $NTH_ONWARDS once more, so that all allocations after the chosen one
 * fail, too. Must run in an empty network namespace of its own.
 *
 * If an allocation failed, the request either has its full effect, or is refused for lack of
 * memory, with a text, and has changed nothing. If there was no memory for the message or for
 * its answer, the kernel sends no text, and the client cannot know which of the two happened.
 *
 * Prints TAP: a result for each request, and figures.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "commands.h"
#include "memory_events.h"
#include "nth.h"
#include "numbers.h"
#include "ops.h"
#include "state.h"

/* More allocations than any request has: a request that reaches this never ends. */
#define MOST	4000
#define SITES	512

/* Totals of all requests. */
static struct {
	unsigned int results;
	unsigned int failures;
	unsigned int onwards;
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
 * @before: the state before the request
 * @after: the state after it, without a failure
 * @otherwise: the state after op->otherwise, or NULL
 * @now: the state that it left
 * @left: the state after op->refused, if a key was refused, or NULL
 * @onwards: all later allocations fail, too
 * @n: number of the allocation that fails, from 1
 * @err: result of the request
 * @text: its error text
 * @said: hash of the answer
 * @expected: hash of the answer without a failure
 * @told: events, see memory_events.h
 * @lost: there was no memory for an event
 * @fault: what the kernel's log reports
 */
struct trial {
	const struct op *op;
	char *before;
	char *after;
	char *otherwise;
	char *now;
	char *left;
	bool onwards;
	unsigned int n;
	int err;
	char text[256];
	uint64_t said;
	uint64_t expected;
	char told[MEMORY_EVENTS_LEN];
	bool lost;
	struct nth_fault fault;
};

static bool is_now(const struct trial *trial, const char *state)
{
	return state && !strcmp(trial->now, state);
}

static bool is_before(const struct trial *trial)
{
	return is_now(trial, trial->before);
}

static bool is_after(const struct trial *trial)
{
	return is_now(trial, trial->after);
}

/* A refusal by the family has a text of its own, not the C library's text for the number. */
static bool has_words(const struct trial *trial)
{
	return strcmp(trial->text, strerror(-trial->err)) &&
	       (strstr(trial->text, "memory") ||
		strstr(trial->text, "could not be allocated"));
}

/* An event reports exactly what was not done, unless there was no memory for the event. */
static bool is_told(const struct trial *trial)
{
	return trial->lost ||
	       !strcmp(trial->told, trial->op->tells ? trial->op->tells : "");
}

static const char *judge_done(const struct trial *trial)
{
	if (trial->said != trial->expected)
		return "the answer differs";
	if (is_after(trial))
		return trial->op->tells && *trial->told ?
		       "an event reports it as not done" : NULL;
	if (!is_now(trial, trial->otherwise))
		return "it succeeds without its effect";
	return is_told(trial) ? NULL : "no event reports what was not done";
}

static bool is_as_refused(const struct trial *trial)
{
	if (trial->left)
		return is_now(trial, trial->left);
	return is_before(trial) || (trial->op->steps && !trial->fault.own &&
				    is_now(trial, trial->otherwise));
}

static const char *judge_refused(const struct trial *trial)
{
	if (nth_calls.send_errno || nth_calls.recv_errno)
		return is_before(trial) || is_after(trial) ||
		       is_now(trial, trial->left) ? NULL :
		       "it was done in part";
	if (!is_as_refused(trial))
		return "it was refused, but has changed something";
	if (trial->left && !is_told(trial))
		return "no event reports what was refused";
	if (trial->op->kernel)
		return NULL;
	if (trial->err != -ENOMEM &&
	    (trial->fault.own || trial->err != -ENOBUFS))
		return "the error is not ENOMEM";
	if ((trial->fault.own || !trial->fault.logged) && !has_words(trial))
		return "the error has no text";
	return NULL;
}

/* The reason why the result is wrong, or NULL. */
static const char *judge(const struct trial *trial)
{
	if (trial->fault.noise)
		return "the kernel complained";
	return trial->err ? judge_refused(trial) : judge_done(trial);
}

static const char *due(const struct trial *trial)
{
	if (!trial->err)
		return trial->after;
	return trial->left ? trial->left : trial->before;
}

static void blame(const struct trial *trial, const char *why)
{
	found.bad++;
	printf("# %s, allocation %u%s: %s\n", trial->op->name, trial->n,
	       trial->onwards ? " and on" : "", why);
	printf("# error %d (%s), in %s%s; events: %s\n", trial->err,
	       trial->text,
	       trial->fault.own ? trial->fault.site : "the kernel",
	       trial->fault.logged ? "" : ", silently", trial->told);
	if (!is_now(trial, due(trial)))
		state_differ(due(trial), trial->now);
}

static void count(const struct trial *trial)
{
	if (trial->onwards)
		found.onwards++;
	else
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
	fixture_reset();
	if (op->prepare)
		op->prepare(sort);
	memory_events_forget();
}

/* The state after a call that returned @err, in fixtures prepared for @op. */
static char *state_after(int err)
{
	must(err);
	return state_read(client);
}

/* The expected state after a key was refused: earlier keys of the request were stored. */
static void look_at_refusal(struct trial *trial, const struct sort *sort)
{
	int done = fixture_keys_refused();

	trial->left = NULL;
	if (!trial->err || !trial->op->refused || done < 0)
		return;
	prepare(trial->op, sort);
	trial->left = state_after(trial->op->refused(done));
}

static void listen_to(struct trial *trial)
{
	bool awaited = trial->op->tells &&
		       (trial->err ? fixture_keys_refused() >= 0
				   : !is_after(trial));

	trial->lost = trial->onwards && awaited && memory_events_lost();
	memory_events_await(trial->told, awaited && !trial->lost);
}

static void run(struct trial *trial, const struct sort *sort)
{
	answer_take();
	trial->err = trial->op->run(sort);
	trial->said = answer_take();
	snprintf(trial->text, sizeof(trial->text), "%s",
		 trial->err ? seen_error(client) : "");
}

/* Return: true if an allocation failed. */
static bool try(struct trial *trial, const struct sort *sort)
{
	const char *why;
	bool failed;

	nth_arm(trial->n);
	run(trial, sort);
	failed = nth_disarm();
	nth_log(&trial->fault);
	trial->now = state_read(client);
	listen_to(trial);
	look_at_refusal(trial, sort);
	if (failed)
		count(trial);
	why = failed || !trial->err ? judge(trial) : "it fails without a failure";
	if (!why && !failed && !is_after(trial))
		why = "without a failure its effect differs";
	if (why)
		blame(trial, why);
	return failed;
}

/*
 * The request has left nothing, so its fixtures can be used again. Not for devices, which the
 * state does not show: in 6.1 a failed rename may leave a link in sysfs, and then every further
 * rename fails.
 */
static bool is_untouched(const struct trial *trial)
{
	return trial->err && !trial->op->kernel && is_before(trial) &&
	       !nth_calls.send_errno && !nth_calls.recv_errno;
}

/* With the kernel's fault injection every request allocates at least its message. */
static bool is_free(const struct op *op)
{
	return op->free && getenv("NTH_CONTROL");
}

/* Finds the expected states: runs the request without a failure. */
static void foresee(struct trial *trial, const struct sort *sort)
{
	const struct op *op = trial->op;

	if (op->otherwise) {
		prepare(op, sort);
		trial->otherwise = state_after(op->otherwise(sort));
	}
	prepare(op, sort);
	trial->before = state_read(client);
	run(trial, sort);
	must(trial->err);
	trial->expected = trial->said;
	trial->after = state_read(client);
}

/* Return: true if the request succeeded in the end. */
static bool try_all(struct trial *trial, const struct sort *sort)
{
	unsigned int bad = found.bad;
	bool more = true;

	prepare(trial->op, sort);
	for (trial->n = 0; more && ++trial->n < MOST && found.bad < bad + 5; ) {
		more = try(trial, sort);
		if (more && (!is_untouched(trial) || trial->left))
			prepare(trial->op, sort);
		free(trial->now);
		free(trial->left);
	}
	return !more;
}

/* Each allocation alone; then each with all later ones. */
static bool try_both(struct trial *trial, const struct sort *sort,
		     unsigned int *allocations)
{
	bool ended = try_all(trial, sort);

	*allocations = trial->n - 1;
	if (!ended || !*allocations || !getenv("NTH_ONWARDS"))
		return ended;
	nth_onwards(true);
	trial->onwards = true;
	ended = try_all(trial, sort);
	nth_onwards(false);
	return ended;
}

static void test(const struct op *op, const struct sort *sort)
{
	struct trial trial = { .op = op };
	unsigned int bad = found.bad, allocations;
	bool ended;

	foresee(&trial, sort);
	ended = try_both(&trial, sort, &allocations);
	if (!allocations && !is_free(op)) {
		found.bad++;
		printf("# %s: none of its allocations has failed\n", op->name);
	}
	printf("%sok %u - %s%s%s: %u allocations\n",
	       found.bad == bad && ended ? "" : "not ", ++found.results,
	       op->name, sort ? ", " : "", sort ? sort->name : "", allocations);
	fflush(stdout);
	free(trial.before);
	free(trial.after);
	free(trial.otherwise);
}

/* Runs with each sort that can do it, or only with the first such sort from number @from on. */
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
	for (i = 0; i < op_many_count; i++)
		test(&op_many[i], NULL);
	for (i = 0; i < op_links_count; i++)
		test(&op_links[i], NULL);
}

static bool result(bool good, const char *what)
{
	printf("%sok %u - %s\n", good ? "" : "not ", ++found.results, what);
	return good;
}

static void tell_figures(unsigned int requests, unsigned int commands)
{
	unsigned int i;

	printf("# figure: %u requests of %u commands, %u allocations failed in turn",
	       requests, commands, found.failures);
	printf(" (at %u places), %u with all later ones: ", found.sites,
	       found.onwards);
	printf("%u refused, %u with full effect, %u unexpected\n",
	       found.refused, found.survived, found.bad);
	for (i = 0; i < found.sites; i++)
		printf("# site %s\n", found.site[i]);
}

int main(int argc, char **argv)
{
	unsigned int requests, commands;
	bool good;

	nth_open();
	fixture_open();
	puts("TAP version 13");
	fixture_account();
	test_all(argc > 1 && !strcmp(argv[1], "long"));
	fixture_reset();
	requests = found.results;
	good = result(fixture_account(), "no memory stays charged");
	good &= result(found.sites, "the module made some of the allocations");
	good &= result(!commands_missed(client, &commands),
		       "each command of the family was among the requests");
	printf("1..%u\n", found.results);
	tell_figures(requests, commands);
	return found.bad || !good;
}
