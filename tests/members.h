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
		bool embedding = !strncmp(p->name, "embed.", 6) || !strncmp(p->name, "charcnn.", 8);
		char name[96];
		snprintf(name, sizeof name, "member.%d.%s", m, p->name);
		const hp_param *from = hp_params_find(whole, m ? name : p->name);
		if (!from && embedding) /* shared */
			from = hp_params_find(whole, p->name);
		assert_non_null(from);
		assert_int_equal(from->count, p->count);
		memcpy(p->value, from->value, p->count * sizeof *p->value);
	}
}

#endif
