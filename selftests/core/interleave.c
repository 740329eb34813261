// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <string.h>
#include <ucontext.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "conflict.h"
#include "interleave.h"
#include "weak.h"

#define STACK_BYTES	16384
#define SHARED_MAX	40
#define GRAVES_MAX	8
#define DEPTH_MAX	4096
#define NOBODY		-1

struct actor {
	jmp_buf registers;	/* those that still matter after a call */
	char *sp;		/* below it nothing matters */
	bool ended;
	int loads;		/* the place that it is about to load, or NOWHERE */
	u32 choice;		/* which of its values */
	u64 holds;		/* places that are locks */
	char stack[STACK_BYTES] __aligned(64);
};

struct region {
	char *memory;
	size_t bytes;
};

u64 bad, ends;

/* Weakly ordered memory; the cases to be run (0: all); most states of one. */
static bool weakly;
static u64 only, limit;
static u64 cases;

static struct region shared[SHARED_MAX];
static int regions;

/* Freed memory. Shared between processes if the case frees memory. */
static struct {
	struct region grave[GRAVES_MAX];
	u32 count;
} graves;

static struct actor actors[ACTORS_MAX];
static int count, running = NOBODY;
/* Where it goes on when an actor stops; swapcontext() would ask the kernel each time. */
static jmp_buf scheduler;

/* States that were reached, by hash; 0 is a free slot. */
static u64 *known;
static u64 known_size, known_count;

void share(void *memory, size_t bytes)
{
	if (regions == SHARED_MAX) {
		printf("Bail out! too much to share\n");
		exit(1);
	}
	shared[regions++] = (struct region) { memory, bytes };
}

void share_set(struct seen_set *set)
{
	share(&test_clock, sizeof(test_clock));
	share(set, sizeof(*set));
	share(set->table, seen_geometry_bytes(&set->geo));
	share(set->stripes, seen_geometry_stripes(&set->geo) *
			    sizeof(struct seen_stripe));
}

void expect(bool good)
{
	bad += !good;
}

void unshare(void)
{
	regions = 0;
}

int self(void)
{
	return running;
}

/* True if the order of this access and some other actor's matters. */
static bool matters(const volatile void *memory, bool write)
{
	struct word *word = word_of(memory);
	bool conflicts = conflict(word);

	note_access(word, running, write, actors[running].holds, weakly);
	if (weakly && !conflicts && conflict(word))
		word->place = weak_place(memory);
	return conflict(word);
}

/* Where weakly ordered memory has it; NOWHERE: its order makes no difference. */
static int place_of(const volatile void *memory)
{
	return weakly && running != NOBODY ? word_of(memory)->place : NOWHERE;
}

/* A frame of its own: what its caller needs afterwards is above. */
static noinline void stop(void)
{
	struct actor *actor = &actors[running];

	actor->sp = __builtin_frame_address(0);
	if (!_setjmp(actor->registers))
		_longjmp(scheduler, 1);
}

/* The access itself, now that it is its turn. */
static void touch(const volatile void *memory)
{
	const char *at = (const char *)memory;
	u32 i;

	for (i = 0; running != NOBODY && i < graves.count; i++)
		expect(at < graves.grave[i].memory ||
		       at >= graves.grave[i].memory + graves.grave[i].bytes);
}

void seen_shim_step(const volatile void *memory, bool write)
{
	if (running != NOBODY && matters(memory, write))
		stop();
	touch(memory);
}

void meet(const volatile void *point, enum seen_shim_order order)
{
	matters(point, true);
	stop();
	if (!weakly)
		return;
	if (order == SEEN_SHIM_MB)
		weak_fence(running, order);
	else if (place_of(point) != NOWHERE)
		weak_lock(running, place_of(point), order);
}

void share_graves(void)
{
	memset(&graves, 0, sizeof(graves));
	share(&graves, sizeof(graves));
}

/* As if it were written: any access to it conflicts. */
void bury(const void *memory)
{
	struct region *region = shared;
	bool conflicts = false;
	size_t at;

	while (region->memory != memory)
		if (++region == shared + regions) {
			printf("Bail out! what is given back is not shared\n");
			exit(1);
		}
	for (at = 0; at < region->bytes; at += sizeof(u32))
		conflicts |= matters(region->memory + at, true);
	if (conflicts)
		stop();
	touch(memory);
	if (graves.count == GRAVES_MAX) {
		printf("Bail out! more than %d pieces are given back\n", GRAVES_MAX);
		exit(1);
	}
	graves.grave[graves.count++] = *region;
}

/*
 * In weak memory these accesses are no stops: a store that no other store can precede or
 * follow, because a later load may still return the previous value; and a load that can
 * return only one value, if no other actor can store.
 */
static bool is_settled(const struct word *word)
{
	return (word->writers == 1U << running ||
		word->locks & actors[running].holds) &&
	       weak_values(running, word->place) == 1;
}

static u64 value_of(const volatile void *memory, u32 bytes)
{
	u64 value = 0;

	memcpy(&value, (const void *)memory, bytes);
	return value;
}

unsigned long seen_shim_load(const volatile void *memory, u32 bytes,
			     enum seen_shim_order order, const char *file,
			     int line)
{
	struct actor *actor = &actors[running];
	int place;

	if (running == NOBODY)
		return value_of(memory, bytes);
	if (!matters(memory, false)) {
		touch(memory);
		return value_of(memory, bytes);
	}
	place = place_of(memory);
	actor->loads = place;
	actor->choice = 0;
	if (place != NOWHERE)
		weak_word(place, bytes);
	if (place == NOWHERE || !is_settled(word_of(memory)))
		stop();
	actor->loads = NOWHERE;
	touch(memory);
	if (place == NOWHERE)
		return value_of(memory, bytes);
	return weak_load(running, place, bytes, actor->choice,
			 weak_order(order, file, line));
}

void seen_shim_store(const volatile void *memory, u32 bytes,
		     enum seen_shim_order order, const char *file, int line)
{
	bool update = order == SEEN_SHIM_RMW || order == SEEN_SHIM_FULL;
	int place = place_of(memory);

	if (!update && running != NOBODY && matters(memory, true)) {
		place = place_of(memory);
		if (place == NOWHERE || !is_guarded(word_of(memory)))
			stop();
	}
	touch(memory);
	if (place != NOWHERE)
		weak_store(running, place, bytes, weak_order(order, file, line));
}

/* Stores under a lock are in order for every actor that takes the lock. */
static int lock_place(const volatile void *lock)
{
	struct word *word;

	if (!weakly || running == NOBODY)
		return NOWHERE;
	word = word_of(lock);
	if (word->place == NOWHERE) {
		word->place = weak_place(lock);
		surprised = true;
	}
	return word->place;
}

void seen_shim_lock(const volatile void *lock, enum seen_shim_order order,
		    const char *file, int line)
{
	int place = lock_place(lock);

	if (place == NOWHERE)
		return;
	if (order == SEEN_SHIM_ACQUIRE)
		actors[running].holds |= 1ULL << place;
	else
		actors[running].holds &= ~(1ULL << place);
	weak_lock(running, place, weak_order(order, file, line));
}

void seen_shim_fence(enum seen_shim_order order, const char *file, int line)
{
	if (!weakly || running == NOBODY)
		return;
	if (order == SEEN_SHIM_MB)
		stop();
	weak_fence(running, weak_order(order, file, line));
}

static void begin(void (*fn)(void))
{
	stop();
	fn();
	actors[running].ended = true;
	_longjmp(scheduler, 1);
}

/* Lets an actor run up to its next access; @choice: what it loads. */
static void step(int actor, u32 choice)
{
	actors[actor].choice = choice;
	running = actor;
	if (!_setjmp(scheduler))
		_longjmp(actors[actor].registers, 1);
	running = NOBODY;
}

/* On its own stack, up to where it would call @fn. */
static void enter(int actor, void (*fn)(void))
{
	ucontext_t context;

	getcontext(&context);
	context.uc_stack.ss_sp = actors[actor].stack;
	context.uc_stack.ss_size = STACK_BYTES;
	makecontext(&context, (void (*)(void))begin, 1, fn);
	running = actor;
	if (!_setjmp(scheduler))
		setcontext(&context);
	running = NOBODY;
}

static void start(void (*const *fn)(void))
{
	struct actor *a;

	for (count = 0; fn[count]; count++) {
		a = &actors[count];
		memset(a, 0, sizeof(*a));
		a->loads = NOWHERE;
		enter(count, fn[count]);
	}
}

static size_t stack_bytes(const struct actor *a)
{
	return a->ended ? 0 : a->stack + STACK_BYTES - a->sp;
}

/* A hash of the previous hash and of these bytes. XXH3 is slow with a seed of its own. */
static u64 hash_bytes(u64 hash, const void *memory, size_t bytes)
{
	return seen_remix(hash + XXH3_64bits(memory, bytes));
}

/* Each byte and the previous hash must change the hash; else two states would count as one. */
static void check_hash(void)
{
	char memory[100] = { 0 };
	size_t bytes, i;
	u64 hash;

	for (bytes = 1; bytes <= sizeof(memory); bytes++) {
		hash = hash_bytes(1, memory, bytes);
		expect(hash != hash_bytes(2, memory, bytes));
		for (i = 0; i < bytes; i++) {
			memory[i] = 1;
			expect(hash != hash_bytes(1, memory, bytes));
			memory[i] = 0;
		}
	}
}

static u32 alive(void)
{
	u32 bits = 0;
	int i;

	for (i = 0; i < count; i++)
		if (!actors[i].ended)
			bits |= 1U << i;
	return bits;
}

static u64 hash_state(void)
{
	u64 hash = 1;
	int i;

	for (i = 0; i < regions; i++)
		hash = hash_bytes(hash, shared[i].memory, shared[i].bytes);
	for (i = 0; i < count; i++) {
		hash = seen_remix(hash + actors[i].ended);
		if (actors[i].ended)
			continue;
		hash = hash_bytes(hash, actors[i].registers,
				  sizeof(actors[i].registers));
		hash = hash_bytes(hash, actors[i].sp, stack_bytes(&actors[i]));
	}
	if (weakly)
		hash = weak_hash(hash, alive());
	return hash ? hash : 1;
}

static bool insert(u64 hash)
{
	u64 i = hash & (known_size - 1);

	while (known[i] && known[i] != hash)
		i = (i + 1) & (known_size - 1);
	if (known[i])
		return false;
	known[i] = hash;
	known_count++;
	return true;
}

static void grow(void)
{
	u64 *old = known;
	u64 size = known_size;
	u64 i;

	known_size = size ? 2 * size : 1 << 16;
	known_count = 0;
	known = calloc(known_size, sizeof(*known));
	if (!known) {
		printf("Bail out! no memory for %llu states\n",
		       (unsigned long long)known_size);
		exit(1);
	}
	for (i = 0; i < size; i++)
		if (old[i])
			insert(old[i]);
	free(old);
}

/* True if the present state was never reached before. */
static bool discover(void)
{
	if (weakly)
		weak_prune(alive());
	if (2 * known_count >= known_size)
		grow();
	return insert(hash_state());
}

/* A copy of the present state, to go back to. */
struct snapshot {
	char *shared[SHARED_MAX];
	struct actor actor[ACTORS_MAX];
	struct weak *weak;
	size_t weak_bytes;
};

static struct snapshot *save(void)
{
	struct snapshot *s = malloc(sizeof(*s));
	int i;

	for (i = 0; i < regions; i++) {
		s->shared[i] = malloc(shared[i].bytes);
		memcpy(s->shared[i], shared[i].memory, shared[i].bytes);
	}
	for (i = 0; i < count; i++) {
		memcpy(s->actor[i].registers, actors[i].registers,
		       sizeof(jmp_buf));
		s->actor[i].sp = actors[i].sp;
		s->actor[i].ended = actors[i].ended;
		s->actor[i].loads = actors[i].loads;
		s->actor[i].holds = actors[i].holds;
		memcpy(s->actor[i].stack, actors[i].sp,
		       stack_bytes(&actors[i]));
	}
	s->weak = NULL;
	if (weakly) {
		s->weak_bytes = weak_bytes();
		s->weak = malloc(s->weak_bytes);
		memcpy(s->weak, &weak, s->weak_bytes);
	}
	return s;
}

static void restore(const struct snapshot *s)
{
	int i;

	for (i = 0; i < regions; i++)
		memcpy(shared[i].memory, s->shared[i], shared[i].bytes);
	for (i = 0; i < count; i++) {
		memcpy(actors[i].registers, s->actor[i].registers,
		       sizeof(jmp_buf));
		actors[i].sp = s->actor[i].sp;
		actors[i].ended = s->actor[i].ended;
		actors[i].loads = s->actor[i].loads;
		actors[i].holds = s->actor[i].holds;
		memcpy(actors[i].sp, s->actor[i].stack,
		       stack_bytes(&actors[i]));
	}
	if (weakly)
		memcpy(&weak, s->weak, s->weak_bytes);
}

static void drop(struct snapshot *s)
{
	int i;

	for (i = 0; i < regions; i++)
		free(s->shared[i]);
	free(s->weak);
	free(s);
}

/* A state on the way, the actor that is next to be tried from it, and its load. */
struct node {
	struct snapshot *state;
	int next;
	u32 choice;
};

static struct node path[DEPTH_MAX];

/* Which may read so many values, in the present state. */
static u32 choices(int actor)
{
	int place = actors[actor].loads;

	return place == NOWHERE ? 1 : weak_values(actor, place);
}

/* True if there was something to be tried. */
static bool try_next(struct node *node)
{
	restore(node->state);
	while (node->next < count) {
		if (!actors[node->next].ended &&
		    node->choice < choices(node->next)) {
			step(node->next, node->choice++);
			return true;
		}
		node->next++;
		node->choice = 0;
	}
	return false;
}

static bool enough(void)
{
	return surprised || (bad && weak_hunts()) ||
	       (limit && known_count >= limit);
}

/*
 * Depth first; what done() changes is undone with the next restore(). A
 * surprise ends it.
 */
static void explore(void (*done)(void))
{
	struct node *node;
	int depth = 0;

	discover();
	path[depth++] = (struct node) { .state = save() };
	while (depth) {
		node = &path[depth - 1];
		if (enough() || !try_next(node)) {
			drop(node->state);
			depth--;
		} else if (!discover()) {
			continue;
		} else if (!alive()) {
			done();
		} else if (depth == DEPTH_MAX) {
			printf("Bail out! an actor does not end\n");
			exit(1);
		} else {
			path[depth++] = (struct node) { .state = save() };
		}
	}
}

static void forget(void)
{
	free(known);
	known = NULL;
	known_size = 0;
	known_count = 0;
}

static u64 number(const char *name)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 10) : 0;
}

static void ask_environment(void)
{
	weakly = number("WEAK");
	only = number("CASE");
	limit = number("STATES");
}

u64 interleave(void (*const *fn)(void), void (*done)(void))
{
	struct snapshot *first;
	u64 states;

	check_hash();
	ask_environment();
	if (++cases != only && only)
		return 0;
	words_begin();
	weak_begin();
	count = 0;
	first = save();
	do {
		surprised = false;
		weak_reset();
		words_renew();
		forget();
		start(fn);
		explore(done);
		count = 0;
		restore(first);
	} while (surprised);
	drop(first);
	states = known_count;
	forget();
	return states;
}

void play(const char *name, void (*const *actors)(void), void (*done)(void))
{
	u64 states;

	bad = 0;
	ends = 0;
	states = interleave(actors, done);
	ok(ends && !bad, "%s: %llu states, %llu ends", name,
	   (unsigned long long)states, (unsigned long long)ends);
}
