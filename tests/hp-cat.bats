#!/usr/bin/env bats
# hp-cat: listings of streams and models, and every damaged one refused with its name.

bats_require_minimum_version 1.5.0
load filters

setup() {
	enter
	{
		printf '\50\0\0\0\0\0\0\0{"__metadata__":{"hp_stream":"1"}}      '
		printf '\157\0\0\0\0\0\0\0{"n":{"dtype":"I32","shape":[1],"data_offsets":[0,4]},'
		printf '"text":{"dtype":"U8","shape":[5],"data_offsets":[4,9]}}  '
		printf '\7\0\0\0he\tlo'
		printf '\60\0\0\0\0\0\0\0{"__metadata__":{"end":"1","sentences":"1"}}    '
	} >stream
	# [[1, -2], [0.5, inf]] as F32
	image '{"__metadata__":{"model_id":"m1"},"w.a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"w.b":{"dtype":"U8","shape":[2],"data_offsets":[16,18]}}' \
		'\0\0\200\77\0\0\0\300\0\0\0\77\0\0\200\177\377\0' >model
}

# refused MESSAGE FILE: status 1, nothing but "hp-cat: FILE: MESSAGE".
refused() {
	run hp-cat -q "$2"
	echo "$output"
	[ "$status" -eq 1 ]
	[[ $output == "hp-cat: $2: "$1 ]]
}

@test "a stream is listed record by record" {
	says 0 'stream: record 1: first
  hp_stream = 1
stream: record 2: sentence
  n I32 [1]
  text U8 [5] "he\tlo"
stream: record 3: last
  end = 1
  sentences = 1' hp-cat stream
}

@test "a model is listed, from a file and from a pipe" {
	says 0 'model: safetensors
  model_id = m1
  w.a F32 [2, 2]
  w.b U8 [2]' hp-cat model
	run -0 bash -c 'cat model | hp-cat -'
	[ "${lines[0]}" = "<stdin>: safetensors" ]
	[ "${lines[3]}" = "  w.b U8 [2]" ]
}

@test "values and statistics" {
	says 0 'model: safetensors
  w.a F32 [2, 2]
    1 -2
    0.5 inf' hp-cat --values --tensor=w.a model
	run hp-cat --stats --tensor='w.?' model
	[ "${lines[1]}" = "  w.a F32 [2, 2] min -2 mean -0.166667 max 1, 1 not finite" ]
	[ "${lines[2]}" = "  w.b U8 [2] min 0 mean 127.5 max 255" ]
}

@test "CSV, text, one key" {
	says 0 $'1,-2\n0.5,inf\n255,0' hp-cat --csv -t w.a -t w.b model
	says 0 $'he\tlo' hp-cat --text stream
	says 0 m1 hp-cat --key=model_id stream model
}

@test "JSON" {
	run -0 hp-cat --json --values stream model
	[ "${lines[1]}" = '{"file":"stream","record":2,"kind":"sentence","metadata":{},"tensors":{"n":{"dtype":"I32","shape":[1],"values":[7]},"text":{"dtype":"U8","shape":[5],"text":"he\tlo"}}}' ]
	[ "${lines[3]}" = '{"file":"model","kind":"safetensors","metadata":{"model_id":"m1"},"tensors":{"w.a":{"dtype":"F32","shape":[2, 2],"values":[[1,-2],[0.5,null]]},"w.b":{"dtype":"U8","shape":[2],"values":[255,0]}}}' ]
}

@test "half a dozen number types" {
	image '{"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},"b":{"dtype":"U64","shape":[1],"data_offsets":[8,16]},"c":{"dtype":"F16","shape":[2],"data_offsets":[16,20]},"d":{"dtype":"I8","shape":[],"data_offsets":[20,21]},"e":{"dtype":"BOOL","shape":[1],"data_offsets":[21,22]},"f":{"dtype":"F64","shape":[1],"data_offsets":[22,30]}}' \
		'\377\377\377\377\377\377\377\177\377\377\377\377\377\377\377\377\0\74\1\0\200\1\0\0\0\0\0\0\360\77' >types
	says 0 $'9223372036854775807\n18446744073709551615\n1,5.9605e-08\n-128\n1\n1' hp-cat --csv types
}

@test "no values, but dimensions of any size" {
	image '{"e":{"dtype":"F32","shape":[0,4611686018427387904,4611686018427387904],"data_offsets":[0,0]}}' '' >none
	for option in --values --csv --stats; do
		run -0 hp-cat $option none
		[[ $output != *"runtime error"* ]]
	done
	says 0 'none: safetensors
  e F32 [0, 4611686018427387904, 4611686018427387904]' hp-cat --values none
}

@test "ranges of records" {
	for range in 2 2-2 -2 2-; do
		says 0 7 hp-cat --csv -t n --records=$range stream
	done
	run hp-cat -n 3- stream
	[ "${lines[0]}" = "stream: record 3: last" ]
	for range in 0 x 3-2 - 1-x ''; do
		run -2 hp-cat -n "$range" stream
	done
}

@test "what is nowhere is an error" {
	says 1 "hp-cat: no record 4" hp-cat -n 4-5 stream
	hp-cat -n 4 model
	says 1 "hp-cat: no tensor 'nothing'" hp-cat -t nothing stream model
	says 1 "hp-cat: no tensor 'nothing'" hp-cat -q -t nothing stream model
	says 0 '' hp-cat -q -t w.a stream model
	says 1 "hp-cat: no metadata 'nothing'" hp-cat -k nothing stream
	run -1 hp-cat no-such-file model
	[ "${lines[0]}" = "hp-cat: no-such-file: No such file or directory" ]
	[ "${lines[1]}" = "model: safetensors" ]
}

@test "truncated files" {
	for file in stream model; do
		size=$(wc -c <$file)
		for ((n = 0; n < size; n += 7)); do
			head -c $n $file >cut
			says 1 "hp-cat: cut: ..." hp-cat -q cut
			says 1 "hp-cat: <stdin>: ..." bash -c 'hp-cat -q <cut'
		done
	done
}

@test "a stream cut off is shown up to there" {
	head -c 180 stream >cut
	says 1 '...text U8 [5] "he\tlo"...' hp-cat cut
	[[ $output == *'hp-cat: cut: record 3: cut off after 4 bytes, expected a header of 8' ]]
}

@test "a first stage that died" {
	head -c 176 stream >dead
	refused 'cut off after 1 sentence, expected a last record: the program before has died' dead
}

@test "a first stage that reported an error" {
	{
		head -c 176 stream
		image '{"__metadata__":{"end":"1","sentences":"1","error":"x.conllu:3: bad"}}' ''
	} >failed
	refused 'record 3: ended early: x.conllu:3: bad' failed
	run hp-cat --key=error failed
	[ "${lines[0]}" = "x.conllu:3: bad" ] || [ "${lines[1]}" = "x.conllu:3: bad" ]
}

@test "two streams in one" {
	cat stream stream >two
	says 0 $'7\n7' hp-cat -c -t n two
}

@test "a header over the limit" {
	printf '\1\341\365\5\0\0\0\0{}' >long # 100,000,001
	refused 'no safetensors data: header length 100000001, expected at most 100000000' long
	printf '\377\377\377\377\377\377\377\377{}' >long
	refused 'no safetensors data: header length 18446744073709551615, expected at most 100000000' long
}

@test "a file of nothing but metadata" {
	image '{"__metadata__":{"a":"b"}}' '' >meta
	says 0 $'meta: safetensors\n  a = b' hp-cat meta
}

@test "holes, overlaps, duplicates, wrong sizes" {
	image '{"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}' 'xx' >f
	refused "tensor 'a' begins at byte 1 of the data, expected 0: a hole" f
	image '{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}' 'xxx' >f
	refused "tensor 'b' begins at byte 1 of the data, expected 2: an overlap" f
	image '{"a":{"dtype":"U8","shape":[1],"shape":[1],"data_offsets":[0,1]}}' 'x' >f
	refused '*duplicate*' f
	image '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,3]}}' 'xxx' >f
	refused "tensor 'a': 3 bytes, but its shape and type take another number" f
	image '{}' 'x' >f
	refused '11 bytes, expected 10: data that belongs to no tensor' f
}

@test "empty input, text, a folder" {
	: >empty
	refused '*cut off after 0 bytes*' empty
	says 1 "hp-cat: <stdin>: empty, expected a tensor stream or a model" bash -c 'hp-cat <empty'
	refused 'text, expected safetensors data: a model, or the stream of another stage' "$BATS_TEST_FILENAME"
	mkdir folder
	refused 'Is a directory' folder
}

@test "what a terminal could obey is escaped" {
	image '{"a\u001b[31m":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}' '\33\302\233x' >odd
	run hp-cat odd
	[ "${lines[1]}" = '  a\x1B[31m U8 [4] "\x1B\xC2\x9Bx"' ]
}

@test "a full disk and a reader that goes away" {
	says 1 "hp-cat: standard output: ..." bash -c 'hp-cat stream >/dev/full'
	for i in {1..2000}; do cat stream; done >many
	run bash -c 'hp-cat many | head -n 1; echo ${PIPESTATUS[0]}'
	[ "${lines[0]}" = "many: record 1: first" ]
	[ "${lines[1]}" = 141 ]
}

# A test only where Debian's python3-numpy is there.
example() {
	/usr/bin/env python3 -c 'import numpy' 2>/dev/null && python=python3 || python=/usr/bin/python3
	"$python" -c 'import numpy' 2>/dev/null || skip "no numpy"
	PYTHONDONTWRITEBYTECODE=1 "$python" "$srcdir/examples/stream_example.py" "$@"
}

@test "a stream written by another program" {
	example write "$srcdir/examples/sample.conllu" --dim 5 >foreign
	run -0 hp-cat -n 2 foreign
	[ "${lines[1]}" = "  x F32 [10, 5]" ]
	grep -v '^$' "$srcdir/examples/sample.conllu" >lines # blank lines are no sentence's
	hp-cat --text foreign | cmp - lines
	says 0 embed hp-cat -k stage foreign
}

@test "a stream read by another program" {
	example read <stream >out
	[ "$(cat out)" = "n int32 (1,), text uint8 (5,)" ]
	head -c 176 stream >cut
	says 1 "...the stream was cut off" example read <cut
}

@test "embeddings from elsewhere go through the pipe" {
	make_models
	width=$(hp-embed "$srcdir/examples/sample.conllu" | hp-cat --csv -t x -n 2 | head -n 1 | tr ',' '\n' | wc -l)
	example write "$srcdir/examples/sample.conllu" --dim "$width" | hp-encode | hp-decode | hp-label >parsed
	mask parsed >got
	mask "$srcdir/examples/sample.conllu" | awk -F '\t' -v OFS='\t' 'NF == 10 && $1 ~ /^[0-9]+$/ { $9 = "_" } 1' >expected
	diff expected got
}

@test "--check compares checksums" {
	"$builddir/tests/make-model" m.safetensors
	says 0 "m.safetensors: undamaged, checksum $(hp-cat -k checksum m.safetensors)" hp-cat --check m.safetensors
	says 0 "<stdin>: undamaged, checksum ..." bash -c 'cat m.safetensors | hp-cat -C'
	LC_ALL=C sed 's/"task":"dep"/"task":"dap"/' m.safetensors >damaged
	run -1 hp-cat --check damaged m.safetensors
	[[ ${lines[0]} == "hp-cat: damaged: damaged: its contents come to the checksum "*", expected $(hp-cat -k checksum m.safetensors)" ]]
	[[ ${lines[1]} == "m.safetensors: undamaged, checksum "* ]]
	says 1 "hp-cat: model: no checksum: not written by hp-train, or by one that made none yet" hp-cat --check model
	says 1 "hp-cat: stream: no checksum: streams have none" hp-cat --check stream
}
