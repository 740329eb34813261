// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seenctl.h"
#include "word.h"

const char *args_next(struct args *args)
{
	if (!args->argc)
		return NULL;
	args->argc--;
	return *args->argv++;
}

int args_end(const struct args *args)
{
	return args->argc ? usage("unexpected word \"%s\"", *args->argv) : DONE;
}

static int copy_name(const char *what, const char *value, char *name,
		     size_t size)
{
	size_t len = strlen(value);

	if (!len)
		return usage("%s: must not be empty", what);
	if (len >= size)
		return usage("%s: \"%s\" is longer than %zu bytes", what, value,
			     size - 1);
	memcpy(name, value, len + 1);
	return DONE;
}

int args_name(struct args *args, const char *what, char *name)
{
	const char *value = args_next(args);

	if (!value)
		return usage("%s: required", what);
	return copy_name(what, value, name, SEEN_NAME_MAX);
}

bool args_all(struct args *args)
{
	if (!args->argc || strcmp(*args->argv, "all"))
		return false;
	args_next(args);
	return true;
}

int value_missing(const char *word)
{
	return usage("%s: value required", word);
}

static int read_param(struct args *args, const struct param *param)
{
	const char *value;

	if (!param->read) {
		*(bool *)param->into = true;
		return DONE;
	}
	value = args_next(args);
	if (!value)
		return value_missing(param->word);
	return param->read(param, value);
}

struct params {
	const struct param *param;
	size_t count;
};

static const char *param_name(size_t i, const void *in)
{
	const struct params *params = in;

	return i < params->count ? params->param[i].word : NULL;
}

/* "-" stands for a stream, and no option begins with a digit, as a number below 0 does. */
static bool is_option(const char *word)
{
	return word[0] == '-' && word[1] && (word[1] < '0' || word[1] > '9');
}

int params_unknown(const struct param *params, size_t count, const char *word)
{
	const struct params in = { params, count };

	return word_unknown(is_option(word) ? "option" : "parameter", word, param_name, &in);
}

static const struct param *find(const struct param *params, size_t count,
				const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(params[i].word, word))
			return &params[i];
	return NULL;
}

int params_read(struct args *args, const struct param *params, size_t count,
		uint64_t *given)
{
	uint64_t came = 0;
	const char *word;

	while ((word = args_next(args))) {
		const struct param *param = find(params, count, word);
		uint64_t bit;
		int status;

		if (!param)
			return params_unknown(params, count, word);
		if (param->frozen)
			return usage("%s: %s", word, param->frozen);
		bit = 1ULL << (param - params);
		if ((came & bit) && !param->many)
			return usage("%s is given twice", word);
		came |= bit;
		status = read_param(args, param);
		if (status)
			return status;
	}
	if (given)
		*given = came;
	return DONE;
}

/* Number of words of the parameter at @word, with its value; 0: @word is no parameter. */
static int param_words(const struct param *params, size_t count, char **word,
		       int left)
{
	const struct param *param = find(params, count, *word);

	if (!param)
		return is_option(*word);
	return param->read && left > 1 ? 2 : 1;
}

int params_first(struct args *args, const struct param *params, size_t count,
		 struct args *rest)
{
	char **other = malloc((args->argc + 1) * sizeof(*other));
	int at = 0, first = 0, others = 0;
	char **word = args->argv;

	if (!other)
		return no_memory();
	while (at < args->argc && strcmp(word[at], "--")) {
		int words = param_words(params, count, word + at,
					args->argc - at);

		if (!words)
			other[others++] = word[at++];
		while (words--)
			word[first++] = word[at++];
	}
	if (at < args->argc)
		at++;
	rest->argc = others + args->argc - at;
	memmove(word + first + others, word + at,
		(args->argc - at) * sizeof(*word));
	memcpy(word + first, other, others * sizeof(*word));
	free(other);
	args->argc = first;
	rest->argv = word + first;
	return DONE;
}

static int range_error(const struct param *param, uint64_t most)
{
	return usage("%s: must be %ju to %ju", param->word, param->least, most);
}

/* Parse digits after at most a minus sign. @fits: out: false if negative or above UINT64_MAX. */
static bool digits(const char *value, int base, char **end, uint64_t *number,
		   bool *fits)
{
	const char *first = value + (*value == '-');

	if (*first < '0' || *first > '9')
		return false;
	errno = 0;
	*number = strtoull(first, end, base);
	*fits = first == value && !errno;
	return true;
}

/*
 * Parse a number with an optional suffix. Each of @suffixes multiplies by @base once more
 * than the previous suffix. @unit may follow the suffix, unless it is NULL.
 */
static bool scaled(const char *value, const char *suffixes, uint64_t base,
		   const char *unit, uint64_t *number, bool *fits)
{
	uint64_t factor = 1;
	const char *found;
	char *end;

	if (!digits(value, 10, &end, number, fits))
		return false;
	if (*end) {
		found = strchr(suffixes, *end == 'K' ? 'k' : *end);
		if (!found || (end[1] && (!unit || strcmp(end + 1, unit))))
			return false;
		for (int i = found - suffixes; i >= 0; i--)
			factor *= base;
	}
	*fits &= !__builtin_mul_overflow(*number, factor, number);
	return true;
}

static int store_u64(const struct param *param, uint64_t number, bool fits)
{
	if (!param->checked && (!fits || number < param->least))
		return range_error(param, UINT64_MAX);
	*(uint64_t *)param->into = fits ? number : UINT64_MAX;
	return DONE;
}

int read_count(const struct param *param, const char *value)
{
	uint64_t number;
	bool fits;

	if (scaled(value, "kMG", 1000, NULL, &number, &fits))
		return store_u64(param, number, fits);
	return usage("%s: %s is not a number (10000, 10k, 1M)", param->word,
		     value);
}

int read_size(const struct param *param, const char *value)
{
	uint64_t number;
	bool fits;

	if (scaled(value, "kMGT", 1024, "iB", &number, &fits))
		return store_u64(param, number, fits);
	return usage("%s: %s is not a size (65536, 64K, 2M, 1G)", param->word,
		     value);
}

/* Parse a decimal number, not hex, inf or nan. It is infinite if it is too large for a double. */
static bool real(const char *value, char **end, double *number)
{
	const char *first = value + (*value == '-');

	if ((*first < '0' || *first > '9') && *first != '.')
		return false;
	if (first[0] == '0' && (first[1] | 0x20) == 'x')
		return false;
	*number = strtod(value, end);
	return *end != value;
}

const char window_zero[] =
	"must be above 0; omit it for a filter without a window";

static int store_ns(const struct param *param, double ns)
{
	if (ns < 1 && param->zero)
		return usage("%s: %s", param->word, param->zero);
	if (ns < 1)
		*(uint64_t *)param->into = 0;
	else if (ns < 0x1p63)
		*(uint64_t *)param->into = ns;
	else
		*(uint64_t *)param->into = INT64_MAX;
	return DONE;
}

int read_duration(const struct param *param, const char *value)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
		{ "m", 60e9 }, { "h", 3600e9 }, { "d", 86400e9 },
	};
	double number;
	char *end;

	if (!real(value, &end, &number))
		goto bad;
	if (!*end && !number)
		return store_ns(param, 0);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(end, units[i].name))
			return store_ns(param, round(number * units[i].ns));
bad:
	return usage("%s: %s is not a time (100ms, 5s, 10m, 1h)", param->word,
		     value);
}

int read_rate(const struct param *param, const char *value)
{
	double number;
	char *end;

	if (!real(value, &end, &number))
		goto bad;
	if (!strcmp(end, "%"))
		number /= 100;
	else if (*end)
		goto bad;
	number = round(number * SEEN_FPP_ONE);
	if (number >= 1 && number < SEEN_FPP_ONE)
		*(uint64_t *)param->into = number;
	else
		*(uint64_t *)param->into = UINT64_MAX;
	return DONE;
bad:
	return usage("%s: %s is not a probability (0.01, 1%%, 1e-6)",
		     param->word, value);
}

static int no_number(const struct param *param, const char *value)
{
	return usage("%s: %s is not a number", param->word, value);
}

bool parse_u32(const char *value, uint32_t *into, bool *fits)
{
	uint64_t number;
	char *end;

	if (!digits(value, 0, &end, &number, fits) || *end)
		return false;
	*fits &= number <= UINT32_MAX;
	*into = *fits ? number : UINT32_MAX;
	return true;
}

int read_u32(const struct param *param, const char *value)
{
	uint32_t *into = param->into;
	bool fits;

	if (!parse_u32(value, into, &fits))
		return no_number(param, value);
	return param->checked || (fits && *into >= param->least) ?
	       DONE : range_error(param, UINT32_MAX);
}

int read_s32(const struct param *param, const char *value)
{
	const char *first = value + (*value == '-');
	long number;
	char *end;

	errno = 0;
	number = strtol(value, &end, 10);
	if (*first < '0' || *first > '9' || *end)
		return no_number(param, value);
	if (errno || number < INT32_MIN || number > INT32_MAX)
		return usage("%s: must be %d to %d", param->word, INT32_MIN,
			     INT32_MAX);
	*(int32_t *)param->into = number;
	return DONE;
}

int read_word(const struct param *param, const char *value)
{
	int number = seen_value(param->names, value);

	if (number < 0)
		return word_no_value(param->word, value, param->names);
	*(uint32_t *)param->into = number;
	return DONE;
}

int read_name(const struct param *param, const char *value)
{
	return copy_name(param->word, value, param->into, SEEN_NAME_MAX);
}

int read_dev(const struct param *param, const char *value)
{
	return copy_name(param->word, value, param->into, IF_NAMESIZE);
}
