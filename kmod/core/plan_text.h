/* SPDX-License-Identifier: GPL-2.0 */
/* Error texts for refused plans, shared by the module and the tools. */
#ifndef SEEN_CORE_PLAN_TEXT_H
#define SEEN_CORE_PLAN_TEXT_H

#include "plan.h"

/* Room for seen_plan_rate_text(), NUL included. */
#define SEEN_PLAN_RATE_LEN	16

/* Arguments: the rate, and seen_plan_use(). Fits in the 80 bytes of an extended ack's text. */
#define SEEN_PLAN_FPP_TYPE_TEXT \
	"fpp: this type needs more than 64 bits per key for %s; use %s"

/* Errors in the attributes of a request, found before planning. */
#define SEEN_TEXT_LAYOUT	"layout: needs type bloom"
#define SEEN_TEXT_CAPACITY	"capacity: must be 1 to 17179869184"
#define SEEN_TEXT_FPP		"fpp: must be 1e-12 to 0.5"
#define SEEN_TEXT_FP_BITS	"bits: must be 8, 12, 16, 24 or 32"
#define SEEN_TEXT_BITS		"bits: needs type cuckoo"
#define SEEN_TEXT_WINDOW \
	"window: needs type bloom (layout blocked), cuckoo, cms or cmm"
#define SEEN_TEXT_REFRESH	"refresh: needs type bloom or cuckoo"
#define SEEN_TEXT_NO_WINDOW	"refresh: needs a window"
#define SEEN_TEXT_TOP		"top: needs type cms or cmm"
#define SEEN_TEXT_WHOLE_KEY \
	"key: type map and top need a key without payload"
#define SEEN_TEXT_ANY_PREFIX \
	"type: prefixes of any length need type bloom, cuckoo, counting or map"

/**
 * seen_plan_text() - the text of an error
 * @error: error from seen_plan(), other than SEEN_PLAN_OK and SEEN_PLAN_FPP_TYPE
 *
 * Return: the text, which names the parameter.
 */
const char *seen_plan_text(enum seen_plan_error error);

/**
 * seen_plan_use() - the parameters that avoid SEEN_PLAN_FPP_TYPE
 * @geo: a request for which seen_plan() returned SEEN_PLAN_FPP_TYPE
 * @min_tick: as for seen_plan()
 *
 * Return: "type cuckoo"; or "layout classic", after "type bloom " if @geo is of another type.
 */
const char *seen_plan_use(const struct seen_geometry *geo, u64 min_tick);

/**
 * seen_plan_type_text() - the text of SEEN_PLAN_FPP_TYPE for types other than bloom
 * @geo: a request for which seen_plan() returned SEEN_PLAN_FPP_TYPE
 * @min_tick: as for seen_plan()
 *
 * Return: the text; NULL: @geo is of type bloom, so the text is SEEN_PLAN_FPP_TYPE_TEXT.
 */
const char *seen_plan_type_text(const struct seen_geometry *geo, u64 min_tick);

/**
 * seen_plan_rate_text() - write a rate as users do: "0.01", "2.5e-9"
 * @fpp: in units of 10^-12, 1 to 10^12 - 1; three digits of it are printed
 * @text: out, SEEN_PLAN_RATE_LEN bytes
 *
 * Return: @text.
 */
const char *seen_plan_rate_text(u64 fpp, char *text);

#endif
