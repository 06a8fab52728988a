#!/usr/bin/env bats
# The experiments on rhetorical trees, examples/gum and examples/rst-dt, on documents made up here.
bats_require_minimum_version 1.5.0
load filters

# documents FIRST LAST: N.dis, a tree, and N.txt, its sentence, for each number N; their names are printed.
documents() {
	local i who=(she he it they) what=(sings waits sleeps reads)
	for i in $(seq "$1" "$2"); do
		a="${who[i % 4]} ${what[i / 4 % 4]}" b="${who[(i / 2) % 4]} ${what[(i / 3) % 4]}"
		echo "$i"
		echo "when $a , $b and $a ." >"$i.txt"
		cat >"$i.dis" <<END
( Root (span 1 3) ( Satellite (leaf 1) (rel2par $background) (text _!when $a ,_!) )
( Nucleus (span 2 3) (rel2par span) ( Nucleus (leaf 2) (rel2par $list) (text _!${b}_!) )
( Nucleus (leaf 3) (rel2par $list) (text _!and $a ._!) ) ) )
END
	done
}

setup() {
	srcdir=$(cd "${srcdir:-$BATS_TEST_DIRNAME/..}" && pwd)
	cp -r "$srcdir/examples/." "$BATS_TEST_TMPDIR"
	chmod -R u+w "$BATS_TEST_TMPDIR"
	cd "$BATS_TEST_TMPDIR" || return
	for word in she sings when , . ; do echo "$word 0.5 -0.5"; done >vectors.txt
	printf '%s\n' hidden,6 layers,2 label_mlp,4 word_dim,2 char_filters,4 char_dim,4 batch,8 >small.csv
	sed -i 's/\(.*\),\(.*\)/x,x,\2,\1/' small.csv
}

# Documents with GUM's relations, in a folder that is entered, and their lists where examples/gum has its own.
gum_documents() {
	background=context-background list=joint-list
	mkdir documents && cd documents || return
	documents 1 20 >../gum/docs.train
	documents 21 30 >../gum/docs.dev
	documents 31 36 >../gum/docs.test
}

# A table has a line a fusion and selection, each with three figures.
complete_table() {
	[ "$(grep -c ' ± .* ± .* ± ' table.txt)" -eq "$1" ]
	grep -q '^T  *span  *[0-9.]* ± ' table.txt
	[ "$(grep -c '^rst,T span,' table.csv)" -gt 20 ]
}

@test "examples/gum: from documents to the table" {
	gum_documents
	cd ../gum
	run -0 make TREES=../documents SENTENCES=../documents VECTORS=../vectors.txt HYPER=../small.csv EPOCHS=1 SEEDS='1 2' \
		FUSIONS='T PST' table.txt
	[[ $output == *"train.dis: 20 sentences of several EDUs that have a tree, expected 4947"* ]]
	[ "$(grep -c '^( Root' train.dis)" -eq 20 ]
	complete_table 4
	grep -q 'context' train.dis
	if command -v gnuplot; then
		make TREES=../documents SENTENCES=../documents FUSIONS='T PST' SEEDS='1 2' span-by-edus.svg
		grep -q '</svg>' span-by-edus.svg
	fi
	# ELMo's embeddings in place of vectors.
	make_models
	unset HP_MODEL
	"$make_model" -E 2 "$models/elmo"
	rm -f *.safetensors
	make clean
	make TREES=../documents SENTENCES=../documents ELMO="$models/elmo" ELMOFLAGS=--carry HYPER=../small.csv EPOCHS=1 SEEDS='1 2' \
		FUSIONS='T PST' table.txt
	complete_table 4
	hp-cat T-1.span.safetensors | grep 'input = stream'
	make clean distclean
	[ ! -e T-1.span.safetensors ] && [ ! -e train.dis ] && [ -e docs.train ]
}

@test "in the sources: the relation maps there, programs of BIN" {
	background=context-background list=joint-list
	mkdir -p sources/examples documents
	mv gum sources/examples
	cp -r "$srcdir/maps" sources
	chmod -R u+w sources
	sed -i 's/^context-background,.*/context-background,ours/' sources/maps/gum.csv
	(cd documents && documents 1 3) >sources/examples/gum/docs.train
	cd sources/examples/gum
	unset HP_MAP_PATH
	bin=$(dirname "$(command -v rst-extract)")
	for BIN in "$bin" "$bin/"; do
		PATH=/usr/bin:/bin make TREES=../../../documents SENTENCES=../../../documents BIN="$BIN" train.dis
		grep -q 'rel2par ours' train.dis
		rm train.dis
		for folder in . "$srcdir/examples/train" "$srcdir/examples/embeddings"; do
			make -n -C "$folder" BIN="$BIN" >commands
			grep -qF "$bin/hp-" commands
			run -1 grep -F "$bin//" commands
		done
	done
}

@test "examples/gum with tags" {
	gum_documents
	for text in *.txt; do
		{
			printf '# newdoc id = %s\n# sent_id = %s-1\n' "${text%.txt}" "${text%.txt}"
			awk '{ for (i = 1; i <= NF; i++) {
				edu = i == 1 || $(i - 1) == "," || $i == "and" ? "Discourse=x" : "_"
				printf "%d\t%s\t_\tX%d\t_\t_\t_\t_\t_\t%s\n", i, $i, i % 2, edu } print "" }' "$text"
		} >"${text%.txt}.conllu"
	done
	rm -- *.txt
	cd ../gum
	make TREES=../documents SENTENCES=../documents VECTORS=../vectors.txt HYPER=../small.csv EPOCHS=1 SEEDS='1 2' FUSIONS=T \
		POS=upos table.txt
	complete_table 2
	[ "$(grep -c sent_id test.conllu)" -eq 6 ]
	hp-cat T-1.span.safetensors | grep -q ' pos = upos$'
	hp-cat T-1.span.safetensors | grep -q 'vocab.tag .*X[01].nX[01]'
	# The states of a dependency parser in place of word vectors.
	for part in train dev; do
		hp-embed -m en-dep $part.conllu | hp-encode | ./states.py >$part.stream
		words=$(awk '/^$/ { print n; n = 0 } /^[0-9]/ { n++ }' $part.conllu)
		[ "$(hp-cat $part.stream | sed -n 's/^  x F32 \[\([0-9]*\), .*/\1/p')" = "$words" ]
	done
	hp-train -q --task=rst --train train.dis --dev dev.dis --train-stream train.stream --dev-stream dev.stream -e 1 -o m.safetensors
	hp-cat m.safetensors | grep -q ' input = stream$'
	make clean distclean
	[ ! -e train.conllu ]
	# Whole documents, with their sentences.
	run -0 make TREES=../documents SENTENCES=../documents VECTORS=../vectors.txt HYPER=../small.csv EPOCHS=1 SEEDS='1 2' \
		FUSIONS='T P' POS=upos DOCUMENTS=yes table.txt
	[[ $output == *"train.dis: 20 documents, expected 177"* ]]
	complete_table 4
	grep -q '^# newdoc id = 31' test.dis
	[ "$(grep -c '^# sent_id' sentences.dis)" -eq 20 ]
	[ "$(grep -c '^# sent_id' sentences.conllu)" -eq 20 ]
	hp-cat P-2.span.safetensors | grep -q ' document_layers = 1$'
	mean=$(awk -F, '$2 == "P span" && $7 == "Parseval-Relation" && $5 == "" && $8 == "f1" { printf "%.2f", $10 }' table.csv)
	grep -q "^P  *span .* $mean ± [0-9.]*\$" table.txt
	if command -v gnuplot; then
		make DOCUMENTS=yes FUSIONS='T P' SEEDS='1 2' POS=upos span-by-edus.svg span-by-depth.svg
		grep -q 'EDUs of the document' span-by-edus.svg
		grep -q 'depth in the gold tree' span-by-depth.svg
	fi
	make distclean
	[ ! -e sentences.dis ]
}

@test "examples/rst-dt: the paper's numbers are insisted on; a tenth is held out" {
	background=circumstance list=List
	mkdir -p corpus/data/RSTtrees-WSJ-main-1.0/{TRAINING,TEST}
	(cd corpus/data/RSTtrees-WSJ-main-1.0/TRAINING && documents 1 20)
	(cd corpus/data/RSTtrees-WSJ-main-1.0/TEST && documents 21 30)
	cd rst-dt
	run ! make RSTDT=../corpus VECTORS=../vectors.txt HYPER=../small.csv EPOCHS=1 SEEDS=1 FUSIONS=T table.txt
	[[ $output == *"train.dis: 20 sentences that have a tree, the paper has 7321"* ]]
	[ ! -e train.dis ]
	make RSTDT=../corpus VECTORS=../vectors.txt HYPER=../small.csv EPOCHS=1 SEEDS=1 FUSIONS=T ANY_COUNT=yes table.txt
	complete_table 2
	grep -q 'Background' train.dis
}
