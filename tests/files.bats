#!/usr/bin/env bats
# What files hold: gzip data is unpacked wherever something is read as it comes, other kinds of files are called by name.
bats_require_minimum_version 1.5.0
load filters

setup_file() {
	make_models
}

setup() {
	enter
	make_good
	examples=$srcdir/examples
}

# fails MESSAGE COMMAND...: exit status 1, that line on standard error.
fails() {
	local message=$1
	shift
	run -1 --separate-stderr "$@"
	echo "$stderr"
	[ "$stderr" = "$message" ]
}

@test "gzip: what comes out is what comes of the text" {
	hp-parse good.conllu >plain
	gzip -k good.conllu
	hp-parse good.conllu.gz | cmp - plain
	hp-parse <good.conllu.gz | cmp - plain
	cat good.conllu.gz | hp-parse | cmp - plain
	hp-parse <(cat good.conllu.gz) | cmp - plain
	# Members one after another, an empty one last, zeros.
	{ head -3 good.conllu | gzip; tail -n +4 good.conllu | gzip -1; gzip </dev/null; head -c 600 /dev/zero; } | hp-parse | cmp - plain
	printf 'She reads .\nThe dog barks .\n' >tokens
	hp-parse --input=tokens tokens >plain
	gzip -c tokens | hp-parse --input=tokens | cmp - plain
}

@test "gzip: sentences of a member that goes on are parsed when they have come" {
	mkfifo in
	hp-parse --input=tokens <in >out 7>&- 3>&- &
	exec 7>in
	echo 'She reads .' | gzip >&7
	for _ in $(seq 200); do
		[ -s out ] && break
		sleep 0.05
	done
	[ "$(grep -c '^1' out)" -eq 1 ]
	echo 'The dog barks .' | gzip >&7
	exec 7>&-
	wait $!
	[ "$(grep -c '^1' out)" -eq 2 ]
}

@test "gzip: damage is told, what came before it is kept" {
	for i in $(seq 5000); do echo "$i of many lines ."; done | gzip >whole.gz
	head -c "$(($(stat -c %s whole.gz) / 2))" whole.gz >cut.gz
	run -1 --separate-stderr hp-parse --input=tokens cut.gz
	[ "$stderr" = "hp-embed: cut.gz: gzip data that is cut off" ]
	[ "$(grep -c '^# text' <<<"$output")" -gt 1000 ]
	{ cat good.conllu | gzip; echo junk; } >junk.gz
	hp-parse good.conllu >plain
	says 1 "hp-embed: junk.gz: gzip data, and after it other bytes" bash -c 'hp-parse junk.gz >out'
	cmp plain out
	printf '\037\213\b\0\0\0\0\0\0\0\7' >bad.gz
	fails "hp-embed: bad.gz: damaged gzip data: invalid block type" hp-parse bad.gz
	for i in $(seq 200); do cat "$examples/sample.conllu"; done | tee bank | gzip | head -c 4000 >cut.gz
	fails "hp-eval: cut.gz: gzip data that is cut off" hp-eval bank cut.gz
}

@test "gzip: lines are those of what comes out, and megabytes of zeros are no text" {
	{ cat good.conllu; echo 'x'; } | gzip >bad.gz
	n=$(wc -l <good.conllu)
	fails "hp-embed: bad.gz:$((n + 1)): 1 column, expected ten separated by tabs" hp-parse bad.gz
	head -c 300M /dev/zero | gzip -1 >bomb.gz
	grep -q __asan_ "$(command -v hp-embed)" || ulimit -v 2000000 # the address sanitizer takes the address space
	fails "hp-embed: bomb.gz:1: a line of more than 64 MiB" hp-parse bomb.gz
}

@test "gzip: evaluation, extraction, training, tables, streams" {
	for f in "$examples"/sample.conllu "$examples"/sample.dis "$examples"/library.rs3 "$examples"/library.txt; do
		gzip -c "$f" >"${f##*/}.gz"
	done
	hp-eval sample.conllu.gz "$examples/sample.conllu" | grep -q '^LAS  *100.00'
	hp-eval "$examples/sample.dis" sample.dis.gz | grep -q '^Span  *100.00'
	rst-extract -l none -s "$examples/library.txt" "$examples/library.rs3" >plain
	rst-extract -l none -s library.txt.gz library.rs3.gz >out
	diff plain out | grep '^[<>]' | grep -v sent_id && false
	echo 'joint,Joint' | gzip >map.csv.gz
	cp map.csv.gz map.csv
	echo '*,Rest' | gzip >>map.csv
	rst-extract -l ./map.csv "$examples/library.rs3" >/dev/null
	hp-train --print-hyper --hyper "$examples/dep.csv" >plain
	gzip -c "$examples/dep.csv" >dep.csv.gz
	hp-train --print-hyper --hyper dep.csv.gz | cmp - plain
	hp-embed good.conllu >stream
	hp-encode stream >plain
	gzip -c stream | hp-encode | cmp - plain
	hp-cat stream >plain
	gzip -k stream
	hp-cat stream.gz | sed 's/^stream.gz/stream/' | cmp - plain
	gzip -c "$models/tiny.safetensors" >tiny.gz
	[ "$(hp-cat -k model_id tiny.gz)" = "$(hp-cat -k model_id "$models/tiny.safetensors")" ]
}

@test "gzip: the same model from packed treebanks and vectors" {
	train() {
		hp-train -q --hyper "$examples/train/small.csv" --set hidden=8 --set decoder_hidden=8 --set decoder_input=8 \
			--set layers=1 --set arc_mlp=8 --set label_mlp=8 --set word_dim=3 --set char_filters=4 -e 1 "$@"
	}
	printf 'she 1 2 3\nreads 4 5 6\n' >vectors
	awk 'BEGIN { RS = ""; ORS = "\n\n" } NR <= 4' "$examples/train/train.conllu" >bank
	cp "$examples/train/dev.conllu" dev
	train --train bank --dev dev --vectors vectors -o plain.safetensors
	gzip -k bank dev vectors
	train --train bank.gz --dev <(cat dev.gz) --vectors vectors.gz -o packed.safetensors
	cmp plain.safetensors packed.safetensors
	train --train bank --dev dev --vectors <(cat vectors.gz) -o packed.safetensors
	cmp plain.safetensors packed.safetensors
	head -c 30 vectors.gz >cut
	fails "hp-train: cut: gzip data that is cut off" train --train bank --dev dev --vectors cut -o m.safetensors
	# Words that are left out are counted, in one line.
	printf '4 3\nshe 1 2 3\n\n 4 5 6\n0800 555 7 8 9\nr\377 1 1 1\n' >odd
	run -0 --separate-stderr train --train bank --dev dev --vectors odd -o m.safetensors
	[ -z "$stderr" ]
	run -0 --separate-stderr bash -c "$(declare -f train | sed 's/ -q / /'); examples=$examples; train --train bank --dev dev --vectors odd -o m.safetensors"
	[ "${stderr_lines[0]}" = "hp-train: odd: left out: 1 vector whose word is not UTF-8, 1 without a word" ]
	[ "$(grep -c 'left out' <<<"$stderr")" -eq 1 ]
	for kind in 'PK\3\4:a zip archive:unpack it first (unzip)' \
		'version https\72//git-lfs.github.com/spec/v1\n:a Git LFS pointer, not the file itself:git lfs pull fetches it' \
		'\272\26\117\57\14\0\0\0:a fastText binary model:its .vec file is the text form'; do
		printf "${kind%%:*}" >other
		kind=${kind#*:}
		fails "hp-train: other: ${kind%%:*}, expected word vectors: ${kind#*:}" \
			train --train bank --dev dev --vectors other -o m.safetensors
		fails "hp-train: other: ${kind%%:*}, expected CoNLL-U: ${kind#*:}" train --train other --dev dev -o m.safetensors
	done
}

@test "other kinds of files, wherever they are given" {
	printf 'PK\3\4\24\0\0\0\b\0' >zip
	printf '<!DOCTYPE html>\n<p>404\n' >page
	is="an HTML page, expected"
	hint="is it an error message of a download?"
	fails "hp-embed: zip: a zip archive, expected CoNLL-U: unpack it first (unzip)" hp-parse --keep-going zip
	fails "hp-embed: page: $is a sentence a line: $hint" hp-parse --input=tokens page
	fails "hp-encode: page: $is a tensor stream: $hint" bash -c 'hp-encode page >/dev/null'
	fails "hp-embed: $PWD/page: $is a safetensors file: $hint" hp-parse --model=./page good.conllu
	fails "hp-cat: page: $is a safetensors file: $hint" hp-cat page
	fails "hp-eval: page: $is CoNLL-U: $hint" hp-eval page good.conllu
	fails "hp-eval: page: $is a table written by --csv: $hint" hp-eval --summarize page
	fails "rst-extract: page: $is rhetorical trees: $hint" rst-extract page
	fails "rst-extract: zip: a zip archive, expected rhetorical trees: unpack it first (unzip)" rst-extract zip
	fails "rst-extract: ./page: $is a relation map (CSV): $hint" rst-extract --labels=./page "$examples/library.rs3"
	fails "hp-train: page: $is a table of hyper-parameters (CSV): $hint" hp-train --hyper page --print-hyper
}

@test "models, streams and text in each other's place" {
	hp-embed good.conllu >stream
	tiny=$models/tiny.safetensors
	fails "hp-embed: $PWD/stream: a tensor stream, expected a model" hp-parse --model=./stream good.conllu
	fails "hp-encode: $tiny: a model, expected a tensor stream" bash -c "hp-encode $tiny >/dev/null"
	fails "hp-encode: <stdin>: a model, expected a tensor stream" bash -c "cat $tiny | hp-encode >/dev/null"
	fails "hp-embed: stream: safetensors data (a model or a tensor stream), expected CoNLL-U: hp-cat shows it" hp-parse stream
	gzip -c "$tiny" >model.gz
	fails "hp-embed: $PWD/model.gz: gzip data, expected a safetensors file: unpack it first (gunzip)" \
		hp-parse --model=./model.gz good.conllu
}

@test "NUL bytes and UTF-16 are no text" {
	printf 'She reads .\nnow\0then .\n' >in
	fails "hp-embed: in:2: a NUL byte, expected text" bash -c 'hp-parse --input=tokens in >/dev/null'
	printf '# a\0b\n' >in
	fails "hp-embed: in:1: a NUL byte, expected text" hp-parse in
	printf 'a,b\n\0,c\n' >map.csv
	fails "rst-extract: map.csv:2: a NUL byte, expected text" rst-extract --labels=map.csv "$examples/library.rs3"
	printf 'metric,value\nLAS,\0001\n' >table
	fails "hp-eval: table:2: a NUL byte, expected text" hp-eval --summarize table
	fix="-t UTF-8 converts it"
	for to in UTF-16LE UTF-16BE; do
		for kind in conllu:CoNLL-U 'tokens:a sentence a line'; do
			iconv -f UTF-8 -t $to good.conllu >in
			fails "hp-embed: in: UTF-16 without its mark, expected ${kind#*:}: iconv -f $to $fix" hp-parse --input="${kind%%:*}" in
		done
	done
	iconv -f UTF-8 -t UTF-16 good.conllu >in
	fails "hp-embed: in: UTF-16, expected CoNLL-U: iconv -f UTF-16 $fix" hp-parse in
	iconv -f UTF-8 -t UTF-32 good.conllu >in
	fails "hp-embed: in: UTF-32, expected CoNLL-U: iconv -f UTF-32 $fix" hp-parse in
}

@test "a no-break space separates no tokens" {
	printf 'New\302\240York is .\n' | hp-parse --input=tokens | grep -q "^1${TAB}New"$'\302\240'"York${TAB}"
}
