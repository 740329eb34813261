// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ledger.h"
#include "seenctl.h"
#include "sorted.h"
#include "spool.h"
#include "tally.h"

/* Number of bytes that are compared or copied at once. */
#define PIECE		16384
#define OUT_BUFFER	262144
/* record.text_len: the key is the whole line. */
#define TEXT_IS_KEY	UINT32_MAX

/**
 * struct record - header of a line in the spool; its key and its text follow
 * @key_len: bytes of the key
 * @text_len: bytes of the text, or TEXT_IS_KEY
 * @number: number of the line, from 0; absent if lines are not counted
 */
struct record {
	uint32_t key_len;
	uint32_t text_len;
	uint64_t number;
};

/**
 * struct ledger - lines that passed
 * @spool: the records, one after the other
 * @sorted: offset of each record plus 1, by the hash of its key
 * @head: bytes of struct record in @spool
 * @tally: number of repeats of each line; NULL: lines are not counted
 * @lines: number of records
 * @err: first error, a negative errno, or 0
 */
struct ledger {
	struct spool spool;
	struct sorted *sorted;
	size_t head;
	struct tally *tally;
	uint64_t lines;
	int err;
};

int ledger_open(struct ledger **made, const char *folder, bool counts)
{
	struct ledger *ledger = calloc(1, sizeof(*ledger));
	int err;

	if (!ledger)
		return -ENOMEM;
	ledger->head = counts ? sizeof(struct record) :
				offsetof(struct record, number);
	err = spool_open(&ledger->spool, folder);
	if (!err && counts)
		err = tally_open(&ledger->tally, folder);
	if (!err)
		ledger->sorted = sorted_open(folder);
	if (!err && !ledger->sorted)
		err = -ENOMEM;
	if (err)
		ledger_close(ledger);
	else
		*made = ledger;
	return err;
}

void ledger_close(struct ledger *ledger)
{
	if (!ledger)
		return;
	spool_close(&ledger->spool);
	tally_close(ledger->tally);
	sorted_close(ledger->sorted);
	free(ledger);
}

static int append(struct ledger *ledger, const struct ledger_line *line)
{
	size_t key_len = line->key ? line->key_len : 0;
	bool text = ledger->tally &&
		    (line->key != line->text || key_len != line->text_len);
	const struct record record = {
		.key_len = key_len,
		.text_len = text ? line->text_len : TEXT_IS_KEY,
		.number = ledger->lines,
	};
	int err = spool_append(&ledger->spool, &record, ledger->head);

	if (!err && key_len)
		err = spool_append(&ledger->spool, line->key, key_len);
	if (!err && text)
		err = spool_append(&ledger->spool, line->text, line->text_len);
	ledger->lines += !err;
	return err;
}

int ledger_add(struct ledger *ledger, const struct ledger_line *line)
{
	const struct sorted_pair pair = {
		.hash = line->hash, .place = spool_end(&ledger->spool) + 1,
	};

	if (!ledger->err)
		ledger->err = append(ledger, line);
	if (!ledger->err && line->key)
		ledger->err = sorted_add(ledger->sorted, &pair);
	return ledger->err;
}

/**
 * struct search - search for a line
 * @ledger: the ledger
 * @line: the line
 * @at: out: offset of its record in the spool
 * @record: out: the record
 */
struct search {
	const struct ledger *ledger;
	const struct ledger_line *line;
	uint64_t at;
	struct record record;
};

/*
 * Compare a key after its first @done bytes. Returns 1 if it is equal, 0 if not, or a
 * negative errno.
 */
static int same_rest(const struct search *search, size_t done)
{
	const struct ledger_line *line = search->line;
	uint64_t at = search->at + search->ledger->head;
	char piece[PIECE];

	while (done < line->key_len) {
		size_t len = line->key_len - done;
		int err;

		if (len > PIECE)
			len = PIECE;
		err = spool_read(&search->ledger->spool, at + done, piece, len);
		if (err)
			return err;
		if (memcmp(piece, (const char *)line->key + done, len))
			return 0;
		done += len;
	}
	return 1;
}

/* Compare a key with the key of the record at @place. A short key needs only one read. */
static int same_key(uint64_t place, void *context)
{
	struct search *search = context;
	const struct ledger_line *line = search->line;
	const struct ledger *ledger = search->ledger;
	uint64_t left = spool_end(&ledger->spool) - (place - 1);
	size_t len = ledger->head + line->key_len;
	char piece[PIECE];
	int err;

	if (len > PIECE)
		len = PIECE;
	if (len > left)
		len = left;
	search->at = place - 1;
	err = spool_read(&ledger->spool, search->at, piece, len);
	if (err)
		return err;
	memcpy(&search->record, piece, ledger->head);
	if (search->record.key_len != line->key_len)
		return 0;
	len -= ledger->head;
	return memcmp(piece + ledger->head, line->key, len) ? 0 :
	       same_rest(search, len);
}

int ledger_came(struct ledger *ledger, const struct ledger_line *line)
{
	struct search search = { .ledger = ledger, .line = line };
	int found = sorted_find(ledger->sorted, line->hash, same_key, &search);
	int err;

	if (found != 1 || !ledger->tally)
		return found;
	err = tally_add(ledger->tally, search.record.number);
	return err ? err : 1;
}

uint64_t ledger_bytes(const struct ledger *ledger)
{
	return spool_end(&ledger->spool);
}

/* Copy bytes from @in to @out, or skip them if @out is NULL. */
static bool copy(FILE *in, FILE *out, uint64_t len)
{
	char piece[PIECE];

	while (len) {
		size_t part = len < PIECE ? len : PIECE;

		if (fread(piece, 1, part, in) != part ||
		    (out && fwrite(piece, 1, part, out) != part))
			return false;
		len -= part;
	}
	return true;
}

/**
 * struct streams - streams of ledger_print()
 * @in: the records
 * @again: number of repeats of each line
 * @out: the output
 */
struct streams {
	FILE *in;
	FILE *again;
	FILE *out;
};

static bool print_record(const struct streams *streams,
			 const struct record *record, uint64_t count,
			 const struct ledger_print *how)
{
	bool whole = record->text_len == TEXT_IS_KEY;
	FILE *to = count < how->least ? NULL : streams->out;

	if (to && how->counts && fprintf(to, "%7ju ", count) < 0)
		return false;
	if (!copy(streams->in, whole ? to : NULL, record->key_len))
		return false;
	if (!whole && !copy(streams->in, to, record->text_len))
		return false;
	return !to || putc((unsigned char)how->terminator, to) != EOF;
}

static bool print_all(const struct streams *streams,
		      const struct ledger_print *how, uint64_t *printed)
{
	struct record record;
	uint64_t again;

	*printed = 0;
	while (fread(&record, sizeof(record), 1, streams->in) == 1) {
		if (fread(&again, sizeof(again), 1, streams->again) != 1)
			again = 0;
		if (!print_record(streams, &record, 1 + again, how))
			return false;
		*printed += 1 + again >= how->least;
	}
	return !ferror(streams->in) && !ferror(streams->again);
}

static FILE *stream_of(int fd, const char *mode)
{
	int copied = dup(fd);
	FILE *stream = copied < 0 ? NULL : fdopen(copied, mode);

	if (!stream && copied >= 0)
		close(copied);
	if (stream)
		setvbuf(stream, NULL, _IOFBF, OUT_BUFFER);
	return stream;
}

static void stream_close(FILE *stream)
{
	if (stream)
		fclose(stream);
}

static int print(const struct streams *streams, const struct ledger_print *how,
		 uint64_t *printed)
{
	errno = 0;
	if (print_all(streams, how, printed) && !fflush(streams->out))
		return DONE;
	return refused("%s: %s", ferror(streams->out) ? "standard output" :
							  "temporary file",
		       errno ? strerror(errno) : "it ends early");
}

static int flush(struct ledger *ledger)
{
	int err = spool_flush(&ledger->spool);

	return err ? err : tally_flush(ledger->tally);
}

int ledger_print(struct ledger *ledger, const struct ledger_print *how,
		 uint64_t *printed)
{
	int status, err = flush(ledger);
	struct streams streams;

	if (err)
		return refused("temporary file: %s", strerror(-err));
	lseek(ledger->spool.fd, 0, SEEK_SET);
	streams = (struct streams) {
		.in = stream_of(ledger->spool.fd, "r"),
		.again = stream_of(tally_file(ledger->tally), "r"),
		.out = stream_of(how->out, "w"),
	};
	status = streams.in && streams.again && streams.out ?
		 print(&streams, how, printed) : no_memory();
	stream_close(streams.in);
	stream_close(streams.again);
	stream_close(streams.out);
	return status;
}
