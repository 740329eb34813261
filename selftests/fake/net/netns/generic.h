/* SPDX-License-Identifier: GPL-2.0 */
#include <net/net_namespace.h>
