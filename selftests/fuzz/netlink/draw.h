/* SPDX-License-Identifier: GPL-2.0 */
/* Random numbers that depend on a seed only: splitmix64. */
#ifndef DRAW_H
#define DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A random element of an array. */
#define PICK(draw, array)						\
	(*({								\
		__typeof__(&(array)[0]) _first = (array);		\
									\
		_first + draw_below(draw, sizeof(array) / sizeof(*_first)); \
	}))

struct draw {
	uint64_t state;
};

static inline uint64_t draw_next(struct draw *draw)
{
	uint64_t mixed = draw->state += 0x9e3779b97f4a7c15;

	mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
	mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
	return mixed ^ mixed >> 31;
}

/* draw_below() - a number below @end, which is above 0 */
static inline uint32_t draw_below(struct draw *draw, uint32_t end)
{
	return draw_next(draw) % end;
}

/* draw_chance() - true in @percent of all draws */
static inline bool draw_chance(struct draw *draw, uint32_t percent)
{
	return draw_below(draw, 100) < percent;
}

#endif
