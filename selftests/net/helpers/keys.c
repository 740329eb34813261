// SPDX-License-Identifier: GPL-2.0
/*
 * keys add|new|test|del FILTER FIRST COUNT: one operation for each numbered key.
 * keys flood FILTER FIRST COUNT: "new" for each key, also if the filter is full.
 * keys churn FILTER FIRST COUNT SECONDS: deletes the first keys and adds the same
 *	number of keys after the last, again and again, so that their number is constant.
 * keys renew FILTER FIRST COUNT SECONDS: adds the keys again and again.
 * keys hold FILTER FIRST COUNT SECONDS [WINDOW]: adds the keys and tests them again
 *	and again, at least ten times, unless that takes more than two minutes longer.
 *	With a window (ms) it adds the keys again before they expire, and ignores
 *	answers that came so late that the keys may have expired.
 * The commands with SECONDS end early by SIGTERM, once they have printed "begun 1".
 * Prints the kernel's answers, each word with its number.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "numbers.h"

/* Keys a request; those of one that are deleted before as many are added. */
#define STEP	512
#define PORTION	16
#define ROUNDS	10
#define PATIENCE	120
/* Most answers that differ: enum seen_key_result. */
#define RESULTS	8

struct job {
	struct seen_client *client;
	const char *filter;
	uint64_t first;
	uint64_t count;
	uint64_t answers[RESULTS];
};

static struct seen_keys keys;
static volatile sig_atomic_t ended;

static void end_it(int signal)
{
	(void)signal;
	ended = 1;
}

/* One request for at most @most keys from @at on; returns how many. */
static uint32_t ask(struct job *job, enum seen_cmd cmd, bool if_new,
		    uint64_t at, uint32_t most)
{
	uint64_t left = job->first + job->count - at;
	int err;

	keys_fill(&keys, at, left < most ? left : most);
	err = seen_keys_send(job->client, cmd, job->filter, if_new, &keys);
	if (err) {
		errno = 0;
		fatal(seen_error(job->client));
	}
	return keys.count;
}

static void count(struct job *job)
{
	uint32_t i;

	for (i = 0; i < keys.done; i++)
		job->answers[keys.result[i] % RESULTS]++;
}

static void once(struct job *job, enum seen_cmd cmd, bool if_new)
{
	uint64_t at;

	for (at = job->first; at < job->first + job->count; ) {
		at += ask(job, cmd, if_new, at, STEP);
		count(job);
		rest();
	}
}

/*
 * The kernel stops at the first key that the filter has no room for. The next request begins
 * after that key, and has one key, because most likely there is no room for it either.
 */
static void flood(struct job *job)
{
	const uint64_t end = job->first + job->count;
	uint32_t step = STEP;
	uint64_t at;
	int err;

	for (at = job->first; at < end; at += keys.done + keys.failed) {
		keys_fill(&keys, at, end - at < step ? end - at : step);
		err = seen_keys_send(job->client, SEEN_CMD_KEY_ADD, job->filter, true,
				     &keys);
		count(job);
		if (err && (err != -ENOSPC || !keys.failed)) {
			errno = 0;
			fatal(seen_error(job->client));
		}
		job->answers[SEEN_KEY_RESULT_FULL] += keys.failed;
		step = keys.failed ? 1 : STEP;
	}
}

/* Adds what is new: a key that comes back would find its place still free. */
static void churn(struct job *job)
{
	uint64_t at;

	for (at = 0; at < job->count; at += keys.count) {
		ask(job, SEEN_CMD_KEY_DEL, false, job->first, PORTION);
		count(job);
		job->first += keys.count;
		ask(job, SEEN_CMD_KEY_ADD, false,
		    job->first + job->count - keys.count, PORTION);
	}
}

/* Tests all keys, until @due at the latest. */
static void hold(struct job *job, double due)
{
	uint64_t at;

	for (at = job->first; at < job->first + job->count; ) {
		at += ask(job, SEEN_CMD_KEY_TEST, false, at,
			  STEP);
		if (due && now() > due)
			return;
		count(job);
		rest();
	}
}

static bool held(const struct job *job)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < RESULTS; i++)
		sum += job->answers[i];
	return sum >= ROUNDS * job->count;
}

/* A tenth of the window is left for the clock that the kernel measures it by. */
static void hold_all(struct job *job, double end, double window)
{
	struct job quiet = *job;
	double due = 0;
	bool going;

	do {
		if (window)
			due = now() + window * 0.9;
		once(&quiet, SEEN_CMD_KEY_ADD, false);
		do {
			hold(job, due);
			going = !ended && now() < end + (held(job) ? 0 : PATIENCE);
		} while (going && (!due || now() < due));
	} while (going);
}

static void report(const struct job *job)
{
	static const char *const words[RESULTS] = {
		[SEEN_KEY_RESULT_NEW] = "new",
		[SEEN_KEY_RESULT_SEEN] = "seen",
		[SEEN_KEY_RESULT_FULL] = "full",
		[SEEN_KEY_RESULT_COPIES] = "copies",
		[SEEN_KEY_RESULT_ABSENT] = "absent",
		[SEEN_KEY_RESULT_STALE] = "stale",
	};
	int i;

	for (i = 0; i < RESULTS; i++)
		if (words[i])
			printf("%s %ju ", words[i],
			       (uintmax_t)job->answers[i]);
	printf("\n");
}

static const struct {
	const char *verb;
	enum seen_cmd cmd;
	bool if_new;
} plain[] = {
	{ "add", SEEN_CMD_KEY_ADD, false },
	{ "new", SEEN_CMD_KEY_ADD, true },
	{ "test", SEEN_CMD_KEY_TEST, false },
	{ "del", SEEN_CMD_KEY_DEL, false },
};

static void run_once(struct job *job, const char *verb)
{
	unsigned int i;

	for (i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (!strcmp(verb, plain[i].verb)) {
			once(job, plain[i].cmd, plain[i].if_new);
			return;
		}
	}
	if (strcmp(verb, "flood"))
		fatal(verb);
	flood(job);
}

static void run_long(struct job *job, const char *verb, double end,
		     double window)
{
	signal(SIGTERM, end_it);
	printf("begun 1 ");
	fflush(stdout);
	if (!strcmp(verb, "hold"))
		hold_all(job, end, window);
	else if (!strcmp(verb, "churn"))
		do
			churn(job);
		while (!ended && now() < end);
	else if (!strcmp(verb, "renew"))
		do
			once(job, SEEN_CMD_KEY_ADD, false);
		while (!ended && now() < end);
	else
		fatal(verb);
}

int main(int argc, char **argv)
{
	struct job job = {};

	if (argc < 5 || argc > 7)
		fatal("usage: keys VERB FILTER FIRST COUNT [SECONDS [WINDOW]]");
	job.client = connect_seen();
	job.filter = argv[2];
	job.first = number(argv[3]);
	job.count = number(argv[4]);
	if (argc == 5)
		run_once(&job, argv[1]);
	else
		run_long(&job, argv[1], now() + number(argv[5]),
			 argc > 6 ? number(argv[6]) * 0.001 : 0);
	seen_close(job.client);
	report(&job);
	return 0;
}
