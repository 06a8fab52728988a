/* installed.c: finding what is installed beside the programs. */
#include "base/installed.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether FILE, a program or a library in PREFIX/bin, PREFIX/lib or PREFIX/lib/TRIPLET, has a PREFIX with that folder. */
static bool beside(const char *file, const char *kind, char *folder)
{
	char *real = realpath(file, NULL);
	struct stat info;
	bool found = false;

	for (int up = 0; real != NULL && up < 3 && !found; up++) {
		char *slash = strrchr(real, '/');

		if (!slash)
			break;
		*slash = '\0';
		if (up > 0)
			found = snprintf(folder, PATH_MAX, "%s/share/hptools/%s", real, kind) < PATH_MAX &&
			        stat(folder, &info) == 0 && S_ISDIR(info.st_mode);
	}
	free(real);
	return found;
}

void hp_installed_folder(const char *kind, const char *installed, char *folder)
{
	Dl_info library;
	struct link_map *map = NULL;

	/* What the code is in: a library that another program uses, which may lie beside others' models; or the program. */
	if (dladdr1(&hp_installed_folder, &library, (void **)&map, RTLD_DL_LINKMAP) != 0 && map && *map->l_name != '\0' &&
	    beside(map->l_name, kind, folder))
		return;
	if (!beside("/proc/self/exe", kind, folder))
		snprintf(folder, PATH_MAX, "%s", installed);
}
