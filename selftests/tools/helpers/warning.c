// SPDX-License-Identifier: GPL-2.0
/* Preloaded with fake_kernel.c: each request succeeds with a warning. */
#include "fake_kernel.h"

void fake_answer(struct nlmsghdr *request)
{
	fake_text(request, 0, "this is a warning");
}
