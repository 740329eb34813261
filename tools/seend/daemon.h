/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SEEND_DAEMON_H
#define SEEND_DAEMON_H

/* daemon_run() - take part in all groups of a configuration file, until SIGTERM; exit status */
int daemon_run(const char *path);

/* daemon_check() - read the configuration file and the keys; exit status */
int daemon_check(const char *path);

#endif
