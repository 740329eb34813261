/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_FAKE_PLAIN_H
#define SEEN_FAKE_PLAIN_H

/* fake_run() - all that is queued runs, until nothing is */
void fake_run(void);

#endif
