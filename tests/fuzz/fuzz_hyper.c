/* fuzz_hyper.c: a table of hyper-parameters, for either task.  What is read is written, reads the same again, and makes
 * a configuration. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>
#include "train/hyper.h"

static char *written(const hp_hyper *h, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	demand(out && hp_hyper_write(h, out, NULL) == 0 && fclose(out) == 0);
	return text;
}

static void check_task(const char *path, hp_task task)
{
	hp_error err = {""};
	hp_hyper h, again;
	hp_net_config config = {0};
	size_t size, twice;
	char *text, *same;

	hp_hyper_init_task(&h, task);
	hp_hyper_init_task(&again, task);
	if (hp_hyper_read(&h, path, &err) != 0) {
		fuzz_refused(&err);
		return;
	}
	text = written(&h, &size);
	demand(hp_hyper_read(&again, fuzz_file("again.csv", text, size), &err) == 0);
	same = written(&again, &twice);
	demand(size == twice && memcmp(text, same, size) == 0);
	hp_hyper_config(&h, &config);
	demand(config.task == task && config.hidden > 0 && config.layers > 0);
	free(text);
	free(same);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file("table.csv", data, size);

	check_task(path, HP_TASK_DEP);
	check_task(path, HP_TASK_RST);
	return 0;
}
