/* task.h: what a model is for. */
#ifndef HP_TASK_H
#define HP_TASK_H
#include <stdbool.h>

typedef enum hp_task { HP_TASK_DEP, HP_TASK_RST, HP_TASK_TOKENIZE, HP_TASK_TAG, HP_TASK_SEGMENT, HP_TASKS } hp_task;

const char *hp_task_name(hp_task task); /* as models and --task have it: "dep" */
bool hp_task_tags(hp_task task); /* by the tagger's network, whatever the tags are */

#endif
