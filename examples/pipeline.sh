#!/bin/sh
# The pipeline spelled out: parses a file of CoNLL-U (default: the sentence below), keeps the encoder's stream, and
# decodes it twice, greedily and with a beam of ten.  Prints the words whose heads differ: id, form, head without and
# with the beam.  In most sentences none do.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# What is the same for both is done once.
if [ $# -gt 0 ]; then
	hp-embed "$1"
else
	echo 'The letter from the office about the rent of the flat on the hill arrived late because the post was slow .' |
		hp-embed --input=tokens
fi | hp-encode >"$folder/encoded"
hp-decode <"$folder/encoded" | hp-label >"$folder/greedy.conllu"
hp-decode -b 10 <"$folder/encoded" | hp-label >"$folder/beam.conllu"

paste "$folder/greedy.conllu" "$folder/beam.conllu" |
	awk -F '\t' '$1 ~ /^[0-9]+$/ { words++ } $1 ~ /^[0-9]+$/ && $7 != $17 { print $1 "\t" $2 "\t" $7 "\t" $17; differ++ }
		END { printf "%d of %d heads differ\n", differ, words }'
