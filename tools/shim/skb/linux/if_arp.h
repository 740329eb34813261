/* SPDX-License-Identifier: GPL-2.0 */
#include_next <linux/if_arp.h>
#include <linux/skbuff.h>
