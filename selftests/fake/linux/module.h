/* SPDX-License-Identifier: GPL-2.0 */
/* A test defines the functions of the other module, which is never unloaded. */
#ifndef SEEN_FAKE_MODULES_H
#define SEEN_FAKE_MODULES_H

#include <linux/kernel.h>

#define symbol_get(symbol)		(&(symbol))
#define symbol_put_addr(address)	((void)(address))

#endif
