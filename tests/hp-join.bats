#!/usr/bin/env bats
# hp-join: one model of several.
bats_require_minimum_version 1.5.0
load filters

setup_file() {
	make_models
}

setup() {
	enter
	cp "$models"/*.safetensors .
	for i in 1 2 3; do
		echo "$(w 1 The DET)"
		echo "$(w 2 dog NOUN)"
		echo "$(w 3 barks VERB)"
		echo
	done >text
}

# mean TENSOR FILE...: what its numbers are on average, found by awk.
mean() {
	local name=$1 file
	shift
	for file; do hp-cat --csv -t "$name" "$file" | tr , '\n' >"$file.numbers"; done
	paste ./*.numbers | awk '{ sum = 0; for (i = 1; i <= NF; i++) sum += $i; printf "%.9g\n", sum / NF }'
	rm ./*.numbers
}

types() {
	hp-cat "$@" | sed -n 's/^  \(embed\|label\.[wb]\)[^ ]* \([^ ]*\) .*/\2/p' | sort -u | xargs
}

@test "a mean" {
	"$make_model" -s 3 third.safetensors
	hp-join --mean -o mean tiny.safetensors other.safetensors third.safetensors
	for tensor in embed.word pointer.w label.b; do
		mean $tensor tiny.safetensors other.safetensors third.safetensors >expected
		hp-cat --csv -t $tensor mean | tr , '\n' | paste expected - |
			awk '($1 - $2)^2 > 1e-10 * ($1^2 + 1e-4) { bad = 1 } END { exit (bad || NR < 5) }'
	done
	hp-cat mean | grep -c members | grep -x 0
	hp-cat -k averaged mean | grep -x "$(for i in tiny other third; do hp-cat -k model_id $i.safetensors; done | xargs)"
	hp-cat -C mean
	hp-parse -m ./mean text >out
	check_trees out
	# Of other tasks, too.
	for task in -e -r "-L 2"; do
		# shellcheck disable=SC2086
		"$make_model" $task one.safetensors
		hp-join -m -o two.safetensors one.safetensors one.safetensors
		for tensor in $(hp-cat one.safetensors | sed -n 's/^  \([a-z0-9_.]*\) F32 .*/\1/p'); do
			cmp <(hp-cat --csv -t "$tensor" one.safetensors) <(hp-cat --csv -t "$tensor" two.safetensors)
		done
	done
}

@test "the most precise type of all, unless another is asked for" {
	"$make_model" -H half.safetensors
	[ "$(types half.safetensors)" = F16 ]
	hp-join -o one half.safetensors
	[ "$(types one)" = F16 ]
	hp-join -o both half.safetensors tiny.safetensors
	[ "$(types both)" = F32 ]
	hp-join --f16 -o both half.safetensors tiny.safetensors
	[ "$(types both)" = F16 ]
	hp-join --f8 -o eight tiny.safetensors
	[ "$(types -t '*.w' eight) $(types -t label.b eight)" = "F8_E4M3 F16" ]
	hp-join -o again eight
	cmp eight again
	hp-join -o both eight half.safetensors
	[ "$(types both)" = F16 ]
	"$make_model" -w embed.char=1e7 large.safetensors
	hp-join -o large.32 large.safetensors
	says 1 'hp-join: large.safetensors: tensor `embed.char` holds a value that is not finite or beyond 65504' \
		hp-join --f16 -o large.16 large.safetensors
	"$make_model" -w label.w=10000 large.safetensors
	hp-join --f16 -o large.16 large.safetensors
	says 1 'hp-join: large.safetensors: tensor `label.w` holds a value that is not finite or beyond 448' \
		hp-join --f8 -o large.8 large.safetensors
	[ ! -e large.8 ]
}

@test "ids: of what is in a model, or as one likes" {
	for o in --f8 --f16 --mean; do
		hp-join $o -o "x$o" tiny.safetensors
		hp-cat -k model_id "x$o"
	done | sort | uniq -d | wc -l | grep -x 0
	hp-join -o named --id='mine é' tiny.safetensors other.safetensors
	hp-cat -k model_id named | grep -x 'mine é'
	says 2 'hp-join: --id: expected some characters of UTF-8' hp-join -o none --id= tiny.safetensors
	says 2 'hp-join: --id: expected some characters of UTF-8' hp-join -o none --id=$'\xff' tiny.safetensors
	"$make_model" -m beam=4 four.safetensors
	hp-join -o both four.safetensors four.safetensors
	hp-cat -k beam both | grep -x 4
	hp-join -o both four.safetensors tiny.safetensors
	! hp-cat both | grep beam
}

@test "a parser joined with itself finds what it found" {
	for kind in "" -r -D; do
		# shellcheck disable=SC2086
		"$make_model" $kind one.safetensors
		hp-join -o three.safetensors one.safetensors one.safetensors one.safetensors
		hp-cat -k members three.safetensors | grep -x 3
		hp-cat -k own_embeddings three.safetensors | grep -x 1
		input=(-i conllu text)
		[ -z "$kind" ] || { printf 'the dog barks\nShe reads\na book\n\n' >edus; input=(-i edus edus); }
		hp-parse -m ./one.safetensors "${input[@]}" >out
		hp-parse -m ./three.safetensors "${input[@]}" | cmp - out
		HP_MODEL=./three.safetensors pipe "${input[@]}" | cmp - out
	done
}

@test "members of a joined parser decide by the mean, in whatever order they come" {
	hp-join -o ab.safetensors tiny.safetensors other.safetensors
	hp-join -o ba.safetensors other.safetensors tiny.safetensors
	hp-parse -m ./ab.safetensors --scores text >ab
	hp-parse -m ./ba.safetensors --scores text | cmp - ab
	! hp-parse -m ./tiny.safetensors --scores text | cmp -s - ab
	# Twice the one: it has two of three votes.
	hp-join -o aab.safetensors tiny.safetensors ab.safetensors
	hp-cat -k members aab.safetensors | grep -x 3
	! hp-parse -m ./aab.safetensors --scores text | cmp -s - ab
	hp-join -o aabb.safetensors aab.safetensors other.safetensors
	hp-parse -m ./aabb.safetensors --scores text | cmp - ab
}

@test "members know the words of all" {
	"$make_model" -t 'vocab.word=<root>,<unk>,the,The,cat,barks,.,She,reads,a,book,café' cat.safetensors
	hp-join -o both.safetensors tiny.safetensors cat.safetensors
	hp-cat -k words both.safetensors | grep -x 13
	hp-parse -m ./both.safetensors text >out
	check_trees out
	HP_MODEL=./both.safetensors pipe text | cmp - out
	says 1 'hp-join: cat.safetensors: tensor `vocab.word` is not that of tiny.safetensors: expected models that were trained on the same data' \
		hp-join -m -o none tiny.safetensors cat.safetensors
}

@test "taggers and segmenters" {
	ln -s "$srcdir"/examples/train/*.conllu .
	clauses=$srcdir/tests/data/segment/clauses.conllu
	small=(--set hidden=12 --set layers=1 --set word_dim=8 --set char_filters=6 -e 2)
	for seed in 1 2; do
		hp-train -q --task=tag -t train.conllu -d dev.conllu "${small[@]}" --seed $seed -o tag$seed.safetensors
		hp-train -q --task=segment -t "$clauses" -d "$clauses" "${small[@]}" --set pos_dim=4 --seed $seed -o edu$seed.safetensors
	done
	tag() { hp-tag -m "./$1.safetensors" --scores dev.conllu; }
	edu() { hp-segment -m "./$1.safetensors" --scores "$clauses"; }
	# The last digit of a probability may be another.
	unscored() { sed 's/\(UPOS\|XPOS\|Feats\|Lemma\|Seg\)Prob=[0-9.]*//g'; }
	for kind in tag edu; do
		hp-join -o twice.safetensors ${kind}1.safetensors ${kind}1.safetensors
		hp-cat -k own_embeddings twice.safetensors | grep -x 1
		$kind twice | unscored | cmp - <($kind ${kind}1 | unscored)
		hp-join -o both.safetensors ${kind}1.safetensors ${kind}2.safetensors
		$kind both >both
		! $kind ${kind}1 | cmp -s - both
		hp-join -o turned.safetensors ${kind}2.safetensors ${kind}1.safetensors
		$kind turned | cmp - both
		hp-join -o four.safetensors turned.safetensors both.safetensors
		hp-cat -k members four.safetensors | grep -x 4
		$kind four | unscored | cmp - <(unscored <both)
	done
	# The probability that a word begins a unit is the mean of both.
	probability() { $1 "$2" | awk -F'\t' '/^[0-9]/ { p = $10; sub(/.*SegProb=/, "", p); print ($10 ~ /B-seg/ ? p : 1 - p) }'; }
	paste <(probability edu edu1) <(probability edu edu2) <(probability edu both) |
		awk '{ d = ($1 + $2) / 2 - $3; n++; bad += d > 2e-4 || d < -2e-4 } END { exit (bad || n < 20) }'
	# Words, characters and clues of either.
	sed 's/\bthe\b/ein/g; s/VERB/AUX/' "$clauses" >others.conllu
	hp-train -q --task=segment -t others.conllu -d others.conllu "${small[@]}" --set pos_dim=4 -o others.safetensors
	hp-join -o both.safetensors edu1.safetensors others.safetensors
	edu both | grep -c Seg=B-seg
	says 1 'hp-join: tag2.safetensors: a model whose task is tag: expected segment, as in edu1.safetensors' \
		hp-join -o none edu1.safetensors tag2.safetensors
	sed 's/\tNOUN\t/\tPROPN\t/' train.conllu >other-train.conllu
	hp-train -q --task=tag -t other-train.conllu -d dev.conllu "${small[@]}" -o other.safetensors
	says 1 'hp-join: other.safetensors: a model whose upos is 16: expected 17, as in tag1.safetensors' \
		hp-join -o none tag1.safetensors other.safetensors
	sed 's/\tNOUN\t/\tSUBST\t/' train.conllu >other-train.conllu
	hp-train -q --task=tag -t other-train.conllu -d dev.conllu "${small[@]}" -o other.safetensors
	says 1 'hp-join: other.safetensors: tensor `vocab.upos` is not that of tag1.safetensors: expected models that were trained on the same data' \
		hp-join -o none tag1.safetensors other.safetensors
	[ ! -e none ]
}

@test "training goes on from it" {
	ln -s "$srcdir"/examples/train/*.conllu .
	train() {
		hp-train -q --train train.conllu --dev dev.conllu --hyper "$srcdir/examples/train/small.csv" --set hidden=8 \
			--set decoder_hidden=8 --set layers=1 --set decoder_input=8 --set arc_mlp=8 --set label_mlp=4 --set word_dim=8 \
			--set char_filters=4 -e 1 "$@"
	}
	train --seed 1 -o 1.safetensors
	train --seed 2 -o 2.safetensors
	hp-join -o 12.safetensors 1.safetensors 2.safetensors
	# What is noted of the trainings stays where they agree, but for scores.
	hp-cat 1.safetensors | grep -q '^  dev\.las'
	! hp-cat 12.safetensors | grep '^  \(dev\.\|train\.seed\|train\.members\)'
	hp-cat 12.safetensors | grep "$(hp-cat 1.safetensors | grep '^  train\.batch =')"
	train --init 12.safetensors -o more.safetensors --set members=2 --set own_embeddings=1
	hp-cat more.safetensors | grep '  member.1.embed.word F32'
	train --seed 1 --set hidden=9 -o 3.safetensors
	says 1 'hp-join: 3.safetensors: a model whose hidden is 9: expected 8, as in 1.safetensors' \
		hp-join -o none 1.safetensors 3.safetensors
	train --seed 1 -t dev.conllu -o 4.safetensors
	says 1 'hp-join: 4.safetensors: a model whose labels is 40: expected 39, as in 1.safetensors' \
		hp-join -o none 1.safetensors 4.safetensors
	[ ! -e none ]
}

@test "models that cannot be joined" {
	"$make_model" -r rst.safetensors
	"$make_model" -L 2 layers.safetensors
	"$make_model" -t vocab.label=nsubj,root,det,punct,iobj labels.safetensors
	"$make_model" -m pos=xpos xpos.safetensors
	"$make_model" -d gate gateless.safetensors
	"$make_model" -d label.b less.safetensors
	"$make_model" -e segmenter.safetensors
	"$make_model" -p untagged.safetensors
	"$make_model" -m hidden=9 hidden.safetensors
	says 1 'hp-join: rst.safetensors: a model whose task is rst: expected dep, as in tiny.safetensors' \
		hp-join -o none tiny.safetensors rst.safetensors
	says 1 "hp-join: layers.safetensors: a model for the task 'rst' of streams: expected models that embed words (or --mean)" \
		hp-join -o none layers.safetensors layers.safetensors
	says 1 'hp-join: segmenter.safetensors: a model whose task is segment: expected dep, as in tiny.safetensors' \
		hp-join -o none tiny.safetensors segmenter.safetensors
	says 1 'hp-join: labels.safetensors: a model with the relation iobj: expected those of tiny.safetensors' \
		hp-join -o none tiny.safetensors labels.safetensors
	says 1 'hp-join: xpos.safetensors: a model whose pos is xpos: expected upos, as in tiny.safetensors' \
		hp-join -o none tiny.safetensors xpos.safetensors
	says 1 'hp-join: ...gateless.safetensors: metadata `gate` is absent: expected none, gate or sgate' \
		hp-join -o none tiny.safetensors gateless.safetensors
	says 1 'hp-join: ...less.safetensors: ...label.b...' hp-join -o none tiny.safetensors less.safetensors
	says 1 'hp-join: ...hidden.safetensors: ...' hp-join -m -o none hidden.safetensors hidden.safetensors
	says 1 'hp-join: untagged.safetensors: a model whose ... is ...: expected ..., as in tiny.safetensors' \
		hp-join -o none tiny.safetensors untagged.safetensors
	says 1 'hp-join: tiny.safetensors: a model whose ... is ...: expected ..., as in untagged.safetensors' \
		hp-join -o none untagged.safetensors tiny.safetensors
	mapfile -t seventeen < <(yes tiny.safetensors | head -n 17)
	says 1 'hp-join: tiny.safetensors: member 17 of all: expected at most 16' hp-join -o none "${seventeen[@]}"
	hp-join -o sixteen "${seventeen[@]:1}"
	[ ! -e none ]
}

@test "files that are no models, and none that is lost" {
	says 1 'hp-join: nothing: ...' hp-join -o none nothing
	says 1 'hp-join: /dev/fd/...: not a regular file, so it cannot be mapped' hp-join -o none <(:)
	image '{"__metadata__":{"a":"b"}}' '' >other
	says 1 "hp-join: other: no 'task' in the metadata: not a model of hp-train" hp-join -o none other
	hp-join -o good tiny.safetensors
	LC_ALL=C sed 's/"lower":"0"/"lower":"1"/' good >damaged
	says 1 'hp-join: damaged: ...checksum...' hp-join -o none damaged
	head -c 1000 tiny.safetensors >cut
	says 1 'hp-join: cut: ...' hp-join -o none cut
	cp tiny.safetensors before
	says 1 'hp-join: tiny.safetensors: input and output are the same file' hp-join -o tiny.safetensors tiny.safetensors
	cmp tiny.safetensors before
	says 1 'hp-join: no/none: No such file or directory' hp-join -o no/none tiny.safetensors
	says 2 'hp-join: a MODEL is needed' hp-join -o none
	[ ! -e none ]
	script -qec true /dev/null || return 0
	says 1 "hp-join: <stdout>: a model is never written to a terminal; hp-cat shows it..." script -qec 'hp-join tiny.safetensors' /dev/null
}

@test "a table that only one tagger has" {
	hp-train --task=tag -q -e 1 -t "$srcdir/examples/sample.conllu" -d "$srcdir/examples/sample.conllu" -o one --set hidden=4 \
		--set layers=1 --set word_dim=4 --set char_dim=4 --set char_filters=4 --set batch=4 --set warmup=1
	hp-join -m -o two one one
	hp-cat two | grep '^  tag\.set '
	# Another name for it, and none of the checksum.
	LC_ALL=C sed 's/"tag\.set"/"tag.sex"/; s/"checksum"/"train.ck"/' one >other
	says 1 'hp-join: other: tensor `tag.set` is not that of one: expected models that were trained on the same data' \
		hp-join -m -o none one other
}
