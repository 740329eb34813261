/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the tests of the fleet: results in TAP, a seed, groups of hosts with keys. */
#ifndef SEEN_FLEET_TAP_H
#define SEEN_FLEET_TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../tools/seend/group.h"

/* tap_begin() - print the number of results, and the seed, which TEST_SEED changes */
void tap_begin(int results);

/* ok() - one result; returns @good */
bool ok(bool good, const char *name, ...) __attribute__((__format__(__printf__, 2, 3)));

void note(const char *text, ...) __attribute__((__format__(__printf__, 1, 2)));

/* tap_end() - the exit status */
int tap_end(void);

/* random_seed() - begin another sequence; random64(), random_below() - the next number */
void random_seed(uint64_t seed);
uint64_t random64(void);
uint64_t random_below(uint64_t n);

/* The seed of tap_begin(). */
extern uint64_t tap_seed;

/* long_run() - is LONG set in the environment? */
bool long_run(void);

/**
 * group_make() - a group as one of its hosts sees it
 * @group: out; its members are freed by group_free()
 * @count: number of hosts, which all publish; the first @aggregators of them aggregate
 * @aggregators: see @count
 * @self: number of the host, in the order of their keys' seeds
 *
 * The keys depend on the numbers of the hosts only.
 */
void group_make(struct group *group, size_t count, size_t aggregators, size_t self);

void group_free(struct group *group);

#endif
