/* apart.c: telling of two texts that should be the same. */
#include "eval/apart.h"

#include "base/utf8.h"

int hp_fail_apart(hp_error *err, const char *what, hp_passage gold, hp_passage system)
{
	size_t skip = hp_utf8_apart(gold.text, gold.size, system.text, system.size);
	const char *dots = skip ? "..." : "", *g = gold.text + skip, *s = system.text + skip;

	return hp_fail_at(err, gold.name, gold.line, "%s '%s%.*s' does not align with '%s%.*s' at %s:%ld", what, dots,
	                  hp_utf8_shown(g, gold.size - skip), g, dots, hp_utf8_shown(s, system.size - skip), s, system.name,
	                  system.line);
}
