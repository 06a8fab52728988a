/* installed.h: the folder of what is installed beside the programs: models, maps. */
#ifndef HP_INSTALLED_H
#define HP_INSTALLED_H
#include <limits.h>

/* The folder of KIND ("models") in FOLDER [PATH_MAX]: ../share/hptools/KIND, seen from the folder of the library or else of
 * the running program, so that an installation can be moved; where there is none INSTALLED, which configure was told. */
void hp_installed_folder(const char *kind, const char *installed, char *folder);

#endif
