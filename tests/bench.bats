#!/usr/bin/env bats
# What `make bench` puts together: each measurement runs and prints its numbers.

bats_require_minimum_version 1.5.0
load filters

setup() {
	enter
	bench=${builddir:-$PWD}/bench/bench
	"$bench" corpus --sentences=4 --length=5 >text.conllu
}

# numbers PATTERN: as many lines as were printed, each of that form (extended regular expression), no number 0.
numbers() {
	[ -n "$output" ]
	[ "$(grep -cxE "$1" <<<"$output")" -eq "${#lines[@]}" ]
	! grep -E '=0(\.0*)?( |$)' <<<"$output" || false
}

@test "operations of the processor and of the libraries" {
	for library in processor openblas ours; do
		run "$bench" peak $library --threads=2 --seconds=0.001
		numbers 'type=(f32|bf16|int8) how=[^ ]+ core=[0-9.]+ all=[0-9.]+'
	done
	run -0 "$bench" peak onednn --seconds=0.001
	[ -z "$output" ] || numbers 'type=(f32|bf16|int8) how=[^ ]+ core=[0-9.]+ all=[0-9.]+'
	says 2 "bench: peak: 'x' is unknown" "$bench" peak x
}

@test "training and parsing in memory" {
	for what in train parse 'parse --int8' 'parse --beam=2'; do
		# shellcheck disable=SC2086
		run -0 "$bench" $what text.conllu
		[[ $output == *' words=20 '*' batches=1 '* ]]
	done
}

@test "a pipeline, with a model of random numbers" {
	"$bench" model --output=model text.conllu
	run -0 "$bench" pipe --times=3 -- text.conllu hp-embed -m ./model , hp-encode -m ./model
	numbers 'seconds=[0-9.]+ fastest=[0-9.]+ times=3 faults=[0-9]+ kib.hp-embed=[0-9]+ kib.hp-encode=[0-9]+'
	run -0 "$bench" count text.conllu
	[[ $output == sentences=4\ words=20\ * ]]
}

@test "bench/run is a script that fails where nothing is built" {
	says 1 "bench: ./bench/bench is not built; make bench builds it" env -u builddir sh "$srcdir/bench/run"
}
