/* fuzz_tags.c: trees and, behind a byte 0x1e, CoNLL-U with the tags of their words, as hp-train --train-tags takes them.
 * What is read has words with tags, and EDUs that end where words do. */
#include "fuzz.h"

#include <string.h>
#include "pointer/splits.h"
#include "train/treebank.h"

static void check(const hp_treebank *t, int column)
{
	int64_t words = 0;

	demand(t->count > 0);
	for (int i = 0; i < t->count; i++) {
		const hp_sentence *s = &t->sent[i];

		words += s->words;
		demand(hp_ends_ok(s->words, t->tree[i]->edus, t->ends[i]));
		for (int w = 0; w < s->words; w++)
			demand(s->word[w].len[HP_FORM] > 0 && s->word[w].len[column] > 0 && *s->word[w].col[column] != '\t');
	}
	demand(words == t->words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hp_error err = {""};
	fuzz_piece piece[2];
	const char *trees[2] = {NULL}, *tags[2] = {NULL};

	fuzz_split(data, size, piece, 2);
	trees[0] = fuzz_file("trees.dis", piece[0].data, piece[0].size);
	tags[0] = fuzz_file("tags.conllu", piece[1].data, piece[1].size);
	for (hp_pos_column pos = HP_POS_UPOS; pos <= HP_POS_TREE; pos++) {
		hp_treebank t;

		if (hp_treebank_read_rst(&(hp_bank_files){.trees = trees, .tags = tags}, pos, 100, &t, &err) != 0) {
			fuzz_refused(&err);
			continue;
		}
		check(&t, hp_tag_column(pos));
		hp_treebank_free(&t);
	}
	return 0;
}
