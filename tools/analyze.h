/* analyze.h: included before each source by "gcc -fanalyzer" in .ci/run, which sees one file at a time: these functions
 * always return HP_FAIL. */
#include "base/error.h"
#include "cli.h"

#define hp_fail(...) ((void)hp_fail(__VA_ARGS__), HP_FAIL)
#define hp_fail_at(...) ((void)hp_fail_at(__VA_ARGS__), HP_FAIL)
#define hp_fail_memory(err) ((void)hp_fail_memory(err), HP_FAIL)
#define hp_fail_errno(err, file) ((void)hp_fail_errno(err, file), HP_FAIL)
