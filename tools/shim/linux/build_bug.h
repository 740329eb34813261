/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in for the kernel's header of the same name. */
#ifndef SEEN_SHIM_BUILD_BUG_H
#define SEEN_SHIM_BUILD_BUG_H

#include <assert.h>

#undef static_assert
#define static_assert(expr)		_Static_assert(expr, #expr)
#define BUILD_BUG_ON(cond)		_Static_assert(!(cond), #cond)

#endif
