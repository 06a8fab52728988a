#!/usr/bin/env bats
# hp-embed --elmo: streams by a language model, without any model of hptools or with one.
# The numbers are checked by test_elmo.c and elmo.sh.
bats_require_minimum_version 1.5.0
load filters

setup_file() {
	make_models
	"$make_model" -E 2 "$models/elmo"
	"$make_model" -E 1 "$models/shallow"
	"$make_model" -L 3 "$models/layers.safetensors"
	"$make_model" -L 2 "$models/two.safetensors"
	"$make_model" -r "$models/disc.safetensors"
	# Sentences of 1 to 30 words, in one or two EDUs.
	awk 'BEGIN {
		srand(3)
		split("the dog barks . She reads a book caf\303\251 incomprehensibilities of <S> 99", word, " ")
		for (s = 0; s < 200; s++) {
			n = 1 + int(rand() * 30)
			for (i = 0; i < n; i++) printf "%s%s", word[1 + int(rand() * 13)], i == 7 || i == n - 1 ? "\n" : " "
			print ""
		}
	}' >"$BATS_FILE_TMPDIR/many.txt"
	export many=$BATS_FILE_TMPDIR/many.txt
	unset HP_MODEL
}

setup() {
	enter
	printf '# sent_id = doc-1\nThe dog barks\nwhen she reads .\n\nthe dog\n\nShe reads the book .\n' >edus.txt
}

# x N FILE: the numbers of sentence N in a stream.
x() {
	hp-cat --values "$2" | awk -v n="$1" '/ x F32 / { at++ } / ends I32 / { on = 0 } on && NF; / x F32 / { on = at == n }'
}

@test "what comes out" {
	hp-embed --elmo "$models/elmo" edus.txt >stream
	hp-cat stream >shown
	grep -q 'task = rst' shown
	grep -q 'elmo_id = elmo-1' shown
	run -1 grep model_ shown
	[ "$(grep -o ' x F32.*' shown)" = " x F32 [3, 7, 6]
 x F32 [3, 2, 6]
 x F32 [3, 5, 6]" ]
	hp-cat --values stream | grep -A 1 'ends I32 \[2\]' | grep -qx ' *2 6'
	hp-cat --text stream | diff - <(sed '/^$/d' edus.txt)
	# The first layer has the same vector twice, and knows nothing of the context: "the dog" is "the ... dog".
	[ "$(x 2 stream | head -n 2 | awk '$1 == $4 && $2 == $5 && $3 == $6' | wc -l)" -eq 2 ]
	[ "$(x 2 stream | sed -n 2p)" = "$(x 1 stream | sed -n 2p)" ]
	[ "$(x 2 stream | sed -n 4p)" != "$(x 1 stream | sed -n 9p)" ]
	# A path is a path, also without a "/".
	cp "$models/elmo" here
	hp-embed -e here edus.txt | cmp - stream
}

@test "all kinds of input" {
	hp-embed --elmo "$models/elmo" edus.txt >stream
	{ echo '# sent_id = doc-1'; w 1 The; w 2 dog; w 3 barks; w 4 when _ _ _ _ BeginSeg=Yes; w 5 she; w 6 reads; w 7 .; echo
		w 1 the; w 2 dog; echo; w 1 She; w 2 reads; w 3 the; w 4 book; w 5 .; echo; } >in.conllu
	hp-embed --elmo "$models/elmo" --input=conllu in.conllu | cmp - stream
	hp-embed --elmo "$models/elmo" -m "$models/layers.safetensors" edus.txt | hp-encode | hp-decode | hp-label >out.dis
	hp-embed --elmo "$models/elmo" --input=dis out.dis | cmp - stream
	# Spans that are fixed.
	sed 's/BeginSeg=Yes/&|Span=1/; 0,/\t_$/s//\tSpan=2,1/; s/^4\tbook.*_$/&|Seg=B-seg/; s/^2\treads\t.*_$/&|Seg=B-seg|Span=2/' in.conllu >spans.conllu
	hp-embed --elmo "$models/elmo" --input=conllu --constraints spans.conllu >spans
	[ "$(hp-cat --csv -t fixed spans)" = 0,1,0 ]
	hp-encode -m "$models/layers.safetensors" spans | hp-decode | hp-label >fixed.dis
	grep -q 'span 2 3' fixed.dis
	[ "$(hp-embed --elmo "$models/elmo" --input=dis --constraints fixed.dis | hp-cat --csv -t fixed)" = 1,2,0 ]
	says 1 'hp-embed: --constraints with EDU text, expected --input=conllu or --input=dis for the task rst' \
		bash -c "hp-embed --elmo '$models/elmo' --constraints edus.txt >out"
	# Several files are one text.
	head -n 4 edus.txt >a
	tail -n +5 edus.txt >b
	hp-embed --elmo "$models/elmo" -cl2 edus.txt | cmp - <(hp-embed --elmo "$models/elmo" --carry --lanes=2 a b)
}

@test "with a model: its id is in the stream, and it must fit" {
	hp-embed --elmo "$models/elmo" -m "$models/layers.safetensors" edus.txt >stream
	hp-cat stream | grep -q 'model_id = disc-1'
	hp-encode stream | hp-decode | hp-label >out.dis
	[ "$(grep -c '^( Root' out.dis)" -eq 3 ]
	HP_MODEL=$models/layers.safetensors hp-embed --elmo "$models/elmo" edus.txt | cmp - stream
	# A stream without an id fits it, too.
	hp-embed --elmo "$models/elmo" edus.txt | hp-encode -m "$models/layers.safetensors" | hp-decode | hp-label | cmp - out.dis
	hp-parse --elmo "$models/elmo" -m "$models/layers.safetensors" edus.txt | cmp - out.dis
	hp-embed --elmo "$models/elmo" -m "$models/layers.safetensors" -cl 2 edus.txt | hp-encode | hp-decode | hp-label --scores |
		cmp - <(hp-parse -e"$models/elmo" -scl2 -m "$models/layers.safetensors" edus.txt)
	refused() { # MODEL MESSAGE
		run -1 --separate-stderr bash -c "hp-embed --elmo '$models/elmo' -m '$models/$1.safetensors' edus.txt >out"
		echo "$stderr"
		[ "$stderr" = "hp-embed: $2" ]
	}
	refused two "--elmo: 3 layers of 6 numbers a word, but $models/two.safetensors reads 2 of 6"
	refused disc "--elmo: $models/disc.safetensors has embeddings of its own, expected a model that was trained on a stream"
	refused tiny "--elmo is for discourse models, but $models/tiny.safetensors is for the task dep"
	# HP_MODEL may be meant for other commands.
	hp-embed --elmo "$models/elmo" edus.txt >plain
	HP_MODEL=$models/tiny.safetensors hp-embed --elmo "$models/elmo" edus.txt | cmp - plain
	"$make_model" -L 3 -m input_dim=8 wide
	says 1 "hp-embed: --elmo: 3 layers of 6 numbers a word, but $PWD/wide reads 3 of 8" bash -c "hp-embed --elmo '$models/elmo' -m ./wide edus.txt >out"
	says 1 'hp-encode: <stdin>: sentence 1: `x` is [2 x 7 x 6], expected [3 x 7 x 6]...' bash -c "hp-embed --elmo '$models/shallow' edus.txt | hp-encode -m '$models/layers.safetensors' >out"
}

@test "a model that is trained on it" {
	hp-embed --elmo "$models/elmo" -i dis "$srcdir/examples/embeddings/dev.dis" >dev.stream
	hp-train --task=rst --train "$srcdir/examples/embeddings/dev.dis" --train-stream dev.stream --set hidden=8 --set layers=1 \
		-e 1 -q -o m.safetensors
	hp-embed --elmo "$models/elmo" -m ./m.safetensors edus.txt | hp-encode | hp-decode | hp-label >out
	[ "$(grep -c '^( Root' out)" -eq 3 ]
}

@test "the same bytes whatever the batches and threads, carried or not" {
	awk -v RS= '{ print $0 "\n" > sprintf("s%03d", ++n) }' "$many"
	for options in "--carry" "--carry --lanes=3" "--carry --lanes=100" ""; do
		[ ! -e whole ] || mv whole carried
		# shellcheck disable=SC2086
		{
			hp-embed --elmo "$models/elmo" $options "$many" >whole
			hp-embed --elmo "$models/elmo" $options -j 3 "$many" | cmp - whole
			# A file each, so that each is computed alone.
			hp-embed --elmo "$models/elmo" $options s??? | cmp - whole
			# With pauses.
			{ head -c 999 "$many"; sleep 0.1; tail -c +1000 "$many"; } | hp-embed --elmo "$models/elmo" $options | cmp - whole
		}
		[ ! -e carried ] || run -1 cmp -s whole carried
	done
	# Without --carry a sentence knows no other.
	hp-embed --elmo "$models/elmo" s117 >alone
	[ "$(x 1 alone)" = "$(x 117 whole)" ]
	[ "$(x 1 alone)" != "$(x 117 carried)" ]
}

@test "sentences are dealt to lanes" {
	hp-embed --elmo "$models/elmo" --carry --lanes=3 "$many" >three
	# The second of the three lanes alone; 67 sentences, the last batch being incomplete.
	awk -v RS= 'NR % 3 == 2 { print $0 "\n" }' "$many" >second
	hp-embed --elmo "$models/elmo" --carry second >alone
	for i in 1 2 3 40 67; do
		[ "$(x $i alone)" = "$(x $((3 * i - 1)) three)" ]
	done
	# As many lanes as sentences: none has one before it.
	hp-embed --elmo "$models/elmo" --carry --lanes=200 "$many" | cmp - <(hp-embed --elmo "$models/elmo" "$many")
	# What could not be read takes no lane.
	printf 'the dog\n\n( Nucleus (leaf 1) a\n\na book\n\nshe reads\n' >in
	says 1 'hp-embed: in:3: part of a tree, expected an EDU a line: .dis trees need --input=dis' bash -c "hp-embed --elmo '$models/elmo' -kcl 2 in >bad"
	printf 'the dog\n\na book\n\nshe reads\n' | hp-embed --elmo "$models/elmo" -cl 2 >good
	for i in 1 2 3; do [ "$(x $i bad)" = "$(x $i good)" ]; done
}

@test "a sentence comes out when its producer pauses, though its batch of AllenNLP is not complete" {
	mkfifo in
	hp-embed --elmo "$models/elmo" --carry --lanes=4 <in >stream 3>&- &
	exec 7>in
	printf 'the dog\nbarks .\n\n' >&7
	for _ in $(seq 200); do
		grep -qa '"ends"' stream && break
		sleep 0.05
	done
	grep -qa '"ends"' stream
	exec 7>&-
	wait $!
}

@test "files that are no ELMo model" {
	refused() { # FILE MESSAGE
		run -1 --separate-stderr bash -c "hp-embed --elmo '$1' edus.txt >stream"
		echo "$stderr"
		[[ $stderr == "hp-embed: $1: $2"* ]]
		[ "${#stderr_lines[@]}" -eq 1 ]
		# The next stage is told, and nothing else.
		hp-cat stream | grep -q "error = hp-embed: $1: "
		run grep -q 'elmo_id' stream
		[ "$status" -ne 0 ]
	}
	refused missing "No such file or directory"
	refused "$models/tiny.safetensors" "no 'hp_elmo' in the metadata: not a model of elmo-convert"
	refused edus.txt ""
	refused . ""
	: >empty
	refused empty ""
	size=$(stat -c %s "$models/elmo")
	for cut in 7 8 100 $((size / 2)) $((size - 1)); do
		head -c "$cut" "$models/elmo" >cut
		refused cut ""
	done
	{ cat "$models/elmo"; echo; } >longer
	refused longer ""
	"$make_model" -E 2 -t lstm.1.backward.bias= m
	refused m "tensor 'lstm.1.backward.bias'"
	"$make_model" -E 2 -t projection.weight= m
	refused m "tensor 'projection.bias'"
	"$make_model" -E 2 -d highway.0.carry.bias m
	refused m "no tensor 'highway.0.carry.bias'"
	"$make_model" -E 2 -d lstm.0.forward.projection m
	refused m "no tensor 'lstm.0.forward.projection'"
	"$make_model" -E 2 -m max_characters=1001 m
	refused m "metadata: max_characters is '1001', expected 4 to 1000"
	"$make_model" -E 2 -m hp_elmo=2 m
	refused m "an ELMo model of version '2', expected 1"
	"$make_model" -E 2 -m elmo_id= m
	run -1 --separate-stderr hp-embed --elmo m edus.txt
	[ "$stderr" = "hp-embed: m: no 'elmo_id' in the metadata: not a model of elmo-convert" ]
}

@test "wrong usage" {
	wrong() { # MESSAGE ARGUMENT...
		run -2 --separate-stderr hp-embed "${@:2}" edus.txt
		echo "$stderr"
		[ "${stderr_lines[0]}" = "hp-embed: $1" ]
		[ -z "$output" ]
	}
	wrong "--carry is for --elmo" --carry
	wrong "--lanes is for --carry" --elmo "$models/elmo" --lanes 2
	wrong "--lanes is for --carry" --lanes 2
	wrong "--elmo with --input=tokens, expected edus, dis or conllu" --input=tokens --elmo "$models/elmo"
	for n in 0 -1 x 100001 ''; do
		run -2 --separate-stderr hp-embed --elmo "$models/elmo" --carry --lanes "$n" edus.txt
		[[ ${stderr_lines[0]} == "hp-embed: --lanes: "* ]]
	done
	says 2 "hp-parse: --carry is for --elmo" hp-parse --carry edus.txt
	says 2 "hp-parse: --lanes is for --carry" hp-parse --elmo "$models/elmo" --lanes=2 edus.txt
	run -2 --separate-stderr hp-parse --elmo "$models/elmo" -i tokens edus.txt
}

@test "memory does not grow with the input" {
	grep -q '__asan' "$(command -v hp-embed)" && skip "the sanitizer keeps freed memory"
	rss=${builddir:-.}/tests/max-rss
	for _ in $(seq 5); do cat "$many"; done >small
	for _ in $(seq 10); do cat small; done >big
	for options in "" "--carry --lanes=30"; do
		for size in small big; do
			# shellcheck disable=SC2086
			"$rss" $size.rss hp-embed --elmo "$models/elmo" $options $size >$size.stream
		done
		echo "$(cat small.rss) KiB, then $(cat big.rss) KiB"
		# 10 times the input, and not a tenth of the difference of what comes out.
		[ $(($(cat big.rss) - $(cat small.rss))) -lt $((($(stat -c %s big.stream) - $(stat -c %s small.stream)) / 1024 / 10)) ]
	done
}

@test "a file that is all holes does not fill the memory" {
	python3 - <<-'PY'
		import json, struct
		shapes, at, header = {"char.embed": [261, 1], "cnn.0.weight": [1000, 132, 1], "cnn.0.bias": [1000]}, 0, {}
		for name, shape in shapes.items():
		    size = 4 * shape[0] * (shape[1] if len(shape) > 1 else 1)
		    header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + size]}
		    at += size
		header["__metadata__"] = {"hp_elmo": "1", "elmo_id": "x", "activation": "relu", "skip": "1", "max_characters": "1000"}
		text = json.dumps(header).encode()
		with open("holes", "wb") as file:
		    file.write(struct.pack("<Q", len(text)) + text)
		    file.truncate(8 + len(text) + at)
	PY
	says 1 "hp-embed: ./holes: tensor 'cnn.0.weight': filters times width come to more than 131072 in all" messages hp-embed --elmo ./holes edus.txt
}
