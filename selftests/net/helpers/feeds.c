// SPDX-License-Identifier: GPL-2.0
/*
 * feeds take FILTER DONE: takes a batch. Prints its numbers, and then for each record its
 *	hash, its age in ns, and "seen" or "deleted".
 * feeds drain FILTER: takes and confirms all batches, and prints sums.
 * feeds add|del FILTER: keys by their hash. Reads lines of hash and age, and prints the
 *	result of each.
 * feeds news FILTER AGE: news without a key, AGE ns old.
 * feeds bulk FILTER FIRST COUNT: adds numbered hashes, and prints the results, each word
 *	with its number.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"

static struct seen_client *client;
static const char *filter;

static void must(int err)
{
	if (!err)
		return;
	fprintf(stderr, "%s\n", seen_error(client));
	exit(1);
}

static int take(uint64_t done)
{
	struct seen_feed_batch batch;
	const struct seen_feed_record *record;

	must(seen_feed_take(client, filter, done, &batch));
	printf("batch %" PRIu64 " count %zu pending %" PRIu64 " lost %" PRIu64 "\n",
	       batch.number, batch.count, batch.pending, batch.lost);
	for (size_t i = 0; i < batch.count; i++) {
		record = &batch.records[i];
		printf("%016" PRIx64 " %" PRIu64 " %s\n", record->hash, record->age,
		       record->deleted ? "deleted" : "seen");
	}
	seen_feed_batch_free(&batch);
	return 0;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return *one < *other ? -1 : *one > *other;
}

static size_t distinct(uint64_t *hashes, size_t count)
{
	size_t sum = 0;

	qsort(hashes, count, sizeof(*hashes), compare);
	for (size_t i = 0; i < count; i++)
		sum += !i || hashes[i] != hashes[i - 1];
	return sum;
}

static int drain(void)
{
	uint64_t done = 0, lost, *hashes = NULL;
	size_t count = 0, deleted = 0, batches = 0;
	struct seen_feed_batch batch;

	for (;; batches++) {
		must(seen_feed_take(client, filter, done, &batch));
		lost = batch.lost;
		if (!batch.count)
			break;
		hashes = reallocarray(hashes, count + batch.count, sizeof(*hashes));
		if (!hashes)
			fatal("drain");
		for (size_t i = 0; i < batch.count; i++) {
			hashes[count++] = batch.records[i].hash;
			deleted += batch.records[i].deleted;
		}
		done = batch.number;
		seen_feed_batch_free(&batch);
	}
	printf("count %zu distinct %zu deleted %zu lost %" PRIu64 " batches %zu\n", count,
	       distinct(hashes, count), deleted, lost, batches);
	free(hashes);
	return 0;
}

static int apply(bool add)
{
	struct seen_feed_record records[1024] = {};
	uint8_t results[1024];
	size_t count = 0;
	char line[128];

	while (count < 1024 && fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "%" SCNx64 " %" SCNu64, &records[count].hash,
			   &records[count].age) != 2)
			fatal(line);
		records[count++].deleted = strstr(line, "deleted");
	}
	must(add ? seen_hash_add(client, filter, records, count, NULL, results) :
		   seen_hash_del(client, filter, records, count, results));
	for (size_t i = 0; i < count; i++)
		puts(seen_word(&seen_hash_results, results[i]));
	return 0;
}

static int news(uint64_t age)
{
	must(seen_hash_add(client, filter, NULL, 0, &age, NULL));
	return 0;
}

static int bulk(uint64_t first, size_t count)
{
	struct seen_feed_record *records = calloc(count, sizeof(*records));
	uint64_t sums[SEEN_HASH_MAX + 1] = {};
	uint8_t *results = calloc(count, 1);
	double begun;

	if (!records || !results)
		fatal("bulk");
	for (size_t i = 0; i < count; i++)
		records[i].hash = (first + i + 1) * 0x9e3779b97f4a7c15;
	begun = now();
	must(seen_hash_add(client, filter, records, count, NULL, results));
	fprintf(stderr, "%.0f keys a second\n", count / (now() - begun));
	for (size_t i = 0; i < count; i++)
		sums[results[i]]++;
	for (int i = SEEN_HASH_NEW; i <= SEEN_HASH_EXPIRED; i++)
		printf("%s %" PRIu64 " ", seen_word(&seen_hash_results, i), sums[i]);
	putchar('\n');
	free(records);
	free(results);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		fatal("usage: feeds take|drain|add|del|news|bulk FILTER ...");
	client = connect_seen();
	filter = argv[2];
	if (!strcmp(argv[1], "take") && argc == 4)
		return take(number(argv[3]));
	if (!strcmp(argv[1], "drain"))
		return drain();
	if (!strcmp(argv[1], "news") && argc == 4)
		return news(number(argv[3]));
	if (!strcmp(argv[1], "bulk") && argc == 5)
		return bulk(number(argv[3]), number(argv[4]));
	return apply(!strcmp(argv[1], "add"));
}
