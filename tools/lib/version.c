// SPDX-License-Identifier: GPL-2.0
#include "libseen.h"

const char *seen_version(void)
{
	return SEEN_VERSION;
}
