/* SPDX-License-Identifier: GPL-2.0 */
#include <linux/netfilter.h>

#define NF_BR_LOCAL_OUT	3
