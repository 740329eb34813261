// SPDX-License-Identifier: GPL-2.0
/*
 * faults [long]: each allocation of each request fails in turn, until the request is
 * done and none has failed; with $NTH_ONWARDS once more, when all behind the one that
 * fails do, too. Run in an empty network namespace of its own.
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
#include "commands.h"
#include "memory_events.h"
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
 * @before: the state without it
 * @after: the state when it was done and nothing had failed
 * @otherwise: that which op->otherwise leaves, or NULL
 * @now: the state it left
 * @left: that which op->refused leaves, if a key was refused, or NULL
 * @onwards: all behind that one fail, too
 * @n: which allocation
 * @err: what came of it
 * @text: and in words
 * @said: hash of the answer
 * @expected: of that when nothing had failed
 * @told: events, see memory_events.h
 * @lost: there was one for which there was no memory
 * @fault: what the log says
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

/* The family's refusals have words, which the C library's for the number are not. */
static bool has_words(const struct trial *trial)
{
	return strcmp(trial->text, strerror(-trial->err)) &&
	       (strstr(trial->text, "memory") ||
		strstr(trial->text, "could not be allocated"));
}

/* Of what was not done, and of nothing else. An event needs memory, too. */
static bool is_told(const struct trial *trial)
{
	return trial->lost ||
	       !strcmp(trial->told, trial->op->tells ? trial->op->tells : "");
}

static const char *judge_done(const struct trial *trial)
{
	if (trial->said != trial->expected)
		return "it is answered otherwise";
	if (is_after(trial))
		return trial->op->tells && *trial->told ?
		       "it is told as not done" : NULL;
	if (!is_now(trial, trial->otherwise))
		return "it says that it is done, which it is not";
	return is_told(trial) ? NULL : "it is not told what was not done";
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
		return "it was refused, and yet something has changed";
	if (trial->left && !is_told(trial))
		return "it is not told what was refused";
	if (trial->op->kernel)
		return NULL;
	if (trial->err != -ENOMEM &&
	    (trial->fault.own || trial->err != -ENOBUFS))
		return "the error is not ENOMEM";
	if ((trial->fault.own || !trial->fault.logged) && !has_words(trial))
		return "the error has no words";
	return NULL;
}

/* Why it is not as it should be, or NULL. */
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

/* The state that @err leaves in fixtures prepared for @op, of which nothing stays. */
static char *state_after(int err)
{
	must(err);
	return state_read(client);
}

/* What is due where a key was refused, which is not nothing. */
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

/* Return: an allocation has failed. */
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
	why = failed || !trial->err ? judge(trial) : "it does not work at all";
	if (!why && !failed && !is_after(trial))
		why = "without a failure it does something else";
	if (why)
		blame(trial, why);
	return failed;
}

/*
 * Nothing of the request is left, also not of devices, which a state does not tell: a
 * rename that fails in 6.1 may leave one's link in sysfs, and then each further one does.
 */
static bool is_untouched(const struct trial *trial)
{
	return trial->err && !trial->op->kernel && is_before(trial) &&
	       !nth_calls.send_errno && !nth_calls.recv_errno;
}

/* With the kernel's fault injection each has at least that of the message. */
static bool is_free(const struct op *op)
{
	return op->free && getenv("NTH_CONTROL");
}

/* What comes of it where no memory is missing. */
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

/* Return: whether it has come to its end. */
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

/* One after the other; then each with all behind it. */
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
	printf(" (at %u places), %u with all behind them: ", found.sites,
	       found.onwards);
	printf("%u refused, %u done all the same, %u unexpected\n",
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
	good = result(fixture_account(), "no memory is charged for nothing");
	good &= result(found.sites, "the module was in some of it");
	good &= result(!commands_missed(client, &commands),
		       "each command of the family was among the requests");
	printf("1..%u\n", found.results);
	tell_figures(requests, commands);
	return found.bad || !good;
}
