#!/usr/bin/env bats
# hp-train --train-stream: discourse models that read embeddings of other programs.
bats_require_minimum_version 1.5.0
load filters

# The example folder, and streams of hp-embed: of a model with random parameters, which is as good as any.
setup() {
	srcdir=$(cd "${srcdir:-$BATS_TEST_DIRNAME/..}" && pwd)
	cd "$BATS_TEST_TMPDIR" || return
	mkdir examples
	cp -r "$srcdir/examples/embeddings" "$srcdir"/examples/*.py examples
	chmod -R u+w examples
	cp examples/embeddings/*.dis .
	"${builddir:-.}/tests/make-model" -r words.safetensors
	for name in train dev; do hp-embed -m ./words.safetensors --input=dis $name.dis >$name.stream; done
}

small() { # ARGUMENT...
	hp-train --task=rst --train train.dis --set hidden=8 --set layers=2 --set label_mlp=8 --set batch=8 \
		--set learning_rate=0.01 -q "$@"
}

# Sets python to one that has numpy.
numpy() {
	for python in python3 /usr/bin/python3; do
		! "$python" -c 'import numpy' 2>/dev/null || return 0
	done
	skip "no numpy"
}

@test "the example: embeddings written in Python, training, parsing, evaluation" {
	numpy
	cd examples/embeddings
	PYTHONDONTWRITEBYTECODE=1 make PYTHON="$python" EPOCHS=30
	hp-cat model.safetensors >shown
	grep -q 'input = stream' shown
	grep -q 'input_dim = 64' shown
	grep -q 'stream_layers = 2' shown
	run -1 grep -q vocab.word shown
	# What is learnt of patterns that connectives tell is good; and dev was scored as hp-eval does it.
	f1() { hp-eval --csv --task=rst dev.dis parsed.dis | awk -F, -v kind="$1" '$8 == kind && $9 == "f1" { printf "%.2f", $10 }'; }
	for kind in Span Nuclearity Relation; do
		[ "$(f1 $kind)" = "$(sed -n "s/^ *dev\.${kind,} = //p" shown)" ]
	done
	awk -v span="$(f1 Span)" -v relation="$(f1 Relation)" 'BEGIN { exit !(span > 90 && relation > 60) }'
	# Layers are mixed by trained scalars: they are no longer equal.
	hp-cat --values model.safetensors | grep -A 1 'mix.weights F32' | tail -n 1 | awk '{ exit !($1 != $2) }'
	# Sentences of one EDU come out as well.
	[ "$(grep -c '^( Root' parsed.dis)" -eq "$(grep -c '^( Root' dev.dis)" ]
}

@test "the examples' programs say what they need where there is no numpy" {
	command -v python3 || skip "no python3"
	mkdir none
	echo 'raise ImportError' >none/numpy.py
	for name in stream_example ngram_embed; do
		PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=none says 1 "$name.py: needs numpy (Debian: python3-numpy, for /usr/bin/python3)" python3 examples/$name.py train.dis
	done
}

@test "the example's program: ids, paragraph marks, nothing to embed, a reader that goes away" {
	numpy
	export PYTHONDONTWRITEBYTECODE=1
	cat >doc.dis <<-'END'
		# sent_id = doc-1
		( Root (span 1 2)
		  ( Nucleus (leaf 1) (rel2par span) (text _!He left_!) )
		  ( Satellite (leaf 2) (rel2par Temporal) (text _!when she came .<P>_!) )
		)
		( Root (span 1 1) (leaf 1) (text _!Nobody stayed .
		<P> _!) )
	END
	"$python" examples/ngram_embed.py doc.dis >doc.stream
	[ "$(hp-cat --text doc.stream)" = $'# sent_id = doc-1\nHe left\nwhen she came .\nNobody stayed .' ]
	hp-cat --values doc.stream | grep -A 1 'ends I32' | tr -d '\n' | grep -q '\[2\] *1 5.*\[1\] *2'
	echo 'He left' >edus.txt
	says 1 "ngram_embed.py: edus.txt: no tree, expected ( Root" "$python" examples/ngram_embed.py edus.txt
	"$python" examples/ngram_embed.py train.dis 2>messages | true
	[ ! -s messages ]
}

@test "same seed, same bytes, whatever the threads, interrupted or not" {
	small --dev dev.dis --train-stream train.stream --dev-stream dev.stream -e 3 -j 1 -o a.safetensors
	# Streams may be pipes.
	small --dev dev.dis --train-stream <(cat train.stream) --dev-stream <(cat dev.stream) -e 3 -j 2 -o b.safetensors
	cmp a.safetensors b.safetensors
	small --dev dev.dis --train-stream train.stream --dev-stream dev.stream -e 1 -o c.safetensors -c point
	small --dev dev.dis --train-stream train.stream --dev-stream dev.stream -e 3 -o c.safetensors -c point --resume
	for m in a c; do hp-cat --values $m.safetensors | grep -v 'train.plan\|model_id\|checksum\|^[ac]\.safetensors' >$m; done
	cmp a c
	# What is for words has no effect, and is not in the model.
	run ! grep -Eq 'train\.(word_dim|char_|lower|unknown_rate|vector_limit)' a
	grep -q 'train.drop_input' a
	small --dev dev.dis --train-stream train.stream --dev-stream dev.stream -e 3 -o d.safetensors -s word_dim=7 -s lower=no
	cmp a.safetensors d.safetensors
	small --dev dev.dis -e 1 -s word_dim=7 -o w.safetensors
	hp-cat w.safetensors | grep -q 'train.word_dim = 7'
	# A checkpoint does not go on with other embeddings.
	"${builddir:-.}/tests/make-model" -r -s 2 other.safetensors
	hp-embed -m ./other.safetensors --input=dis train.dis >train.stream
	run -1 --separate-stderr small --dev dev.dis --train-stream train.stream --dev-stream dev.stream -e 4 \
		-o c.safetensors -c point --resume
	[[ $stderr == *"point: the checkpoint was made with another treebank"* ]]
}

@test "a tenth of the sentences and of the stream is dev where none is given" {
	small --train-stream train.stream -e 2 -o a.safetensors -l a.csv
	small --train-stream train.stream -e 2 -o b.safetensors
	cmp a.safetensors b.safetensors
	# 60 of 72 sentences have several EDUs; 54 are left and make 7 batches of 8.
	[ "$(sed -n 2p a.csv | cut -d, -f2)" = 7 ]
}

@test "--init goes on from a model for embeddings" {
	small --train-stream train.stream -e 8 -o first.safetensors
	small --train-stream train.stream -e 1 -o fresh.safetensors -l fresh.csv
	small --train-stream train.stream -e 1 -o second.safetensors -l second.csv --init first.safetensors
	awk -F, 'FNR == 2 { loss[FILENAME] = $3 } END { exit !(loss["second.csv"] < 0.9 * loss["fresh.csv"]) }' fresh.csv second.csv
}

@test "what is refused" {
	refused() { # MESSAGE ARGUMENT...
		run -1 --separate-stderr small -o m.safetensors "${@:2}"
		echo "$stderr"
		[[ $stderr == "hp-train: $1"* ]]
		[ "${#stderr_lines[@]}" -eq 1 ]
		[ ! -e m.safetensors ]
	}
	refused 'dev.stream: sentence 2: `ends` lets EDU 1 end with word 4, in the tree at train.dis:8 it is word 3' --train-stream dev.stream
	head -c -100 train.stream >cut.stream
	refused 'cut.stream: record ' --train-stream cut.stream
	refused 'train.dis: ' --train-stream train.dis
	refused 'none: No such file or directory' --train-stream none
	"${builddir:-.}/tests/make-model" -r -p narrow.safetensors
	hp-embed -m ./narrow.safetensors --input=dis dev.dis >narrow.stream
	refused 'narrow.stream: `x` has 1 layers of 10 numbers a word, but in train.stream 1 of 13' \
		--train-stream train.stream --dev dev.dis --dev-stream narrow.stream
	says 1 "hp-train: --train-stream and --output are the same file: train.stream" small --train-stream train.stream -o train.stream
	run -2 --separate-stderr small -o m --dev-stream dev.stream --dev dev.dis
	says 2 "hp-train: --train-stream and --dev need --dev-stream..." small -o m --train-stream train.stream --dev dev.dis
	run -2 --separate-stderr small -o m --train-stream train.stream --dev-stream dev.stream
	run -2 --separate-stderr small -o m --train-stream train.stream --vectors vectors
	says 2 "...are for --task=rst..." hp-train --train a --dev b -o c --train-stream d --dev-stream e
}

@test "several treebanks with their streams are one; a test set with its stream" {
	awk -v RS= -v ORS='\n\n' 'NR <= 8' train.dis >a.dis
	awk -v RS= -v ORS='\n\n' 'NR > 8' train.dis >b.dis
	for name in a b; do hp-embed -m ./words.safetensors --input=dis $name.dis >$name.stream; done
	small --train-stream train.stream --dev dev.dis --dev-stream dev.stream -e 2 -o whole.safetensors
	parts() { hp-train --task=rst --train a.dis --train b.dis --set hidden=8 --set layers=2 --set label_mlp=8 --set batch=8 \
		--set learning_rate=0.01 -q --train-stream a.stream --train-stream "$1" --dev dev.dis --dev-stream dev.stream "${@:2}"; }
	parts b.stream -e 2 -o m.safetensors --test dev.dis --test-stream dev.stream >out
	for m in whole m; do hp-cat -v $m.safetensors | grep -v "train.data\|model_id\|checksum\|^$m" >$m; done
	cmp whole m
	# Dev scores of the best are those of the same sentences as a test set.
	say() { hp-cat -k dev.$1 m.safetensors; }
	[ "$(cat out)" = "m.safetensors: test Span $(say span) Nuclearity $(say nuclearity) Relation $(say relation)" ]
	says 1 "hp-train: ...a.stream..." parts a.stream -e 2 -o n.safetensors
}
