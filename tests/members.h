/* members.h: for tests, one member of a network as a network of its own. */
#ifndef TEST_MEMBERS_H
#define TEST_MEMBERS_H
#include <stdio.h>
#include <string.h>

#include "nn/params.h"
#include "unit.h"

/* SINGLE, of one member, gets the values of member M of WHOLE. */
static void take_member(hp_params *single, const hp_params *whole, int m)
{
	for (int i = 0; i < single->count; i++) {
		hp_param *p = &single->item[i];
		char prefix[32] = "", name[96];
		bool shared = !strncmp(p->name, "embed.", 6) || !strncmp(p->name, "charcnn.", 8);
		if (m > 0 && !shared)
			snprintf(prefix, sizeof prefix, "member.%d.", m);
		snprintf(name, sizeof name, "%s%s", prefix, p->name);
		const hp_param *from = hp_params_find(whole, name);
		assert_non_null(from);
		assert_int_equal(from->count, p->count);
		memcpy(p->value, from->value, p->count * sizeof *p->value);
	}
}

#endif
