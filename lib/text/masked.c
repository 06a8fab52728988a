/* masked.c: texts that are not there. */
#include "text/masked.h"

#include <inttypes.h>

enum { FEW = 3, SHARE = 100 }; /* hidden words that say nothing; one word in so many */

static bool is_underscores(const hp_word *w)
{
	for (uint32_t i = 0; i < w->len[HP_FORM]; i++)
		if (w->col[HP_FORM][i] != '_')
			return false;
	return true;
}

void hp_masked_add(hp_masked *m, const hp_sentence *s)
{
	int count = 0;

	for (int i = 0; i < s->words; i++)
		count += is_underscores(&s->word[i]);
	m->words += s->words;
	m->underscores += count;
	if (count > 1 && 2 * count > s->words)
		m->hidden += count;
}

int hp_masked_check(const hp_masked *m, const char *name, hp_error *err)
{
	if (m->hidden < FEW || m->hidden < m->words / SHARE)
		return 0;
	return hp_fail(err, "%s: %" PRId64 " of %" PRId64 " words are underscores only: the text seems to be masked", name,
	               m->underscores, m->words);
}
