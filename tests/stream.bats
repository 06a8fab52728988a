#!/usr/bin/env bats
# What the filters make of streams: cut off, foreign, wrong, of other models; and how they tell each other.
bats_require_minimum_version 1.5.0
load filters

setup_file() {
	make_models
}

setup() {
	enter
	make_good
	cat good.conllu good.conllu good.conllu >three.conllu
}

# The numbers of the tiny model: x has 13 columns, h 16, init 2 x 10, d 10.
foreign_x() { # foreign_x ROWS [META]: a stream with one sentence of zeros
	zeros $(($1 * 13 * 4)) >x.data
	cat good.conllu >text.data
	cat x.data text.data >data
	first_record "$2"
	record '{"x":{"dtype":"F32","shape":['"$1"',13],"data_offsets":[0,'$(($1 * 52))']},"text":{"dtype":"U8","shape":['"$(stat -c %s text.data)"'],"data_offsets":['$(($1 * 52))','"$(stat -c %s data)"']}}' data
	last_record 1
}

@test "each program of the pipe writes its tensors" {
	hp-embed good.conllu >embed
	hp-encode embed >encode
	hp-decode encode >decode
	grep -aq '"x":{"dtype":"F32","shape":\[4,13\]' <(tr -d ' ' <embed)
	grep -aq '"h":{"dtype":"F32","shape":\[4,16\]' <(tr -d ' ' <encode)
	grep -aq '"init":{"dtype":"F32","shape":\[2,10\]' <(tr -d ' ' <encode)
	run ! grep -aq '"x":' encode
	grep -aq '"d":{"dtype":"F32","shape":\[4,10\]' <(tr -d ' ' <decode)
	grep -aq '"logp":{"dtype":"F32","shape":\[4\]' <(tr -d ' ' <decode)
	grep -aq '"score":{"dtype":"F32","shape":\[\]' <(tr -d ' ' <decode)
	grep -aq '"heads":{"dtype":"I32","shape":\[4\]' <(tr -d ' ' <decode)
	# Every record is a multiple of 8 bytes.
	for file in embed encode decode; do
		[ $(($(stat -c %s $file) % 8)) -eq 0 ]
	done
}

@test "the stream names the model, and later stages find it by that" {
	unset HP_MODEL
	cp "$models/other.safetensors" here.safetensors
	hp-embed -m ./here.safetensors good.conllu >embed
	tr -d ' ' <embed | grep -aq "\"model_id\":\"tiny-2\""
	tr -d ' ' <embed | grep -aq "\"model_path\":\"$PWD/here.safetensors\""
	mkdir elsewhere
	cd elsewhere
	hp-encode <../embed | hp-decode | hp-label >out
	HP_MODEL=$models/other.safetensors pipe ../good.conllu | cmp - out
}

@test "a model with another id refuses" {
	hp-embed good.conllu >embed
	hp-encode embed >encode
	hp-decode encode >decode
	for stage in encode:embed decode:encode label:decode; do
		run -1 --separate-stderr "hp-${stage%:*}" -m "$models/other.safetensors" "${stage#*:}"
		# shellcheck disable=SC2154
		[ "$stderr" = "hp-${stage%:*}: ${stage#*:}: the stream was made with model tiny-1 ($models/tiny.safetensors), but this stage has model tiny-2 ($models/other.safetensors)" ]
		run -1 env HP_MODEL="$models/other.safetensors" "hp-${stage%:*}" "${stage#*:}"
	done
	# In the midst of a pipe: the one that refuses says so, nobody else.
	run -1 bash -c 'hp-encode -m "$models/other.safetensors" embed | hp-decode | hp-label'
	[ "${#lines[@]}" -eq 1 ]
	[[ ${lines[0]} == "hp-encode: embed: the stream was made"* ]]
}

@test "a model that was replaced meanwhile is noticed" {
	unset HP_MODEL
	cp "$models/tiny.safetensors" m.safetensors
	hp-embed -m ./m.safetensors good.conllu >embed
	cp "$models/other.safetensors" new && mv new m.safetensors
	says 1 "...the stream was made with model tiny-1 ($PWD/m.safetensors), but this stage has model tiny-2 ($PWD/m.safetensors)..." hp-encode embed
	rm m.safetensors
	says 1 "...hp-encode: $PWD/m.safetensors: No such file or directory..." hp-encode embed
}

@test "cut off anywhere, a stream is noticed by every stage, without pipefail" {
	hp-embed three.conllu >embed
	hp-encode embed >encode
	hp-decode encode >decode
	for stage in encode:embed decode:encode label:decode; do
		file=${stage#*:}
		size=$(stat -c %s "$file")
		for at in 0 1 7 8 20 $((size / 3)) $((size / 2)) $((size * 2 / 3)) $((size - 8)) $((size - 1)); do
			head -c "$at" "$file" >cut
			says 1 "hp-${stage%:*}: <stdin>..." bash -c "hp-${stage%:*} <cut >next"
			[ "${#lines[@]}" -eq 1 ]
			# And what this stage wrote is a complete stream that tells the next one.
			case ${stage%:*} in
			encode) run -1 bash -c 'hp-decode <next 2>&1 | hp-label' ;;
			decode) run -1 bash -c 'hp-label <next' ;;
			esac
			[[ ${stage%:*} == label || ${lines[-1]} == "hp-label: <stdin>: incomplete: hp-${stage%:*}: <stdin>"* ]]
		done
	done
}

@test "a first stage that was killed: sentences that came are written, the end of the pipe fails" {
	run -1 bash -c '(cat good.conllu; sleep 5) | (hp-embed & sleep 0.5; kill -9 $!; wait) 2>/dev/null | hp-encode | hp-decode | hp-label 2>err'
	mask good.conllu | diff - <(mask <(printf '%s\n\n' "$(grep -v '^hp-' <<<"$output")"))
	grep -q '^hp-encode: <stdin>: .*cut off after 1 sentence' <<<"$output"
	[ "$(grep -c '^hp-' <<<"$output")" -eq 1 ]
	grep -q '^hp-label: <stdin>: incomplete: hp-encode: ' err
}

@test "an upstream's error is passed on by all, said by the first, and by the end where that is another place or time" {
	{ cat good.conllu; w 2 x; echo; } >in
	run -1 bash -c 'hp-embed in | hp-encode | hp-decode | hp-label >out'
	[ "${#lines[@]}" -eq 1 ]
	message=$output
	[[ $message == "hp-embed: in:6: "* ]]
	mask good.conllu | diff - <(mask out)
	# Who does not see what the first says.
	says 1 "hp-label: <stdin>: incomplete: $message" bash -c 'hp-embed in 2>/dev/null | hp-encode | hp-decode | hp-label >out'
	# A stream that was kept is read at another time: said although it goes to the same place.
	says 1 "$message" bash -c 'hp-embed in >embed; hp-encode embed >encode'
	run -1 bash -c 'hp-embed in >embed; hp-encode embed >encode; hp-decode --text encode >out'
	[ "$output" = "$message
hp-decode: encode: incomplete: $message" ]
	run -1 bash -c 'hp-embed in >embed; hp-encode embed | hp-decode >decode; hp-label <decode >out'
	[ "$output" = "$message
hp-label: <stdin>: incomplete: $message" ]
	says 1 "hp-label: <stdin>: incomplete: $message" bash -c 'cat decode | hp-label >out'
}

@test "the error at a stream's end is said without the characters that a terminal obeys" {
	{
		first_record
		record '{"__metadata__":{"end":"1","sentences":"0","error":"hp-embed: in:6: \u001b[31m\u202eword"}}'
	} >ended
	error='hp-embed: in:6: \x1B[31m\xE2\x80\xAEword'
	says 1 "hp-label: <stdin>: incomplete: $error" bash -c 'hp-encode ended | hp-decode | hp-label >out'
	says 1 "hp-label: ended: incomplete: $error" hp-label ended
	run -1 --separate-stderr hp-cat ended
	[ "$stderr" = "hp-cat: ended: record 2: ended early: $error" ]
	[[ $output == *"error = $error"* ]]
}

@test "what is no stream" {
	cp good.conllu text
	: >empty
	zeros 100 >zeros
	printf '\xff\xff\xff\xff\xff\xff\xff\x7f{}' >long
	printf '\x00\xe1\xf5\x05\x00\x00\x00\x00' >hundred
	printf '\x01\xe1\xf5\x05\x00\x00\x00\x00{' >over
	record '{"a":1' >json
	record '{"__metadata__":{"hp_stream":"2"}}' >version
	record '{"__metadata__":{"format":"pt"}}' >other
	for file in text empty zeros long hundred over json version other "$models/tiny.safetensors"; do
		for stage in encode decode label; do
			says 1 "hp-$stage: $file..." bash -c "hp-$stage '$file' >/dev/null"
			[ "${#lines[@]}" -eq 1 ]
		done
	done
}

@test "stages in the wrong order" {
	hp-embed good.conllu >embed
	hp-encode embed >encode
	hp-decode encode >decode
	says 1 'hp-decode: embed: sentence 1: a record without `h`: expected the output of hp-encode' bash -c 'hp-decode embed >/dev/null'
	says 1 'hp-label: embed: sentence 1: a record without `h`: expected the output of hp-encode' bash -c 'hp-label embed'
	says 1 'hp-label: encode: sentence 1: a record without `heads`: expected the output of hp-decode' bash -c 'hp-label encode'
	says 1 'hp-encode: encode: sentence 1: a record without `x`: expected the output of hp-embed' bash -c 'hp-encode encode >/dev/null'
	run -1 --separate-stderr bash -c 'hp-embed good.conllu | hp-label'
}

@test "a stream for another task is refused" {
	{ first_record '"task":"rst"'; last_record 0; } >rst
	says 1 "hp-encode: rst: a stream for the task 'rst', but model tiny-1 (...) is for the task 'dep'" bash -c 'hp-encode rst >/dev/null'
	{ first_record '"task":"chess"'; last_record 0; } >chess
	says 1 "hp-encode: chess: a stream for the task 'chess', expected dep or rst" bash -c 'hp-encode chess >/dev/null'
}

@test "a foreign stream without an id fits any model of its width" {
	foreign_x 4 >foreign
	for model in tiny other; do
		HP_MODEL=$models/$model.safetensors bash -c 'set -o pipefail; hp-encode foreign | hp-decode | hp-label' >"out.$model"
		mask "out.$model" | diff - <(mask good.conllu)
		check_trees "out.$model"
	done
	# hp-encode names its model from there on: another one is refused later.
	hp-encode foreign >encode
	run -1 hp-decode -m "$models/other.safetensors" encode
	# Another width is refused.
	sed 's/\[4,13\]/[2,26]/' foreign >wide
	says 1 'hp-encode: wide: sentence 1: `x` is [2 x 26], expected [2 x 13]' bash -c 'hp-encode wide >/dev/null'
}

@test "foreign x as F16 and F64 are floats too" {
	zeros 104 >data
	cat good.conllu >>data
	size=$(stat -c %s data)
	{ first_record; record '{"x":{"dtype":"F16","shape":[4,13],"data_offsets":[0,104]},"text":{"dtype":"U8","shape":['$((size - 104))'],"data_offsets":[104,'"$size"']}}' data; last_record 1; } >half
	foreign_x 4 >full
	hp-encode half | hp-decode | hp-label >out
	hp-encode full | hp-decode | hp-label | cmp - out
}

@test "unknown tensors and metadata are passed on" {
	zeros 208 >data
	printf 'abcd' >>data
	cat good.conllu >>data
	size=$(stat -c %s data)
	{ first_record '"author":"me"'
		record '{"__metadata__":{"note":"mine"},"x":{"dtype":"F32","shape":[4,13],"data_offsets":[0,208]},"extra":{"dtype":"U8","shape":[4],"data_offsets":[208,212]},"text":{"dtype":"U8","shape":['$((size - 212))'],"data_offsets":[212,'"$size"']}}' data
		last_record 1; } >foreign
	hp-encode foreign | hp-decode >decode
	tr -d ' ' <decode | grep -aq '"author":"me"'
	tr -d ' ' <decode | grep -aq '"note":"mine"'
	tr -d ' ' <decode | grep -aq '"extra":{"dtype":"U8","shape":\[4\]'
	grep -aq abcd decode
	hp-label decode | check_trees /dev/stdin
}

@test "one stream after another" {
	hp-embed good.conllu >a
	hp-embed three.conllu >b
	cat good.conllu three.conllu >all
	cat a b | hp-encode | hp-decode | hp-label >out
	pipe all | cmp - out
	hp-encode a b | hp-decode | hp-label | cmp - out
	# Of two models, each with its own.
	unset HP_MODEL
	hp-embed -m "$models/other.safetensors" good.conllu >c
	cat a c | hp-encode | hp-decode | hp-label >out
	{ HP_MODEL=$models/tiny.safetensors pipe good.conllu; HP_MODEL=$models/other.safetensors pipe good.conllu; } | cmp - out
	# Junk between them.
	{ cat a; echo junk; cat b; } >junk
	run -1 bash -c 'hp-encode junk | hp-decode | hp-label'
}

@test "values and shapes that make no sense" {
	rows() { # rows HEADS LOGP: a record as after hp-decode; HEADS and LOGP as printf formats
		{ zeros $((4 * 16 * 4)); zeros 160; printf "$2"; printf "$1"; cat good.conllu; } >data
		size=$(stat -c %s data)
		first_record
		record '{"h":{"dtype":"F32","shape":[4,16],"data_offsets":[0,256]},"d":{"dtype":"F32","shape":[4,10],"data_offsets":[256,416]},"logp":{"dtype":"F32","shape":[4],"data_offsets":[416,432]},"heads":{"dtype":"I32","shape":[4],"data_offsets":[432,448]},"text":{"dtype":"U8","shape":['$((size - 448))'],"data_offsets":[448,'"$size"']}}' data
		last_record 1
	}
	zero='\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	rows '\0\0\0\0\2\0\0\0\0\0\0\0\2\0\0\0' "$zero" >ok
	hp-label --scores ok >out
	check_trees out
	[ "$(grep -c 'ArcProb=1.0000' out)" -eq 3 ]
	# Nothing is known of the whole tree.
	run ! grep '^# score' out
	rows '\0\0\0\0\2\0\0\0\3\0\0\0\2\0\0\0' "$zero" >bad
	says 1 'hp-label: bad: sentence 1: `heads` is no tree: expected one child of the root' hp-label bad
	rows '\0\0\0\0\2\0\0\0\1\0\0\0\0\0\0\0' "$zero" >bad
	says 1 'hp-label: bad: sentence 1: `heads` is no tree: it has a cycle' hp-label bad
	for far in '\4\0\0\0' '\377\377\377\377' '\0\0\0\200'; do
		rows '\0\0\0\0\2\0\0\0\0\0\0\0'"$far" "$zero" >bad
		says 1 'hp-label: bad: sentence 1: `heads` has a head beyond the sentence' hp-label bad
	done
	rows '\1\0\0\0\2\0\0\0\0\0\0\0\2\0\0\0' "$zero" >bad
	run -1 hp-label bad
	# NaN, infinity, 1e38.
	for absurd in '\0\0\300\177' '\0\0\200\377' '\231\166\226\176'; do
		rows '\0\0\0\0\2\0\0\0\0\0\0\0\2\0\0\0' "$absurd"'\0\0\0\0\0\0\0\0\0\0\0\0' >bad
		says 1 'hp-label: bad: sentence 1: `logp` holds a value that is not finite or beyond 1e+09' hp-label --scores bad
	done
	scored() { # scored SHAPE BYTES: a record as after hp-decode with a score
		{ zeros $((4 * 16 * 4)); zeros 160; printf "$2"; printf '\0\0\0\0\2\0\0\0\0\0\0\0\2\0\0\0'; echo '# score = 1'; cat good.conllu; } >data
		size=$(stat -c %s data) at=$((416 + $(printf "$2" | wc -c)))
		first_record
		record '{"h":{"dtype":"F32","shape":[4,16],"data_offsets":[0,256]},"d":{"dtype":"F32","shape":[4,10],"data_offsets":[256,416]},"score":{"dtype":"F32","shape":'"$1"',"data_offsets":[416,'$at']},"heads":{"dtype":"I32","shape":[4],"data_offsets":['$at,$((at + 16))']},"text":{"dtype":"U8","shape":['$((size - at - 16))'],"data_offsets":['$((at + 16))','"$size"']}}' data
		last_record 1
	}
	scored '[]' '\0\200\220\301' >ok # -18.0625
	hp-label --scores ok >out
	[ "$(grep '^# score' out)" = '# score = -18.0625' ]
	run ! grep -q ArcProb out
	scored '[1]' '\0\200\220\301' >bad
	says 1 'hp-label: bad: sentence 1: `score` is [1], expected []' hp-label --scores bad
	hp-label bad >/dev/null
	for absurd in '\0\0\300\177' '\0\0\200\377' '\231\166\226\176'; do
		scored '[]' "$absurd" >bad
		says 1 'hp-label: bad: sentence 1: `score` holds a value that is not finite or beyond 1e+09' hp-label --scores bad
	done
	# Rows and text that disagree.
	foreign_x 5 >five
	says 1 '...`text` has 3 words, the other tensors have 4' bash -c 'hp-encode five | hp-decode | hp-label'
	foreign_x 1 >one
	says 1 'hp-encode: one: sentence 1: `x` has 1 rows, expected the root and 1 to 1000000 words' bash -c 'hp-encode one >/dev/null'
	foreign_x 0 >none
	run -1 bash -c 'hp-encode none >/dev/null'
	foreign_x 4 | sed 's/"F32"/"I32"/' >ints
	says 1 'hp-encode: ints: sentence 1: `x` is I32, expected F32' bash -c 'hp-encode ints >/dev/null'
	foreign_x 4 | sed 's/\[4,13\]/[52]  /' >flat
	says 1 'hp-encode: flat: sentence 1: `x` is [52], expected [any x any]' bash -c 'hp-encode flat >/dev/null'
}

@test "a record of mere text that has words is no parse" {
	size=$(stat -c %s good.conllu)
	{ first_record; record '{"text":{"dtype":"U8","shape":['"$size"'],"data_offsets":[0,'"$size"']}}' good.conllu; last_record 1; } >mere
	says 1 'hp-label: <stdin>: sentence 1: `text` has 3 words, but the record has no other tensor' bash -c 'hp-encode mere | hp-decode | hp-label'
}

@test "the reader goes away" {
	for i in $(seq 300); do cat three.conllu; done >long.conllu
	for last in 'hp-embed long.conllu' 'hp-embed long.conllu | hp-encode' 'hp-embed long.conllu | hp-encode | hp-decode' \
		'hp-embed long.conllu | hp-encode | hp-decode | hp-label'; do
		run --separate-stderr timeout 20 bash -c "$last | head -c 100 >/dev/null"
		[ "$status" -eq 0 ]
		[ -z "$stderr" ]
		# Also where the parent ignores SIGPIPE.
		run --separate-stderr timeout 20 bash -c "trap '' PIPE; $last | head -c 100 >/dev/null"
		[ "$status" -eq 0 ]
		[ -z "$stderr" ]
	done
}

@test "weights too large: refused when they are read, or what they come to" {
	export HP_MODEL=./huge.safetensors
	huge() { # huge OPTION...: what the pipe says of a model that is made so
		"$make_model" "$@" huge.safetensors
		run -1 bash -o pipefail -c 'hp-embed good.conllu | hp-encode | hp-decode | hp-label'
		[ "${#lines[@]}" -eq 1 ]
	}
	beyond='that is not finite or beyond 1e+09'
	huge -w embed.word=3e38
	[[ $output == 'hp-embed: '*'/huge.safetensors: tensor `embed.word`, row 1: a value '"$beyond" ]]
	for name in embed.pos charcnn.w encoder.0.fwd.w_ih bridge.w fusion.w_p pointer.w label.w; do
		huge -w $name=1e12
		[[ $output == 'hp-'*'/huge.safetensors: tensor `'$name'` holds a value '"$beyond" ]]
	done
	huge -w bridge.w=1e9 -w encoder.1.fwd.w_ih=1e9 -w encoder.1.bwd.w_ih=1e9 -w bridge.b=1e9
	[[ $output == *": sentence 1: \`"*"\` comes to a value $beyond" ]]
	huge -w pointer.w=1e9 -w pointer.g1.w=1e9 -w pointer.g2.w=1e9
	[[ $output == 'hp-decode: <stdin>: sentence 1: `logp` comes to a value '"$beyond" ]]
	huge -w label.w=1e9 -w label.g1.w=1e9 -w label.g2.w=1e9
	[[ $output == "hp-label: <stdin>: sentence 1: the log-probability of a label comes to a value $beyond" ]]
	says 1 "...the log-probability of a label comes to a value $beyond" bash -c 'hp-embed good.conllu | hp-encode | hp-decode | hp-label --scores'
	# Streams may hold 1e9: what comes of it is refused by the stage where it does.
	"$make_model" -w pointer.w=1e9 -w pointer.g1.w=1e9 -w pointer.g2.w=1e9 huge.safetensors
	says 1 "hp-decode: <stdin>: sentence 1: \`logp\` comes to a value $beyond" bash -c 'hp-embed good.conllu | hp-encode | hp-decode --text'
}

@test "a full disk is said once, with status 1" {
	hp-embed good.conllu >embed
	hp-encode embed >encode
	hp-decode encode >decode
	for command in 'hp-embed good.conllu' 'hp-encode embed' 'hp-decode encode' 'hp-decode --text encode' 'hp-label decode'; do
		says 1 "${command%% *}: ...No space left on device" bash -c "$command >/dev/full"
		[ "${#lines[@]}" -eq 1 ]
	done
}

@test "no binary stream on a terminal" {
	script -qec true /dev/null || skip "no script(1), or no pseudo-terminals"
	hp-embed good.conllu >embed
	hp-encode embed >encode
	says 1 "hp-embed: <stdout>: a binary stream is never written to a terminal..." script -qec 'hp-embed good.conllu' /dev/null
	says 1 "hp-encode: <stdout>: a binary stream is never written to a terminal..." script -qec 'hp-encode embed' /dev/null
	# hp-decode writes text then.
	script -qec 'hp-decode encode' /dev/null | tr -d '\r' >out
	hp-decode --text encode | cmp - out
}

@test "embeddings from elsewhere get the trees and labels of the reference" {
	for fixture in "$srcdir"/tests/data/conformance/dep-*.safetensors; do
		rm -rf made
		mkdir made
		"${builddir:-.}/tests/fixture-pipe" "$fixture" made
		[ "$(grep -c '^$' made/beam1)" -ge 5 ]
		for beam in 1 4; do
			hp-encode -m ./made/model.safetensors made/stream | HP_MODEL='' hp-decode -b $beam | HP_MODEL='' hp-label >out
			awk -F '\t' 'NF == 10 { print $1, $7, $8; next } { print }' out | diff made/beam$beam -
		done
	done
}
