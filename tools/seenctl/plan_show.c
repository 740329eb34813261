// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdio.h>

#include "plan.h"
#include "seenctl.h"

/* Percentages of the capacity, or of the error bound of a sketch. */
static const unsigned int parts[] = { 25, 50, 75, 100, 150 };

#define BAR		40	/* columns of the bar for rate 1 */
#define PLOT_POINTS	60
#define PLOT_STEP	2.5	/* percent */

static double rate_at(const struct seen_sizing *sizing, double percent)
{
	if (seen_sizing_exact(sizing->type))
		return 0;
	if (seen_sizing_sketch(sizing->type))
		return seen_sizing_excess(sizing, percent / 100);
	return seen_sizing_rate(sizing, sizing->capacity * percent / 100);
}

static double bits_a_key(const struct seen_sizing *sizing)
{
	return 8.0 * sizing->bytes / sizing->capacity;
}

/* Direction of error. */
static const char *direction(const struct seen_sizing *sizing)
{
	if (seen_sizing_exact(sizing->type))
		return "exact";
	if (sizing->type == SEEN_TYPE_CMS)
		return "over";
	return sizing->type == SEEN_TYPE_CMM ? "either" : "seen";
}

static void tell_promise(const struct seen_sizing *sizing)
{
	char text[TEXT_LEN];

	printf("type %s", seen_word(&seen_types, sizing->type));
	if (sizing->type == SEEN_TYPE_BLOOM)
		put("layout", "%s", seen_word(&seen_layouts, sizing->layout));
	if (sizing->fp_bits)
		put("bits", "%u", sizing->fp_bits);
	put_number("capacity", sizing->capacity);
	if (!seen_sizing_exact(sizing->type))
		put("fpp", "%g", real_rate(sizing->fpp));
	if (sizing->window)
		put("window", "%s", text_exact(text, sizing->window));
	put_flag("refresh", sizing->refresh);
	if (sizing->top)
		put_number("top", sizing->top);
	if (sizing->key_bytes)
		put_number("key-bytes", sizing->key_bytes);
}

static void tell_sizes(const struct seen_sizing *sizing)
{
	char text[TEXT_LEN];

	next_line();
	printf("    memory %s",
	       text_bytes(text, seen_sizing_memory(sizing)));
	if (seen_sizing_sketch(sizing->type)) {
		put_number("rows", sizing->hashes);
		put_number("columns", sizing->blocks);
		put("error", "%.3g", 1.0 / sizing->capacity);
		put("confidence", "%.9g", 1 - real_rate(sizing->fpp));
	} else {
		put("bits-a-key", "%.1f", bits_a_key(sizing));
		put_number("hashes", sizing->hashes);
		put_number("blocks", sizing->blocks);
	}
	if (sizing->tick)
		put("tick", "%s", text_about(text, sizing->tick));
	put("errs", "%s", direction(sizing));
}

/* Rate at which bars begin: the power of ten below the lowest rate that is not 0. */
static double bar_from(const struct seen_sizing *sizing)
{
	double from = 0.1;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		double rate = rate_at(sizing, parts[i]);

		if (rate > 0)
			from = fmin(from, pow(10, ceil(log10(rate)) - 1));
	}
	return from;
}

/* Bars are logarithmic, because rates differ by orders of magnitude. */
static void tell_rates(const struct seen_sizing *sizing)
{
	static const char bar[BAR + 1] =
		"########################################";
	double from = bar_from(sizing);

	next_line();
	printf("    %s; bars from %g to 1:",
	       seen_sizing_sketch(sizing->type) ?
	       "counts that err by more than this part of the error, at most" :
	       "how often a new key is called seen, by how full it is", from);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		double rate = rate_at(sizing, parts[i]);
		int length = rate > 0 ?
			     lround(BAR * (1 - log(rate) / log(from))) : 0;

		next_line();
		printf("    %5u%% %11.3g%s%.*s", parts[i], rate,
		       length ? "  " : "", length, bar);
	}
}

static void tell_text(const struct seen_sizing *sizing)
{
	tell_promise(sizing);
	tell_sizes(sizing);
	if (!seen_sizing_exact(sizing->type))
		tell_rates(sizing);
	putchar('\n');
}

static void json_sizes(const struct seen_sizing *sizing)
{
	json_number("bytes", seen_sizing_memory(sizing));
	json_number("table-bytes", sizing->bytes);
	json_number("hashes", sizing->hashes);
	json_number("blocks", sizing->blocks);
	if (seen_sizing_sketch(sizing->type)) {
		json_float("error-part", 1.0 / sizing->capacity);
		json_float("confidence", 1 - real_rate(sizing->fpp));
	} else {
		json_float("bits-per-key", bits_a_key(sizing));
	}
	if (sizing->tick)
		json_number("tick", sizing->tick);
	json_text("errs", direction(sizing));
}

static void json_rates(const struct seen_sizing *sizing)
{
	bool sketch = seen_sizing_sketch(sizing->type);

	json_open("rates", '[');
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		json_open(NULL, '{');
		json_float(sketch ? "of-error" : "filled", parts[i] / 100.0);
		json_float("rate", rate_at(sizing, parts[i]));
		json_close();
	}
	json_close();
}

static void tell_json(const struct seen_sizing *sizing)
{
	json_open(NULL, '{');
	json_text("type", seen_word(&seen_types, sizing->type));
	if (sizing->type == SEEN_TYPE_BLOOM)
		json_text("layout", seen_word(&seen_layouts, sizing->layout));
	if (sizing->fp_bits)
		json_number("bits", sizing->fp_bits);
	json_number("capacity", sizing->capacity);
	if (!seen_sizing_exact(sizing->type))
		json_float("fpp", real_rate(sizing->fpp));
	if (sizing->window)
		json_number("window", sizing->window);
	json_bool("refresh", sizing->refresh);
	if (sizing->top)
		json_number("top", sizing->top);
	if (sizing->key_bytes)
		json_number("key-bytes", sizing->key_bytes);
	json_sizes(sizing);
	if (!seen_sizing_exact(sizing->type))
		json_rates(sizing);
	json_close();
}

void plan_tell(const struct seen_sizing *sizing)
{
	if (ctl.json)
		tell_json(sizing);
	else
		tell_text(sizing);
}

static void plot_axes(const struct seen_sizing *sizing)
{
	bool sketch = seen_sizing_sketch(sizing->type);
	char memory[TEXT_LEN];

	puts("set terminal svg size 720,480 font \"sans-serif,14\" background \"white\"");
	printf("set title \"type %s, capacity %ju, fpp %g\\nmemory %s, %s %u\"\n",
	       seen_word(&seen_types, sizing->type), sizing->capacity, real_rate(sizing->fpp),
	       text_bytes(memory, seen_sizing_memory(sizing)), sketch ? "rows" : "hashes",
	       sizing->hashes);
	printf("set xlabel \"%s\"\n", sketch ? "error, in percent of the bound" :
					       "keys, in percent of the capacity");
	printf("set ylabel \"%s\"\n", sketch ? "share of counts with a larger error, at most" :
					       "false-positive rate");
	puts("set logscale y\n"
	     "set format y \"10^{%T}\"\n"
	     "set grid");
	printf("set key %s right\n", sketch ? "top" : "bottom");
}

void plan_plot(const struct seen_sizing *sizing)
{
	plot_axes(sizing);
	puts("$predicted << end");
	for (int i = 1; i <= PLOT_POINTS; i++)
		printf("%g %g\n", i * PLOT_STEP, rate_at(sizing, i * PLOT_STEP));
	printf("end\n"
	       "$promised << end\n"
	       "100 %g\n"
	       "end\n"
	       "plot [0:%g] $predicted with lines linewidth 2 title \"predicted\", \\\n"
	       "     $promised with points pointtype 7 title \"promised\"\n",
	       real_rate(sizing->fpp), PLOT_POINTS * PLOT_STEP);
}
