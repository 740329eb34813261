/* SPDX-License-Identifier: GPL-2.0 */
#include "../fake.h"
#undef local_bh_disable
#undef local_bh_enable
#define local_bh_disable()	fake_bh_disable()
#define local_bh_enable()	fake_bh_enable()
#include_next <linux/spinlock.h>
