/* SPDX-License-Identifier: GPL-2.0 */
/* Breaks a request in one of many ways. */
#ifndef BREAKAGE_H
#define BREAKAGE_H

#include "draw.h"
#include "message.h"

void breakage_do(struct draw *draw, struct message *message);

#endif
