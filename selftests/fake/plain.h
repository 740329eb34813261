/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEN_FAKE_PLAIN_H
#define SEEN_FAKE_PLAIN_H

/* fake_run() - run all callbacks and works, those that they queue as well */
void fake_run(void);

#endif
