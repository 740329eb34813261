// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: options of the match "seen", one word a line, parsed by libxtables as in iptables.
 * Options that are accepted must be saved as words that are accepted again, and give the same
 * rule. Printing any rule that a kernel may report must not read beyond its bounds.
 */
#include <getopt.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xtables.h>
#include <linux/netfilter/xt_seen.h>

#define WORDS_MAX	32

/* The words of a rule. */
struct words {
	int count;
	char *word[WORDS_MAX + 1];
};

static struct option none[] = { XT_GETOPT_TABLEEND };
static jmp_buf refused;

static void refuse(enum xtables_exittype status, const char *format, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

static void refuse(enum xtables_exittype status, const char *format, ...)
{
	(void)format;
	longjmp(refused, status ? status : 1);
}

/* Instead of asking the kernel, support revision 0 only. */
static int has_revision(const char *name, uint8_t revision, int option)
{
	(void)name;
	(void)option;
	return !revision;
}

static struct xtables_globals globals = {
	.program_name = "iptables", .program_version = "fuzz",
	.orig_opts = none, .opts = none, .exit_err = refuse,
	.compat_rev = has_revision,
};

static void add_word(struct words *words, char *word)
{
	if (words->count == WORDS_MAX)
		return;
	words->word[words->count++] = word;
	words->word[words->count] = NULL;
}

/* Parse the options in order; "!" applies to the next one. */
static void parse_options(struct xtables_match *match, struct option *options,
			  struct words *words)
{
	bool invert = false;
	int option;

	optind = 0;
	opterr = 0;
	while ((option = getopt_long(words->count, words->word, "-", options,
				     NULL)) != -1) {
		if (option == 1) {
			if (strcmp(optarg, "!") || invert)
				refuse(PARAMETER_PROBLEM, "a word too many");
			invert = true;
			continue;
		}
		if (option == '?')
			refuse(PARAMETER_PROBLEM, "no such option");
		xtables_option_mpcall(option, words->word, invert, match, NULL);
		invert = false;
	}
	if (invert)
		refuse(PARAMETER_PROBLEM, "nothing follows the !");
	xtables_option_mfcall(match);
}

/* Return: was the rule accepted? */
static bool parse(struct xtables_match *match, struct words *words,
		  struct xt_seen_info *info)
{
	struct option *options;
	bool taken = false;

	match->m = calloc(1, sizeof(*match->m) + match->size);
	match->mflags = 0;
	options = xtables_options_xfrm(none, NULL, match->x6_options,
				       &match->option_offset);
	if (!setjmp(refused)) {
		parse_options(match, options, words);
		memcpy(info, match->m->data, sizeof(*info));
		taken = true;
	}
	free(match->m);
	match->m = NULL;
	free(options);
	return taken;
}

/* The text that the plugin prints for a rule; to be freed. */
static char *tell(const struct xtables_match *match,
		  const struct xt_seen_info *info, bool save)
{
	struct xt_entry_match *rule = calloc(1, sizeof(*rule) + match->size);
	FILE *out = stdout;
	char *text = NULL;
	size_t size;

	memcpy(rule->data, info, sizeof(*info));
	stdout = open_memstream(&text, &size);
	if (save)
		match->save(NULL, rule);
	else
		match->print(NULL, rule, 0);
	fclose(stdout);
	stdout = out;
	free(rule);
	return text;
}

/* Split a line in place as iptables-restore does, with quotes, and backslashes within them. */
static void split(char *at, struct words *words)
{
	bool quoted, inside;
	char *to;

	while (*at) {
		at += strspn(at, " ");
		if (!*at)
			return;
		add_word(words, at);
		for (to = at, quoted = false; *at && (quoted || *at != ' ');
		     at++) {
			inside = quoted && *at == '\\' && at[1];
			if (!inside && *at == '"') {
				quoted = !quoted;
				continue;
			}
			at += inside;
			*to++ = *at;
		}
		if (*at)
			at++;
		*to = '\0';
	}
}

static void take_again(struct xtables_match *match,
		       const struct xt_seen_info *info)
{
	struct words words = {};
	struct xt_seen_info again;
	char name[] = "iptables";
	char *text = tell(match, info, true);

	add_word(&words, name);
	split(text, &words);
	if (!parse(match, &words, &again) ||
	    memcmp(info, &again, match->userspacesize))
		abort();
	free(text);
}

/* Print a rule with any content, as a newer kernel may report it. */
static void tell_any(const struct xtables_match *match, const uint8_t *data,
		     size_t size)
{
	struct xt_seen_info info = {};

	memcpy(&info, data, size < sizeof(info) ? size : sizeof(info));
	info.filter[sizeof(info.filter) - 1] = '\0';
	free(tell(match, &info, true));
	free(tell(match, &info, false));
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return xtables_init_all(&globals, NFPROTO_IPV4) < 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct xtables_match *match = xtables_find_match("seen",
							 XTF_DONT_LOAD, NULL);
	struct words words = {};
	struct xt_seen_info info;
	char name[] = "iptables";
	char *text, *line, *left;

	if (!match)
		abort();
	tell_any(match, data, size);
	text = strndup((const char *)data, size);
	left = text;
	add_word(&words, name);
	while ((line = strsep(&left, "\n")))
		add_word(&words, line);
	if (parse(match, &words, &info)) {
		free(tell(match, &info, false));
		take_again(match, &info);
	}
	free(text);
	return 0;
}
