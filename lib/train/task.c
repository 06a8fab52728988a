/* task.c: the tasks, and their scores as text. */
#include "train/task.h"

#include <math.h>
#include <stdio.h>

const hp_train_task *hp_train_task_of(hp_task task)
{
	static const hp_train_task *const tasks[HP_TASKS] = {[HP_TASK_DEP] = &hp_train_dep,
	                                                     [HP_TASK_RST] = &hp_train_rst,
	                                                     [HP_TASK_TOKENIZE] = &hp_train_tokenize,
	                                                     [HP_TASK_TAG] = &hp_train_tag,
	                                                     [HP_TASK_SEGMENT] = &hp_train_segment};

	return tasks[task];
}

void hp_score_text(const hp_train_task *task, const hp_score *score, char text[HP_SCORE_TEXT])
{
	size_t at = 0;

	text[0] = '\0';
	for (int i = 0; i < task->scores && at < HP_SCORE_TEXT; i++)
		if (!isnan(score->percent[i]))
			at += (size_t)snprintf(text + at, HP_SCORE_TEXT - at, "%s%s %.2f", at > 0 ? " " : "", task->score[i],
			                       score->percent[i]);
}
