/* SPDX-License-Identifier: GPL-2.0 */
/* The status socket: each connection gets one JSON document. */
#ifndef SEEND_STATUS_H
#define SEEND_STATUS_H

#include "session.h"

/* status_open() - listen; the descriptor, or -1 with errno */
int status_open(const char *path);

/* status_answer() - answer one connection, without waiting */
void status_answer(int fd, const struct session *sessions, size_t count);

#endif
