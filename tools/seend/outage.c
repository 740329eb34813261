// SPDX-License-Identifier: GPL-2.0
#include "group.h"
#include "outage.h"

#define REPEAT	(60 * NS_PER_SEC)
#define CALM	(10 * NS_PER_SEC)

enum outage_news outage_look(struct outage *outage, bool failed, bool works, uint64_t now)
{
	if (failed)
		outage->failed = now;
	if (failed && !outage->is) {
		outage->is = true;
		outage->said = now;
		return OUTAGE_BEGINS;
	}
	if (failed && now - outage->said >= REPEAT) {
		outage->said = now;
		return OUTAGE_LASTS;
	}
	if (outage->is && works && now - outage->failed >= CALM) {
		outage->is = false;
		return OUTAGE_ENDS;
	}
	return OUTAGE_NONE;
}
