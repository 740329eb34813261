// SPDX-License-Identifier: GPL-2.0
/* Preloaded with fake_kernel.c: each request succeeds with a warning. */
#include "fake_kernel.h"

void fake_answer(struct nlmsghdr *request)
{
	fake_warn(request, "this is a warning");
}
