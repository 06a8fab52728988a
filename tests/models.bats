#!/usr/bin/env bats
# Where models are found, and which are refused.
bats_require_minimum_version 1.5.0
load filters

setup_file() {
	make_models
}

setup() {
	enter
	make_good
	unset HP_MODEL HP_MODEL_PATH
}

# refused MODEL TEXT: hp-embed says exactly TEXT.
refused() {
	run -1 --separate-stderr bash -c "hp-embed -m '$1' good.conllu >/dev/null"
	echo "$stderr"
	[ "$stderr" = "hp-embed: $2" ]
}

@test "-m, HP_MODEL and HP_MODEL_PATH" {
	hp-embed -m "$models/tiny.safetensors" good.conllu >tiny
	hp-embed -m "$models/other.safetensors" good.conllu >other
	HP_MODEL=$models/other.safetensors hp-embed good.conllu | cmp - other
	# -m goes before HP_MODEL.
	HP_MODEL=$models/other.safetensors hp-embed -m "$models/tiny.safetensors" good.conllu | cmp - tiny
	# A relative path; the stream has the absolute one all the same.
	(cd "$models" && hp-embed --model=./tiny.safetensors "$BATS_TEST_TMPDIR/good.conllu") | cmp - tiny
	# Names, in the first folder that has one.
	mkdir first second
	cp "$models/other.safetensors" first/b.safetensors
	cp "$models/other.safetensors" second/a.safetensors
	cp "$models/tiny.safetensors" second/b.safetensors
	name() { tr -d ' ' | grep -ao '"model_id":"[^"]*"' | head -n 1; }
	[ "$(HP_MODEL_PATH=first:second hp-embed -m a good.conllu | name)" = '"model_id":"tiny-2"' ]
	[ "$(HP_MODEL_PATH=first:second hp-embed -m b good.conllu | name)" = '"model_id":"tiny-2"' ]
	[ "$(HP_MODEL_PATH=second:first HP_MODEL=b hp-embed good.conllu | name)" = '"model_id":"tiny-1"' ]
	[ "$(HP_MODEL_PATH=:nowhere::second: hp-embed -m b good.conllu | name)" = '"model_id":"tiny-1"' ]
	# A name with .safetensors is a file, also without a slash, whatever is installed.
	cp "$models/tiny.safetensors" a.safetensors
	[ "$(HP_MODEL_PATH=first:second hp-embed -m a.safetensors good.conllu | name)" = '"model_id":"tiny-1"' ]
	[ "$(HP_MODEL_PATH=first:second HP_MODEL=a.safetensors hp-embed good.conllu | name)" = '"model_id":"tiny-1"' ]
	# hp-cat takes names of models as well, files first.
	[ "$(HP_MODEL_PATH=first:second hp-cat -k model_id a)" = tiny-2 ]
	cp "$models/tiny.safetensors" a
	[ "$(HP_MODEL_PATH=first:second hp-cat -k model_id a)" = tiny-1 ]
	rm a
	says 1 "hp-cat: a: No such file or directory" hp-cat a
	# Models of one language: which one the program needs.
	cp "$models/tiny.safetensors" second/xx-dep.safetensors
	"$make_model" -r second/xx-rst.safetensors
	[ "$(HP_MODEL_PATH=first:second hp-embed -m xx good.conllu | name)" = '"model_id":"tiny-1"' ]
	printf 'a b\n' >edus.txt
	hp-embed -m second/xx-rst.safetensors --input=edus edus.txt >edus.x
	[ "$(HP_MODEL_PATH=first:second hp-embed -m xx --input=edus edus.txt | name)" = '"model_id":"disc-1"' ]
	[ "$(HP_MODEL_PATH=first:second hp-encode -m xx edus.x | name)" = '"model_id":"disc-1"' ]
	cp "$models/other.safetensors" first/xx.safetensors
	[ "$(HP_MODEL_PATH=second:first hp-embed -m xx good.conllu | name)" = '"model_id":"tiny-1"' ]
	[ "$(HP_MODEL_PATH=first:second hp-embed -m xx good.conllu | name)" = '"model_id":"tiny-2"' ]
	# The default model's name is en-dep.
	cp "$models/tiny.safetensors" first/en-dep.safetensors
	[ "$(HP_MODEL_PATH=first hp-embed good.conllu | name)" = '"model_id":"tiny-1"' ]
	[ "$(HP_MODEL_PATH=first HP_MODEL='' hp-embed good.conllu | name)" = '"model_id":"tiny-1"' ]
}

@test "a model that is not there" {
	refused ./none.safetensors './none.safetensors: No such file or directory'
	says 1 "...hp-embed: no model 'none' (none.safetensors, none-dep.safetensors) in /..." bash -c 'hp-embed -m none good.conllu >/dev/null'
	HP_MODEL_PATH=a:b says 1 "...hp-embed: no model 'none' (none.safetensors, none-dep.safetensors) in HP_MODEL_PATH=a:b nor in /..." bash -c 'hp-embed -m none good.conllu >/dev/null'
	cp "$models/tiny.safetensors" here.safetensors
	cp here.safetensors here
	refused here "no model 'here' is installed; for the file of that name give ./here"
	refused none.safetensors 'none.safetensors: No such file or directory; an installed model is named without .safetensors'
	run -1 --separate-stderr bash -c "hp-embed -m <(cat here) good.conllu >/dev/null"
	[[ $stderr =~ ^'hp-embed: /dev/fd/'[0-9]+': not a regular file, which a model must be'$ ]]
	run -2 hp-embed -m '' good.conllu
}

@test "files that are no model" {
	: >empty
	zeros 64 >zeros
	head -c 3000 "$models/tiny.safetensors" >cut
	head -c -1 "$models/tiny.safetensors" >short
	{ cat "$models/tiny.safetensors"; echo; } >longer
	printf '\x01\xe1\xf5\x05\x00\x00\x00\x00{' >header
	record '{"__metadata__":{"task":"dep"}}' >meta
	record '{}' >nothing
	mkdir folder
	for file in empty zeros cut short longer header meta nothing good.conllu folder; do
		says 1 "hp-embed: ...$file..." bash -c "hp-embed -m './$file' good.conllu >stream"
		[ "${#lines[@]}" -eq 1 ]
		# The next stage gets the reason and adds nothing.
		run -1 bash -c 'hp-encode stream >/dev/null'
		[[ $output != *hp-encode:* ]]
	done
	p=$(realpath meta)
	refused ./meta "$p: no 'model_id' in the metadata: not a model of hp-train"
}

@test "tensors of another network than the metadata's" {
	make=${builddir:-.}/tests/make-model
	"$make" -m layers=1 layers.safetensors
	"$make" -m fusion=P -m gate=none fusion.safetensors
	"$make" -r -m layers=1 rst.safetensors
	refused ./layers.safetensors "$(realpath layers.safetensors): tensor \`encoder.1.fwd.w_ih\` has no place in the network that the metadata describes"
	refused ./fusion.safetensors "$(realpath fusion.safetensors): tensor \`fusion.w_t\` has no place in the network that the metadata describes"
	refused ./rst.safetensors "$(realpath rst.safetensors): tensor \`encoder.1.fwd.w_ih\` has no place in the network that the metadata describes"
}

@test "a model for another task" {
	"$make_model" -m task=rst rst
	refused ./rst "$PWD/rst: no 'input' in the metadata: not a model of hp-train"
	"$make_model" -m task=chess chess
	refused ./chess "$PWD/chess: a model for the task 'chess', expected dep or rst"
}

@test "metadata that is missing or makes no sense" {
	for key in task model_id pos; do
		"$make_model" -d $key m
		refused ./m "$PWD/m: no '$key' in the metadata: not a model of hp-train"
	done
	"$make_model" -m pos=lemma m
	refused ./m "$PWD/m: metadata: pos is 'lemma', expected upos, xpos or none"
	for beam in 0 1001 4x '' -1; do
		"$make_model" -m "beam=$beam" m
		refused ./m "$PWD/m: metadata: beam is '$beam', expected 1 to 1000"
	done
	"$make_model" -m pos=tree m
	refused ./m "$PWD/m: metadata: pos is 'tree', expected upos, xpos or none"
	"$make_model" -r -m pos=lemma m
	says 1 "hp-embed: $PWD/m: metadata: pos is 'lemma', expected upos, xpos, tree or none" messages hp-embed -m ./m /dev/null
	"$make_model" -m pos=none m
	refused ./m "$PWD/m: metadata: pos is 'none' but pos_dim is 3"
	"$make_model" -m lower=yes m
	refused ./m "$PWD/m: metadata: lower is 'yes', expected 0 or 1"
	for key in words word_dim hidden layers labels fusion gate; do
		"$make_model" -d $key m
		says 1 "hp-embed: $PWD/m: ...$key..." bash -c 'hp-embed -m ./m good.conllu >/dev/null'
		for value in 0 -1 x 99999999999 1e3 ''; do
			"$make_model" -m "$key=$value" m
			says 1 "hp-embed: $PWD/m: ...$key..." bash -c 'hp-embed -m ./m good.conllu >/dev/null'
		done
	done
}

@test "parameters of another type" {
	# As many bytes, so that nothing else is wrong.
	for tensor in embed.word embed.char bridge.w; do
		LC_ALL=C sed "s/\"$tensor\":{\"dtype\":\"F32\"/\"$tensor\":{\"dtype\":\"I32\"/" "$models/tiny.safetensors" >m
		program=hp-embed
		[ $tensor != bridge.w ] || program=hp-encode
		says 1 "$program: $PWD/m: tensor \`$tensor\` has type I32: expected F32, F16 or F8_E4M3" \
			messages $program -m ./m /dev/null
	done
}

@test "sizes that lie" {
	for key in words word_dim chars char_dim char_filters char_window tags pos_dim; do
		"$make_model" -m $key=4 m
		[ $key != char_filters ] || "$make_model" -m $key=5 m
		says 1 "hp-embed: $PWD/m: ..." bash -c 'hp-embed -m ./m good.conllu >/dev/null'
	done
	"$make_model" x.safetensors
	hp-embed -m ./x.safetensors good.conllu >embed
	for key in hidden layers decoder_hidden; do
		"$make_model" -m $key=4 m
		says 1 "hp-encode: $PWD/m: ..." bash -c "hp-encode -m ./m embed >/dev/null"
	done
	hp-encode embed >encode
	for key in decoder_hidden decoder_input arc_mlp; do
		"$make_model" -m $key=4 m
		says 1 "hp-decode: $PWD/m: ..." bash -c "hp-decode -m ./m encode >/dev/null"
	done
	hp-decode encode >decode
	for key in label_mlp labels; do
		"$make_model" -m $key=4 m
		says 1 "hp-label: $PWD/m: ..." hp-label -m ./m decode
	done
}

@test "tensors and vocabularies that are missing or wrong" {
	for name in embed.word embed.char embed.pos charcnn.w charcnn.b vocab.word vocab.char vocab.tag; do
		"$make_model" -d $name m
		says 1 "hp-embed: $PWD/m: ...$name..." bash -c 'hp-embed -m ./m good.conllu >/dev/null'
	done
	"$make_model" -t 'vocab.tag=<root>,<unk>,A,B,C,D' m
	refused ./m "$PWD/m: tensor 'vocab.tag' has 6 entries, expected 7 as in the metadata"
	"$make_model" -t 'vocab.tag=A,B,C,D,E,F,G' m
	refused ./m "$PWD/m: tensor 'vocab.tag' does not begin with <root> and <unk>"
	"$make_model" -t 'vocab.tag=<root>,<unk>,A,A,C,D,E' m
	says 1 "hp-embed: $PWD/m: tensor 'vocab.tag'..." bash -c 'hp-embed -m ./m good.conllu >/dev/null'
	"$make_model" -t $'vocab.tag=<root>,<unk>,A,B,C,D,\xff' m
	says 1 "hp-embed: $PWD/m: tensor 'vocab.tag'..." bash -c 'hp-embed -m ./m good.conllu >/dev/null'
	# A stage needs its own tensors only.
	"$make_model" -d pointer.w m
	hp-embed -m ./m good.conllu | hp-encode >encode
	says 1 "hp-decode: $PWD/m: ...pointer.w..." bash -c 'hp-decode encode >/dev/null'
	"$make_model" -d vocab.label m
	hp-embed -m ./m good.conllu | hp-encode | hp-decode >decode
	says 1 "hp-label: $PWD/m: ...vocab.label..." hp-label decode
}

@test "sizes that a file merely claims cost no memory" {
	hp-embed -m "$models/tiny.safetensors" good.conllu >embed
	"$make_model" -m hidden=16384 m
	says 1 "hp-encode: $PWD/m: tensor 'encoder.0.fwd.w_ih' has shape [32, 13], expected [65536, 13]" timeout 20 bash -c 'hp-encode -m ./m embed >/dev/null'
	hp-encode embed | hp-decode >decode
	"$make_model" -m label_mlp=16384 m
	says 1 "hp-label: $PWD/m: tensor 'label.g1.w' has shape [5, 10], expected [16384, 10]" timeout 20 hp-label -m ./m decode
}

@test "a label with a tab would make eleven columns" {
	"$make_model" -t $'vocab.label=a,b,c\td,e,f' m
	run -1 --separate-stderr bash -c 'hp-embed -m ./m good.conllu | hp-encode | hp-decode | hp-label'
	[ -z "$output" ]
	[ "$stderr" = "hp-label: $PWD/m: tensor 'vocab.label', entry 3: a tab in a label" ]
}

@test "F16 models load" {
	"$make_model" -H half.safetensors
	HP_MODEL=./half.safetensors pipe good.conllu >out
	check_trees out
	mask out | diff - <(mask good.conllu)
	# Rounded to 11 bits, values differ, but little.
	for model in ./half.safetensors "$models/tiny.safetensors"; do
		hp-embed -m "$model" good.conllu >embed
		hp-encode embed | hp-decode --text --scores | grep -o 'ArcProb=.*' | cut -c 9- >"probs.$(basename "$model")"
		cp embed "embed.$(basename "$model")"
	done
	run ! cmp -s embed.half.safetensors embed.tiny.safetensors
	paste probs.half.safetensors probs.tiny.safetensors | awk '$1 - $2 > 0.01 || $2 - $1 > 0.01 { exit 1 } END { if (NR != 3) exit 1 }'
}

@test "a model without tags" {
	"$make_model" -p bare.safetensors
	HP_MODEL=./bare.safetensors pipe good.conllu >out
	check_trees out
	sed 's/\t\(PRON\|VERB\|PUNCT\)\t/\t_\t/' good.conllu >untagged
	HP_MODEL=./bare.safetensors pipe untagged | cut -f 7-8 | diff - <(cut -f 7-8 out)
}

@test "labels without root: any label for the root's child" {
	"$make_model" -t 'vocab.label=a,b,c,d,e' m.safetensors
	HP_MODEL=./m.safetensors pipe good.conllu | cut -f 8 >labels
	[ "$(grep -c '^[abcde]$' labels)" -eq 3 ]
}

@test "the one-call interface finds what the pipe finds" {
	[ -x "${builddir:-.}/examples/parse" ] || skip "examples/parse is not built"
	for sentence in "She reads a book ." "x" "The dog barks" $'caf\xc3\xa9 . . a b c d e f g h i j k l m n o p q r s t u v w x y z'; do
		# shellcheck disable=SC2086
		"${builddir:-.}/examples/parse" "$models/tiny.safetensors" $sentence >parsed
		HP_MODEL=$models/tiny.safetensors pipe --input=tokens <<<"$sentence" | grep '^[0-9]' | cut -f 1,2,7,8 | diff - parsed
	done
	says 1 "parse: ./none: No such file or directory" "${builddir:-.}/examples/parse" ./none x
	says 1 "parse: word 2 is empty" "${builddir:-.}/examples/parse" "$models/tiny.safetensors" a '' b
	says 1 "parse: word 1 is not UTF-8" "${builddir:-.}/examples/parse" "$models/tiny.safetensors" $'a\xff'
}

@test "a model that is cut short while it is in use" {
	"$make_model" used.safetensors
	mkfifo input
	hp-embed -m ./used.safetensors >out 2>said <input &
	exec 7>input
	cat good.conllu >&7 # it has opened the model once this has come out
	for ((i = 0; i < 200; i++)); do
		[ "$(stat -c %s out)" -lt 1000 ] || break
		sleep 0.05
	done
	truncate -s 0 used.safetensors
	cat good.conllu >&7
	exec 7>&-
	status=0
	wait $! || status=$?
	[ $status -eq 1 ]
	[ "$(cat said)" = 'hp-embed: a model was cut short, or could not be read any more, while it was in use' ]
}
