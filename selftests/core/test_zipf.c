// SPDX-License-Identifier: GPL-2.0
/*
 * Promises on Zipf streams, compared with exact counts: a short form of "make accuracy",
 * whose figures are in Documentation/accuracy.md.
 */
#include "zipf.h"

enum { CMS, CONSERVATIVE, CMM, SKETCHES };

static const char * const name[] = { "cms", "cms conservative", "cmm" };

static struct seen_geometry request(int sketch, u64 capacity, u64 window)
{
	return (struct seen_geometry) {
		.kind = sketch == CMM ? SEEN_SET_CMM : SEEN_SET_CMS,
		.conservative = sketch == CONSERVATIVE,
		.capacity = capacity,
		.fpp = FPP_ONE / 100,
		.window = window,
	};
}

static void judge_sketch(const struct zipf *zipf, int sketch, u64 capacity,
			 const struct zipf_result *r)
{
	note("%s: error %.4g, %.4g, %.4g; heavy %llu of %llu, and %llu; top %llu",
	     name[sketch], zipf_mean(&r->part[HEAVY]),
	     zipf_mean(&r->part[MIDDLE]), zipf_mean(&r->part[TAIL]),
	     (unsigned long long)(r->heavy - r->missed),
	     (unsigned long long)r->heavy,
	     (unsigned long long)r->false_alarms,
	     (unsigned long long)r->listed);
	ok(r->asked == zipf->keys &&
	   rate_kept(r->beyond, r->asked, FPP_ONE / 100),
	   "s %.1f, capacity %llu, %s: beyond the bound as seldom as promised: %llu",
	   zipf->skew, (unsigned long long)capacity, name[sketch],
	   (unsigned long long)r->beyond);
	if (sketch != CMM)
		ok(!r->under && r->heavy && !r->missed &&
		   r->false_alarms <= 1 + r->heavy / 10,
		   "no count is too low, all heavy keys are found, with few others");
}

/*
 * Cmm pays where a sketch is small for its stream: on the tail many times. With
 * room, and few keys that make up most of the stream, the mean is not what a key
 * shares its counters with.
 */
static void judge_tail(const struct zipf *zipf, bool small,
		       const struct zipf_result *r)
{
	double plain = zipf_mean(&r[CMS].part[TAIL]);
	double mean = zipf_mean(&r[CMM].part[TAIL]);
	double times = 1;

	if (small && zipf->skew < 1.5)
		times = 5;
	ok(zipf_mean(&r[CONSERVATIVE].part[TAIL]) <= plain,
	   "in the tail conservative is better than plain");
	if (small || zipf->skew < 1)
		ok(mean * times < plain,
		   "in the tail cmm is better than cms: %.2f times",
		   plain / mean);
}

/* Where all counters are taken, at least so many keys have come. */
static bool estimated(const struct zipf_result *r, u64 capacity, u64 window)
{
	struct seen_geometry geo = request(CMS, capacity, window);

	if (r->entries <= r->distinct && r->entries >= 20 * capacity)
		return true;
	return seen_plan(&geo, MIN_TICK) == SEEN_PLAN_OK &&
	       is_estimate(&geo, r->distinct, r->entries);
}

static void judge_stream(double skew, u64 events, u64 capacity, u64 window)
{
	struct zipf *zipf = zipf_new(skew, events / 10, events);
	struct zipf_result r[SKETCHES];
	int i;

	for (i = 0; i < SKETCHES; i++) {
		zipf_measure(zipf, request(i, capacity, window), &r[i]);
		judge_sketch(zipf, i, capacity, &r[i]);
	}
	judge_tail(zipf, capacity < events / 100, r);
	/*
	 * Nine of the heaviest keys in one bucket of the list, which has eight slots,
	 * cost the list one of them: in one stream of some thousand.
	 */
	ok(r[CONSERVATIVE].listed >= ZIPF_TOP - 2 &&
	   r[CMS].listed >= ZIPF_TOP - 15,
	   "the heaviest are listed: %llu, conservative %llu",
	   (unsigned long long)r[CMS].listed,
	   (unsigned long long)r[CONSERVATIVE].listed);
	ok(estimated(&r[CMS], capacity, window),
	   "%llu distinct keys are estimated as %llu",
	   (unsigned long long)r[CMS].distinct,
	   (unsigned long long)r[CMS].entries);
	zipf_free(zipf);
}

/* Under a sanitizer it is memory that is tested: in a stream for it alone. */
int main(void)
{
	enum { EVENTS = 1000000, PART = EVENTS / 10 };

	if (sanitized()) {
		test_begin(9);
		judge_stream(0.8, PART, PART / 100, SECOND);
		return test_end();
	}
	test_begin(9 + 8 + 8 + 9 + 9 + 9 + 9);
	judge_stream(0.8, EVENTS, EVENTS / 100, 0);
	judge_stream(1.1, EVENTS, EVENTS / 100, 0);
	judge_stream(1.5, EVENTS, EVENTS / 100, 0);
	judge_stream(0.8, EVENTS, EVENTS / 1000, 0);
	judge_stream(1.1, EVENTS, EVENTS / 1000, 0);
	judge_stream(1.5, EVENTS, EVENTS / 1000, 0);
	judge_stream(0.8, EVENTS, EVENTS / 1000, SECOND);
	return test_end();
}
