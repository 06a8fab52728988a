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

# Of the matrix w and the vector b, two words: hex digits, of F32 unless TYPE says otherwise.
tagger() {
	local w=$1 b=$2 type=${3-F32} size=${4-4} vocab=${5-ab} more=${6-}
	image "{\"__metadata__\":{\"task\":\"tag\",\"model_id\":\"$b\"$more},\"w\":{\"dtype\":\"$type\",\"shape\":[1,2],\"data_offsets\":[0,$((2 * size))]},\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[$((2 * size)),$((2 * size + 8))]},\"vocab.word\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[$((2 * size + 8)),$((2 * size + 10))]}}" \
		"$(printf %s "$w$b" | sed 's/../\\x&/g')$vocab"
}

@test "a mean, by hand" {
	tagger 0000803f00000040 000080bf00000000 >a # w 1 2, b -1 0
	tagger 0000404000000040 0000403f0000803f >b # w 3 2, b 0.75 1
	hp-join --mean -o ab a b
	hp-cat --csv -t w ab | grep -Fx 2,2
	hp-cat --csv -t b ab | tr '\n' , | grep -Fx -- -0.125,0.5,
	hp-cat -T -t vocab.word ab | grep -Fx ab
	hp-cat -k averaged ab | grep -Fx '000080bf00000000 0000403f0000803f'
	! hp-cat ab | grep joined
	hp-cat -C ab
	# Not of two of them and the third: each counts alike.
	tagger 000000c000008040 0000000000000000 >c # w -2 4
	hp-join --mean -o abc a b c
	hp-cat --csv -t w abc | awk -F, '{ exit !($1 * 3 > 1.99999 && $1 * 3 < 2.00001 && $2 * 3 > 7.9999 && $2 * 3 < 8.0001) }'
	hp-join --mean -o again ab ab
	hp-cat -k averaged again | grep -Ex '([0-9a-f]{16}) \1'
}

@test "the most precise type of all, unless another is asked for" {
	tagger 0000803f00000040 000080bf00000000 >a
	tagger 3840 000080bf00000000 F8_E4M3 1 >bytes # 1 2
	type() { hp-cat -t "$1" "$2" | sed -n 's/^  [wb] \([^ ]*\) .*/\1/p'; }
	hp-join -o same bytes
	[ "$(type w same) $(type b same)" = "F8_E4M3 F16" ]
	hp-join -m -o both bytes a
	[ "$(type w both) $(type b both)" = "F32 F32" ]
	hp-cat --csv -t w both | grep -Fx 1,2
	hp-join --f16 -o half a
	[ "$(type w half) $(type b half)" = "F16 F16" ]
	hp-join --f8 -o eight a
	[ "$(type w eight) $(type b eight)" = "F8_E4M3 F16" ]
	hp-cat -v -t w eight | grep -x ' *1 2'
	tagger 0000803f000080c7 000080bf00000000 >large # -65536
	hp-join -o large.32 large
	says 1 'hp-join: large: tensor `w` holds a value that is not finite or beyond 65504' hp-join --f16 -o large.16 large
	[ ! -e large.16 ]
}

@test "what is noted of the models stays where they agree" {
	tagger 0000803f00000040 000080bf00000000 F32 4 ab ',"train.seed":"1","train.batch":"20","beam":"4","dev.las":"88"' >a
	tagger 0000803f00000040 000080bf00000000 F32 4 ab ',"train.seed":"2","train.batch":"20","beam":"4","dev.las":"88"' >b
	hp-join -m -o ab a b --id=mine
	hp-cat ab | grep = | LC_ALL=C sort | sed 's/^ *//' >got
	hp-cat -k checksum ab | grep -Ex '[0-9a-f]{16}'
	{
		echo averaged = 000080bf00000000 000080bf00000000
		echo beam = 4
		echo checksum = "$(hp-cat -k checksum ab)"
		echo hptools = "$(hp-join --version | sed 's/.* //')"
		echo model_id = mine
		echo task = tag
		echo train.batch = 20
	} | diff - got
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
	tagger 0000803f00000040 000080bf00000000 >a
	tagger 0000803f0000c07f 000080bf00000000 >nan
	tagger 0000803f00000040 000080bf00000000 F32 4 ac >c
	tagger 0000803f00000040 000080bf00000000 F32 4 ab ',"members":"1"' >one
	tagger 0000803f00000040 000080bf00000000 F32 4 ab ',"members":"17"' >many
	says 1 'hp-join: rst.safetensors: a model whose task is rst: expected dep, as in tiny.safetensors' \
		hp-join -o none tiny.safetensors rst.safetensors
	says 1 "hp-join: layers.safetensors: a model for the task 'rst' of streams: expected a parser that embeds words, or a mean" \
		hp-join -o none layers.safetensors layers.safetensors
	says 1 "hp-join: a: a model for the task 'tag': expected a parser that embeds words, or a mean" hp-join -o none a a
	says 1 'hp-join: labels.safetensors: tensor `vocab.label` is not that of tiny.safetensors: expected models that were trained on the same data' \
		hp-join -o none tiny.safetensors labels.safetensors
	says 1 'hp-join: xpos.safetensors: a model whose pos is xpos: expected upos, as in tiny.safetensors' \
		hp-join -o none tiny.safetensors xpos.safetensors
	says 1 'hp-join: gateless.safetensors: a model whose gate is absent: expected ..., as in tiny.safetensors' \
		hp-join -o none tiny.safetensors gateless.safetensors
	says 1 'hp-join: tiny.safetensors: a model whose gate is ...: expected none, as in gateless.safetensors' \
		hp-join -o none gateless.safetensors tiny.safetensors
	says 1 'hp-join: less.safetensors: ...label.b...' hp-join -o none tiny.safetensors less.safetensors
	says 1 'hp-join: tiny.safetensors: tensor `label.b`, which less.safetensors does not have' \
		hp-join -o none less.safetensors tiny.safetensors
	says 1 'hp-join: c: tensor `vocab.word` is not that of a: expected models that were trained on the same data' \
		hp-join -m -o none a c
	says 1 'hp-join: nan: tensor `w` holds a value that is not finite or beyond 1e+09' hp-join -m -o none a nan
	says 1 'hp-join: one: members is 1: expected 2 to 16' hp-join -o none one
	says 1 'hp-join: many: members is 17: expected 2 to 16' hp-join -o none many
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
	says 1 'hp-join: no: No such file or directory' hp-join -o no/none tiny.safetensors
	says 2 'hp-join: --output is needed' hp-join tiny.safetensors
	says 2 'hp-join: a MODEL is needed' hp-join -o none
	[ ! -e none ]
}
