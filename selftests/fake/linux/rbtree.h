/* SPDX-License-Identifier: GPL-2.0 */
/* A binary tree that is not balanced. */
#ifndef SEEN_FAKE_RBTREE_H
#define SEEN_FAKE_RBTREE_H

#include <linux/kernel.h>

struct rb_node {
	struct rb_node *rb_parent;
	struct rb_node *rb_right;
	struct rb_node *rb_left;
};

struct rb_root {
	struct rb_node *rb_node;
};

#define RB_ROOT			((struct rb_root) { NULL })
#define rb_entry_safe(p, type, member) \
	((p) ? container_of(p, type, member) : NULL)
#define rb_insert_color(node, root)	((void)(root))

static inline void rb_link_node(struct rb_node *node, struct rb_node *parent,
				struct rb_node **link)
{
	*node = (struct rb_node) { .rb_parent = parent };
	*link = node;
}

/* The left subtree goes below the leftmost node of the right one. */
static inline void rb_erase(struct rb_node *node, struct rb_root *root)
{
	struct rb_node *parent = node->rb_parent, *left = node->rb_left;
	struct rb_node *heir = node->rb_right ?: left, *low = node->rb_right;

	if (!parent)
		root->rb_node = heir;
	else if (parent->rb_left == node)
		parent->rb_left = heir;
	else
		parent->rb_right = heir;
	if (heir)
		heir->rb_parent = parent;
	if (!low || !left)
		return;
	while (low->rb_left)
		low = low->rb_left;
	low->rb_left = left;
	left->rb_parent = low;
}

struct rb_node *rb_next(const struct rb_node *node);

#endif
