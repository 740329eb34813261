/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Groups without an engine: an aggregator writes a file, which any web server can carry, and the
 * other hosts fetch it. The file GROUP.seen is a FRAME message after its length (4 bytes), and the
 * compressed content. Its sequence ascends with the clock of the aggregator.
 */
#ifndef SEEND_WEB_H
#define SEEND_WEB_H

/* web_publish() - write the filter of a group to a folder, atomically; exit status */
int web_publish(const char *config, const char *group, const char *folder);

/**
 * web_subscribe() - add the keys of a file to the filter of a group
 * @config: path of the configuration file
 * @group: name
 * @url: of the file
 * @seconds: repeat after so many seconds; 0: once
 *
 * A file that has not changed since the last call is not loaded again. Unless standard output is a
 * terminal, repetitions that load nothing print nothing.
 *
 * Return: exit status.
 */
int web_subscribe(const char *config, const char *group, const char *url, unsigned int seconds);

#endif
