/* task.c: what tasks are called. */
#include "base/task.h"

const char *hp_task_name(hp_task task)
{
	static const char *const names[HP_TASKS] = {[HP_TASK_DEP] = "dep",
	                                            [HP_TASK_RST] = "rst",
	                                            [HP_TASK_TOKENIZE] = "tokenize",
	                                            [HP_TASK_TAG] = "tag",
	                                            [HP_TASK_SEGMENT] = "segment"};

	return names[task];
}

bool hp_task_tags(hp_task task)
{
	return task == HP_TASK_TAG || task == HP_TASK_SEGMENT;
}
