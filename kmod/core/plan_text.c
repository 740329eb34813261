// SPDX-License-Identifier: GPL-2.0
/* Error texts for refused plans. Integers only, like all of core/. */
#include "plan_text.h"

/* Rates from 10^-4 up are written without an exponent. */
#define PLAIN_DIGITS	4
#define RATE_DIGITS	12
#define SHOWN_DIGITS	3

/* Without the rate, which the user gave: these types meet the default rate. */
#define TYPE_TEXT(use) \
	"fpp: this type needs more than 64 bits per key for this rate; raise fpp, or use " use

static const char * const plan_texts[] = {
	[SEEN_PLAN_CAPACITY] = SEEN_TEXT_CAPACITY,
	[SEEN_PLAN_FPP] = SEEN_TEXT_FPP,
	[SEEN_PLAN_FPP_NONE] =
		"fpp: each type needs more than 64 bits per key for this rate; raise fpp",
	[SEEN_PLAN_FP_BITS] = SEEN_TEXT_FP_BITS,
	[SEEN_PLAN_FP_BITS_FPP] =
		"bits: fingerprints of this length cannot meet fpp; raise bits or fpp",
	[SEEN_PLAN_WINDOW] =
		"window: its tick must be at least two jiffies; use a longer window",
	[SEEN_PLAN_WINDOW_LONG] = "window: must be 1ns to 1152921504606846976ns",
	[SEEN_PLAN_WINDOW_KIND] = SEEN_TEXT_WINDOW,
	[SEEN_PLAN_SIZE] =
		"capacity: the table would be too large; lower capacity or raise fpp",
	[SEEN_PLAN_RANGE] = "range: must have at most 4294967296 keys",
	[SEEN_PLAN_KEY_BYTES] = "key: must have 1 to 48 bytes for type map and for top",
	[SEEN_PLAN_TOP] = "top: must be 0 to 1024",
	[SEEN_PLAN_THRESHOLD] = "threshold: must be 1 to 15 for type counting",
};

const char *seen_plan_text(enum seen_plan_error error)
{
	return plan_texts[error];
}

static bool plan_is_bloom(const struct seen_geometry *geo)
{
	return geo->kind == SEEN_SET_BLOCKED || geo->kind == SEEN_SET_CLASSIC ||
	       geo->kind == SEEN_SET_BLOOM_WINDOW;
}

/* Can only layout classic keep the promise? */
static bool plan_needs_classic(const struct seen_geometry *geo, u64 min_tick)
{
	struct seen_geometry better;

	return seen_plan_better(geo, min_tick, &better) &&
	       better.kind == SEEN_SET_CLASSIC;
}

const char *seen_plan_use(const struct seen_geometry *geo, u64 min_tick)
{
	if (!plan_needs_classic(geo, min_tick))
		return "type cuckoo";
	return plan_is_bloom(geo) ? "layout classic" : "type bloom layout classic";
}

/* The user needs the operations of this type, so another rate is the first way out. */
const char *seen_plan_type_text(const struct seen_geometry *geo, u64 min_tick)
{
	if (plan_is_bloom(geo))
		return NULL;
	return plan_needs_classic(geo, min_tick) ?
	       TYPE_TEXT("type bloom layout classic") :
	       TYPE_TEXT("type cuckoo");
}

/*
 * Write a number as @digits digits after the decimal point, without trailing zeros.
 * Return: the end of the text.
 */
static char *plan_put_digits(char *to, u64 number, u32 digits)
{
	char *end;
	u32 i;

	for (i = digits; i--; number /= 10)
		to[i] = '0' + number % 10;
	for (end = to + digits; end > to && end[-1] == '0'; end--)
		;
	return end;
}

const char *seen_plan_rate_text(u64 fpp, char *text)
{
	u32 exponent = RATE_DIGITS, digits = 1;
	u64 first = 1;
	char *to = text;

	for (; first * 10 <= fpp; first *= 10, exponent--)
		digits++;
	for (; digits > SHOWN_DIGITS; digits--, first /= 10)
		fpp /= 10;
	if (exponent <= PLAIN_DIGITS) {
		*to++ = '0';
		*to++ = '.';
		to = plan_put_digits(to, fpp, exponent - 1 + digits);
		*to = '\0';
		return text;
	}
	*to++ = '0' + fpp / first;
	*to = '.';
	to = plan_put_digits(to + 1, fpp % first, digits - 1);
	if (to[-1] == '.')
		to--;
	*to++ = 'e';
	*to++ = '-';
	if (exponent >= 10)
		*to++ = '1';
	*to++ = '0' + exponent % 10;
	*to = '\0';
	return text;
}
