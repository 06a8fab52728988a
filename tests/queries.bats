#!/usr/bin/env bats
# examples/queries.sh: figures counted by hand in examples/sample.conllu, and small texts.
bats_require_minimum_version 1.5.0
load filters

setup() {
	enter
	sample=$srcdir/examples/sample.conllu
}

# queries ARGUMENTS...: with tabs shown as bars
queries() {
	sh "$srcdir/examples/queries.sh" "$@" | tr '\t' '|'
}

# row ID FORM LEMMA UPOS HEAD RELATION
row() {
	printf '%s\t%s\t%s\t%s\t_\t_\t%s\t%s\t_\t_\n' "$@"
}

@test "relations by frequency" {
	run -0 queries relations "$sample"
	[ "$(head -n 3 <<<"$output")" = $'14|punct\n12|nsubj\n12|root' ]
	[ "$(awk -F'|' '{ n += $1 } END { print n }' <<<"$output")" = 117 ]
	grep -qx '1|nsubj:pass' <<<"$output"
}

@test "verbs and subjects" {
	# Not: We are OK, the iPhone the first Phone, This is one.
	diff - <(queries subjects "$sample") <<'END'
2|have|nsubj|I
1|be|nsubj|demonstration
1|book|nsubj|you
1|get|nsubj|we
1|have|nsubj|S100
1|like|nsubj|Scott
1|marry|nsubj:pass|we
1|run|nsubj|Eurostar
1|wait|nsubj|you
END
}

@test "adjectives, of all nouns and of one" {
	[ "$(queries adjectives "$sample" | wc -l)" -eq 8 ]
	[ "$(queries adjectives=thing "$sample")" = "1|fantastic|thing" ]
	[ "$(queries adjectives=phone "$sample")" = $'1|first|phone\n1|smart|phone' ]
	[ -z "$(queries adjectives=thin "$sample")" ]
}

@test "order of verbs, subjects and objects" {
	# Before the verb: we we Scott Eurostar S100 you you I I; what.  Behind: demonstration; form screen flight lots nothing.
	[ "$(queries order "$sample")" = $'9|subject verb\n5|verb object\n1|object verb\n1|verb subject' ]
}

@test "a keyword in its tree" {
	diff - <(queries keyword=have "$sample") <<'END'
answers-20111108072305AAPJTjj_ans-0007|The S100|has|a slightly larger screen and|root|nsubj S100, obj screen, punct .
answers-20111108105022AA0Q5wb_ans-0005|I|have|lots of containers in there|root|nsubj I, obj lots, obl there, punct .
reviews-359014-0005|I|have|nothing but fantastic things to|root|nsubj I, obj nothing, punct .
END
	[ "$(queries keyword=Martin "$sample" | cut -d'|' -f2-)" = "Scott Neal and Tom|Martin|would like to attend as|flat of Tom|-" ]
}

@test "several files, multiword tokens, empty nodes, comments, line ends, no lemmas" {
	{
		echo '# sent_id = a'
		printf '1-2\tcan\x27t\t_\t_\t_\t_\t_\t_\t_\t_\n'
		row 1 cat _ NOUN 2 nsubj
		row 2 sat _ VERB 0 root
		row 2.1 mice _ NOUN _ _
	} >one # without a blank line at the end
	{
		echo "# text = nsubj	obj"
		row 1 cat _ _ 2 nsubj
		row 2 sat _ _ 0 root
		echo
		row 1 x '\d' VERB 0 root
		echo
	} | sed 's/$/\r/' >two
	[ "$(queries subjects one two)" = "2|sat|nsubj|cat" ]
	[ "$(cat two | queries subjects)" = "1|sat|nsubj|cat" ]
	[ "$(queries relations one two one)" = $'4|root\n3|nsubj' ]
	[ "$(queries keyword=sat one two)" = $'a|cat|sat||root|nsubj cat\n-|cat|sat||root|nsubj cat' ]
	[ "$(queries 'keyword=\d' two)" = '-||x||root|-' ]
	cp two x=y
	[ "$(queries subjects x=y - <one)" = "2|sat|nsubj|cat" ]
	hp-parse "$sample" | queries order >out
	grep -q '|subject verb$' out
}

@test "wrong usage" {
	for question in '' verbs keyword= keyword adjectives=; do
		run -2 sh "$srcdir/examples/queries.sh" "$question" "$sample"
		[[ $output == "usage: queries.sh relations|subjects|"* ]]
	done
	run -1 sh "$srcdir/examples/queries.sh" order "$sample" absent
	[ "$output" = "queries.sh: absent: cannot be read" ]
}
