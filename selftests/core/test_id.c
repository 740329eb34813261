// SPDX-License-Identifier: GPL-2.0
/* No id is used twice, and no id is 0: the module's own files under a fake kernel. */
#include "../../kmod/binding.h"
#include "../fake/module.h"
#include "test.h"

static struct seen_filter *new_filter(void)
{
	struct seen_geometry geo = {
		.kind = SEEN_SET_BLOCKED, .capacity = 10, .fpp = FPP_ONE / 100,
	};

	if (seen_plan(&geo, MIN_TICK))
		abort();
	return fake_filter(&geo);
}

int main(void)
{
	struct seen_filter *spare = new_filter();
	struct netlink_ext_ack extack = { };
	struct seen_binding *binding;

	test_begin(5);
	fake_sn_begin();
	/* A name that rules wait for has an id, and a filter under it another one. */
	fake_sn.next_id = U32_MAX - 2;
	binding = seen_binding_add(&fake_sn, "last", new_filter(), false, &extack);
	ok(!IS_ERR(binding) && binding->id == U32_MAX, "the last id is used");
	ok(seen_binding_add(&fake_sn, "none", spare, false, &extack) == ERR_PTR(-ENOSPC) &&
	   extack._msg, "then a new filter is refused, with the reason");
	ok(!seen_binding_lookup(&fake_sn, "none"), "the name is not kept");
	binding = seen_binding_pin_rule(&fake_sn, "none", 0, NULL);
	ok(binding == ERR_PTR(-ENOSPC), "the name of a rule is not kept");
	binding = seen_binding_by_id(&fake_sn, U32_MAX);
	seen_filter_free(spare);
	seen_binding_del(binding);
	fake_run();
	ok(fake_sn.bindings.next == &fake_sn.bindings, "a filter with an id is deleted as usual");
	return test_end();
}
