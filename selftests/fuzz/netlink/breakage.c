// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "breakage.h"
#include "pool.h"

/* Limits: attributes of a message that may be broken, and depth of a nest that is made. */
#define ATTRS_SEEN	256
#define DEEPEST		24

/* The message before it is broken; the broken one is built from it. */
static struct message old;

static uint32_t collect(const struct nlattr **attrs)
{
	const struct nlattr *attr;
	uint32_t at = 0, count = 0;

	while (count < ATTRS_SEEN &&
	       (attr = attr_next(old.attrs, old.len, &at)))
		attrs[count++] = attr;
	return count;
}

static bool copy(struct message *message, const struct nlattr *attr)
{
	return message_put(message, attr->nla_type, attr_data(attr),
			   attr_len(attr));
}

/* --- changes of one attribute -------------------------------------------------------- */

typedef void change(struct draw *draw, struct message *message,
		    const struct nlattr *attr);

static void drop(struct draw *draw, struct message *message,
		 const struct nlattr *attr)
{
	(void)draw;
	(void)message;
	(void)attr;
}

static void repeat(struct draw *draw, struct message *message,
		   const struct nlattr *attr)
{
	static const uint32_t counts[] = { 2, 2, 3, 17, 65, 2000, 20000 };
	uint32_t count = PICK(draw, counts);

	for (; count; count--)
		copy(message, attr);
}

static void resize(struct draw *draw, struct message *message,
		   const struct nlattr *attr)
{
	static const uint32_t lens[] = {
		0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33,
	};
	static uint8_t data[UINT16_MAX];
	uint32_t len = PICK(draw, lens);

	if (draw_chance(draw, 30))
		len = attr_len(attr) + draw_below(draw, 3) - 1;
	if (len > sizeof(data))
		len = 0;
	memset(data, draw_next(draw), sizeof(data));
	memcpy(data, attr_data(attr), attr_len(attr));
	message_put(message, attr->nla_type, data, len);
}

static void retype(struct draw *draw, struct message *message,
		   const struct nlattr *attr)
{
	static const uint16_t flags[] = {
		0, 0, 0, NLA_F_NESTED, NLA_F_NET_BYTEORDER,
	};
	uint16_t type = draw_below(draw, 80);

	if (draw_chance(draw, 5))
		type = draw_next(draw) & NLA_TYPE_MASK;
	message_put(message, type | PICK(draw, flags), attr_data(attr),
		    attr_len(attr));
}

static void edge(struct draw *draw, struct message *message,
		 const struct nlattr *attr)
{
	uint64_t value = pool_edge(draw);
	uint32_t len = attr_len(attr);

	message_put(message, attr->nla_type, &value,
		    len && len < sizeof(value) ? len : sizeof(value));
}

static void fill(struct draw *draw, struct message *message,
		 const struct nlattr *attr)
{
	uint32_t len = attr_len(attr), i, times;
	uint8_t *data;

	if (!copy(message, attr) || !len)
		return;
	data = message->attrs + message->len - NLA_ALIGN(len);
	if (draw_chance(draw, 30)) {
		memset(data, draw_chance(draw, 50) ? 0xff : 0, len);
		return;
	}
	times = 1 + draw_below(draw, 4);
	for (i = 0; i < times; i++)
		data[draw_below(draw, len)] = draw_next(draw);
}

static void deepen(struct draw *draw, struct message *message,
		   const struct nlattr *attr)
{
	uint32_t nests[DEEPEST], depth = 1 + draw_below(draw, DEEPEST), i;

	for (i = 0; i < depth; i++)
		nests[i] = message_nest(message, i ? 1 : attr->nla_type);
	copy(message, attr);
	while (i--)
		message_nest_end(message, nests[i]);
}

static void enlarge(struct draw *draw, struct message *message,
		    const struct nlattr *attr)
{
	static uint8_t data[60000];
	uint32_t len = 1000 + draw_below(draw, sizeof(data) - 1000);

	/* Records of keys: with a length of 0, of 1, or beyond the attribute. */
	memset(data, draw_below(draw, 3) ? draw_below(draw, 2) : 0xff, len);
	message_put(message, attr->nla_type, data, len);
}

/* Sets a wrong length. */
static void lie(struct draw *draw, struct message *message,
		const struct nlattr *attr)
{
	struct nlattr *put = (struct nlattr *)(message->attrs + message->len);

	if (!copy(message, attr))
		return;
	switch (draw_below(draw, 4)) {
	case 0:
		put->nla_len = draw_below(draw, NLA_HDRLEN);
		break;
	case 1:
		put->nla_len = UINT16_MAX - draw_below(draw, 8);
		break;
	default:
		put->nla_len += draw_below(draw, 41) - 20;
		break;
	}
}

static void change_one(struct draw *draw, struct message *message,
		       change *change)
{
	const struct nlattr *attrs[ATTRS_SEEN];
	uint32_t count = collect(attrs), which, i;

	message->len = 0;
	if (!count)
		return;
	which = draw_below(draw, count);
	for (i = 0; i < count; i++)
		if (i == which)
			change(draw, message, attrs[i]);
		else
			copy(message, attrs[i]);
}

/* Changes an attribute inside a nest, at any depth. */
static void inside(struct draw *draw, struct message *message,
		   const struct nlattr *attr)
{
	static change * const changes[] = {
		inside, inside, drop, repeat, resize, retype, edge, fill,
		deepen, lie,
	};
	uint32_t nest, at = 0, count = 0, which;
	const struct nlattr *in;

	if (!(attr->nla_type & NLA_F_NESTED)) {
		edge(draw, message, attr);
		return;
	}
	while (attr_next(attr_data(attr), attr_len(attr), &at))
		count++;
	which = count ? draw_below(draw, count) : 0;
	nest = message_nest(message, attr->nla_type);
	for (at = 0; (in = attr_next(attr_data(attr), attr_len(attr), &at));)
		if (which--)
			copy(message, in);
		else
			PICK(draw, changes)(draw, message, in);
	if (message->len - nest <= UINT16_MAX)
		message_nest_end(message, nest);
}

/* --- changes of the whole message ----------------------------------------------------- */

static void exchange(struct draw *draw, struct message *message)
{
	const struct nlattr *attrs[ATTRS_SEEN];
	uint32_t count = collect(attrs), i;

	message->len = 0;
	for (i = count; i; i--)
		copy(message, attrs[draw_chance(draw, 80) ? i - 1 :
				    draw_below(draw, count)]);
}

static void append(struct draw *draw, struct message *message)
{
	uint32_t len = 1 + draw_below(draw, 12);

	if (message->len + len > ATTRS_MAX)
		return;
	while (len--)
		message->attrs[message->len++] = draw_next(draw);
}

static void rehead(struct draw *draw, struct message *message)
{
	static const uint16_t flags[] = {
		NLM_F_DUMP, NLM_F_ROOT, NLM_F_MATCH, NLM_F_ATOMIC,
		NLM_F_EXCL, NLM_F_CREATE, NLM_F_APPEND, NLM_F_ECHO,
		NLM_F_MULTI, NLM_F_CREATE | NLM_F_EXCL, NLM_F_DUMP_INTR, 0xfffb,
	};

	switch (draw_below(draw, 4)) {
	case 0:
		message->flags |= PICK(draw, flags);
		break;
	case 1:
		message->cmd = draw_chance(draw, 90) ?
			       draw_below(draw, SEEN_CMD_MAX + 3) :
			       draw_next(draw);
		break;
	case 2:
		message->version = draw_next(draw);
		message->reserved = draw_chance(draw, 20) ? draw_next(draw) : 0;
		break;
	case 3:
		message->cut = draw_below(draw, message->len + GENL_HDRLEN + 1);
		break;
	}
}

void breakage_do(struct draw *draw, struct message *message)
{
	static change * const changes[] = {
		drop, drop, repeat, resize, resize, retype, edge, edge, fill,
		fill, deepen, enlarge, lie, inside, inside, inside,
	};

	memcpy(&old, message, offsetof(struct message, attrs) + message->len);
	switch (draw_below(draw, 10)) {
	case 0:
		exchange(draw, message);
		break;
	case 1:
		append(draw, message);
		break;
	case 2:
	case 3:
		rehead(draw, message);
		break;
	default:
		change_one(draw, message, PICK(draw, changes));
		break;
	}
}
