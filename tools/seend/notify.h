/* SPDX-License-Identifier: GPL-2.0 */
/* The protocol of sd_notify(3). */
#ifndef SEEND_NOTIFY_H
#define SEEND_NOTIFY_H

/* notify() - send a state, such as "READY=1", to the service manager, if there is one */
void notify(const char *state);

#endif
