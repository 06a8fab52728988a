/* task.h: what a model is for. */
#ifndef HP_TASK_H
#define HP_TASK_H

typedef enum hp_task { HP_TASK_DEP, HP_TASK_RST, HP_TASK_TOKENIZE, HP_TASK_TAG, HP_TASK_SEGMENT, HP_TASKS } hp_task;

const char *hp_task_name(hp_task task); /* as models and --task have it: "dep" */

#endif
