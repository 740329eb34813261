// SPDX-License-Identifier: GPL-2.0
/*
 * share SHARE PRODUCERS < MESSAGES: a message queue in which no producer delays the others. Each
 * line is a message: the number of its period (such as the second in which it was sent), the name
 * of its producer, and its text. The messages are printed in their order, but messages of a
 * producer beyond SHARE in a period wait until the period's other messages are printed. None is
 * lost.
 *
 * Direction of error: a message may wait although its producer is within its share. If all
 * PRODUCERS send in a period, one in 400 of them may meet this. Each period has a new filter, in
 * which other producers meet it. No producer gets more than its share, because a count is never
 * too low. If more than PRODUCERS send, the messages of further producers do not wait.
 *
 * A million producers need 8 MB. SHARE is 1 to 15, the counts of type counting.
 *
 * gcc -O2 share.c -o share $(pkg-config --cflags --libs libseen)
 */
#include <seen/local.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct queue {
	struct seen_filter_config config;
	unsigned long long period;
	struct seen_local *sent;	/* how many messages of each producer are in the period */
	FILE *waiting;			/* messages until the end of the period */
	unsigned long long messages;
	unsigned long long waited;
	unsigned long long full;	/* messages of producers that found no room */
};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "share: %s: %s\n", what, why);
	exit(1);
}

static void begin_period(struct queue *queue, unsigned long long period)
{
	queue->period = period;
	/* Without a secret in the configuration, each filter has another one. */
	if (seen_local_create(&queue->sent, &queue->config))
		die("filter", seen_local_error());
	queue->waiting = tmpfile();
	if (!queue->waiting)
		die("waiting messages", "no temporary file");
}

static void end_period(struct queue *queue)
{
	char part[1 << 16];
	size_t len;

	rewind(queue->waiting);
	while ((len = fread(part, 1, sizeof(part), queue->waiting)))
		fwrite(part, 1, len, stdout);
	if (ferror(queue->waiting))
		die("waiting messages", "cannot be read");
	fclose(queue->waiting);
	seen_local_close(queue->sent);
}

/*
 * Below the threshold, which is the share, a key is counted and called new. This is one atomic
 * step: with many threads exactly SHARE messages of a producer would get "new", too.
 */
static bool within_share(struct queue *queue, const char *producer, size_t len)
{
	switch (seen_local_test_and_add(queue->sent, producer, len)) {
	case SEEN_KEY_RESULT_SEEN:
		return false;
	case SEEN_KEY_RESULT_FULL:
		/* In doubt a message does not wait. */
		queue->full++;
	}
	return true;
}

static void take(struct queue *queue, const char *message)
{
	char *after;
	unsigned long long period = strtoull(message, &after, 10);
	const char *producer = after + strspn(after, " ");
	size_t len = strcspn(producer, "\n ");

	if (after == message || producer == after || !len) {
		fprintf(stderr, "share: line %llu: needs a period, a producer and a text\n",
			queue->messages + 1);
		exit(1);
	}
	if (period != queue->period || !queue->messages) {
		if (queue->messages)
			end_period(queue);
		begin_period(queue, period);
	}
	queue->messages++;
	if (within_share(queue, producer, len)) {
		fputs(message, stdout);
		return;
	}
	queue->waited++;
	if (fputs(message, queue->waiting) < 0)
		die("waiting messages", "cannot be stored");
}

int main(int argc, char **argv)
{
	struct queue queue = {
		.config = {
			.type = SEEN_TYPE_COUNTING,
			.fpp = SEEN_FPP_ONE / 400,
			.key = {
				.profile = SEEN_KEY_PROFILE_BYTES,
				.count = 1,
				.field = { { .id = SEEN_FIELD_BYTES } },
			},
		},
	};
	struct seen_filter_info info = { 0 };
	char *message = NULL;
	size_t room = 0;

	if (argc != 3)
		die("usage", "share SHARE PRODUCERS < MESSAGES");
	/* 0 would be the default of the library, which is 1. */
	queue.config.threshold = strtoul(argv[1], NULL, 10);
	if (!queue.config.threshold)
		die(argv[1], "the share is 1 to 15");
	queue.config.capacity = strtoull(argv[2], NULL, 10);
	while (getline(&message, &room, stdin) > 0)
		take(&queue, message);
	if (queue.messages) {
		seen_local_info(queue.sent, &info);
		end_period(&queue);
	}
	if (fflush(stdout))
		die("standard output", "cannot be written");
	fprintf(stderr, "messages %llu waited %llu full %llu filter-bytes %llu\n",
		queue.messages, queue.waited, queue.full,
		(unsigned long long)info.bytes);
	free(message);
	return 0;
}
