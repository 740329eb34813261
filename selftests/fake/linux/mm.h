/* SPDX-License-Identifier: GPL-2.0 */
#include <linux/kernel.h>

/* Always enough for a table. */
#define si_mem_available()	(1L << 40)
