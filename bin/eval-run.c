/* eval-run.c: what the tasks add to a run of hp-eval. */
#include "eval.h"

#include <inttypes.h>

#include "cli.h"

int eval_add(eval_run *r, hp_tally scores[][MOST_METRICS], hp_error *err)
{
	for (int k = 0; k < r->systems; k++)
		hp_tally_add(r->totals[k], scores[k], r->report.count);
	r->sentences++;
	if (!r->o->compare)
		return 0;
	if (!r->bootstrap)
		r->bootstrap = hp_bootstrap_new(r->report.metrics, r->report.count);
	return r->bootstrap ? hp_bootstrap_add(r->bootstrap, scores[0], scores[1], err) : hp_fail_memory(err);
}

void eval_tell_unparsed(const char *file, int64_t unparsed, const char *what, const char *nothing)
{
	if (unparsed > 0)
		cli_error("%s: %" PRId64 " %s%s that w%s not parsed (\"# unparsed =\"): %s there counts as right", file,
		          unparsed, what, hp_plural(unparsed), unparsed == 1 ? "as" : "ere", nothing);
}
