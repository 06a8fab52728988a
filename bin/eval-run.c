/* eval-run.c: what the tasks add to a run of hp-eval. */
#include "eval.h"

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
