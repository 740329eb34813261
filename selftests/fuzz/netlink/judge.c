// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "judge.h"

#define BIT(number)	(1ull << (number))

static void count(uint64_t *number)
{
	__atomic_add_fetch(number, 1, __ATOMIC_RELAXED);
}

/*
 * Errors of the kernel's netlink core, which has no text for them in some kernels: unknown
 * commands, truncated headers, dumps of commands without one, and a second dump on the socket.
 */
static bool may_be_wordless(const struct message *message, int err)
{
	const struct command_policy *policy = policy_of(message->cmd);
	bool dump = message->flags & NLM_F_DUMP;

	switch (err) {
	case EOPNOTSUPP:
		return !(dump ? policy->dumps : policy->asks);
	case EBUSY:
		return dump;
	case EINVAL:
		return message->len + GENL_HDRLEN - message->cut < GENL_HDRLEN;
	}
	return false;
}

/* Does the text name an attribute ("keys: required") or an object ("filter "hosts" ...")? */
static bool names_one(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz-");

	return (len && text[len] == ':' && text[len + 1] == ' ') ||
	       !strncmp(text, "filter \"", 8) || !strncmp(text, "guard ", 6);
}

/*
 * The core's texts for errors of the whole message, not of an attribute: trailing bytes, reserved
 * fields and bits.
 */
static bool is_of_the_whole(const char *text)
{
	static const char * const wholes[] = {
		"bytes leftover after parsing attributes",
		"genlmsghdr.reserved field is not 0",
		"ambiguous or reserved bits set in nlmsg_flags",
	};
	size_t i;

	for (i = 0; i < sizeof(wholes) / sizeof(wholes[0]); i++)
		if (strstr(text, wholes[i]))
			return true;
	return false;
}

static void lock(struct tally *tally)
{
	while (__atomic_exchange_n(&tally->lock, 1, __ATOMIC_ACQUIRE))
		sched_yield();
}

/* Texts that differ only after their first number count as the same. */
static void keep(struct tally *tally, uint8_t cmd, const struct answer *answer,
		 bool named)
{
	char text[sizeof(tally->refusals[0].text)];
	struct refusal *refusal;

	snprintf(text, sizeof(text), "%.*s",
		 (int)strcspn(answer->text, "0123456789"), answer->text);
	lock(tally);
	for (refusal = tally->refusals;
	     refusal < tally->refusals + REFUSALS - 1 && refusal->count;
	     refusal++)
		if (refusal->cmd == cmd && refusal->err == answer->err &&
		    refusal->named == named && !strcmp(refusal->text, text))
			break;
	refusal->cmd = cmd;
	refusal->err = answer->err;
	refusal->named = named;
	strcpy(refusal->text, text);
	refusal->count++;
	__atomic_store_n(&tally->lock, 0, __ATOMIC_RELEASE);
}

static void show(const char *what, const struct message *message,
		 const struct answer *answer)
{
	uint32_t i, len = message->len < 600 ? message->len : 600;

	fprintf(stderr, "%s: command %u flags %#x cut %u: %s \"%s\": ", what,
		message->cmd, message->flags, message->cut,
		strerror(answer->err), answer->text);
	for (i = 0; i < len; i++)
		fprintf(stderr, "%02x", message->attrs[i]);
	fprintf(stderr, "%s\n", len < message->len ? "..." : "");
}

static void accept(struct tally *tally, const struct message *message)
{
	const struct nlattr *attr;
	uint32_t at = 0;

	count(&tally->done[message->cmd]);
	/* Only messages of recipes count: these must use every attribute. */
	if (message->by_policy)
		return;
	while ((attr = attr_next(message->attrs, message->len, &at)))
		if (attr_type(attr) < ATTRS)
			__atomic_or_fetch(&tally->accepted[message->cmd],
					  BIT(attr_type(attr)),
					  __ATOMIC_RELAXED);
}

static void refuse(struct tally *tally, const struct message *message,
		   const struct answer *answer)
{
	bool named = answer->named || answer->missing ||
		     names_one(answer->text);
	bool told = answer->text[0] || answer->missing ||
		    (answer->policy && answer->named);

	if (!told && may_be_wordless(message, answer->err)) {
		count(&tally->allowed);
		return;
	}
	if (!told) {
		count(&tally->wordless);
		show("no words", message, answer);
	} else if (!named && !is_of_the_whole(answer->text)) {
		count(&tally->nameless);
		show("no name", message, answer);
	}
	keep(tally, message->cmd, answer, named);
}

void judge_one(struct tally *tally, const struct message *message,
	       const struct answer *answer, bool half)
{
	count(&tally->sent[message->cmd]);
	if (half && !answer->arrived && answer->replies) {
		/* The end of the dump was not read. */
		count(&tally->left);
	} else if (!answer->arrived) {
		/* Breakage may have removed the flag that requests an answer. */
		if (!(message->flags & (NLM_F_ACK | NLM_F_DUMP)))
			return;
		count(&tally->silent);
		show("no answer", message, answer);
	} else if (answer->err) {
		refuse(tally, message, answer);
	} else {
		accept(tally, message);
	}
}

/* --- the end ---------------------------------------------------------------------- */

static bool report_commands(const struct tally *tally)
{
	const struct command_policy *policy;
	bool all = true;
	uint32_t cmd;

	for (cmd = 0; cmd < COMMANDS; cmd++) {
		if (!policy_of(cmd)->known)
			continue;
		policy = policy_of(cmd);
		printf("command %u sent %ju done %ju%s\n", cmd,
		       (uintmax_t)tally->sent[cmd],
		       (uintmax_t)tally->done[cmd],
		       policy->dumps ? " dumps" : "");
		all = all && tally->done[cmd];
	}
	return all;
}

/* Reports attributes that no command with this policy has accepted. */
static bool report_attrs(const struct tally *tally)
{
	const struct attr_policy *attr;
	uint64_t accepted;
	bool all = true;
	uint32_t cmd, same, i;

	for (cmd = 0; cmd < COMMANDS; cmd++) {
		if (!policy_of(cmd)->known)
			continue;
		attr = policy_of(cmd)->attr;
		accepted = 0;
		for (same = 0; same < COMMANDS; same++)
			if (policy_of(same)->attr == attr)
				accepted |= tally->accepted[same];
		for (i = 0; i < ATTRS; i++) {
			if (!attr[i].type || accepted & BIT(i))
				continue;
			printf("untried command %u attribute %u\n", cmd, i);
			all = false;
		}
	}
	return all;
}

static void report_refusals(const struct tally *tally)
{
	const struct refusal *refusal;

	for (refusal = tally->refusals;
	     refusal < tally->refusals + REFUSALS && refusal->count; refusal++)
		printf("refusal %ju command %u %s%s: %s\n",
		       (uintmax_t)refusal->count, refusal->cmd,
		       strerrorname_np(refusal->err),
		       refusal->named ? "" : " (no attribute)", refusal->text);
}

bool judge_report(const struct tally *tally)
{
	bool commands = report_commands(tally), attrs = report_attrs(tally);
	uint64_t sent = 0, done = 0;
	uint32_t cmd;

	report_refusals(tally);
	for (cmd = 0; cmd < 256; cmd++) {
		sent += tally->sent[cmd];
		done += tally->done[cmd];
	}
	printf("sent %ju\nbroken %ju\ntaken %ju\n", (uintmax_t)sent,
	       (uintmax_t)tally->broken, (uintmax_t)done);
	printf("halves %ju\nsilent %ju\nlost %ju\nwordless %ju\nallowed %ju\nnameless %ju\n",
	       (uintmax_t)tally->left, (uintmax_t)tally->silent,
	       (uintmax_t)tally->lost,
	       (uintmax_t)tally->wordless, (uintmax_t)tally->allowed,
	       (uintmax_t)tally->nameless);
	printf("commands %s\nattributes %s\n", commands ? "all" : "some",
	       attrs ? "all" : "some");
	return commands && attrs && !tally->silent && !tally->lost &&
	       !tally->wordless && !tally->nameless;
}
