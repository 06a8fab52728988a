#!/usr/bin/env bats
# The same sentences in the formats of the CoNLL family: every program reads them all and the parser writes them as they came.
bats_require_minimum_version 1.5.0
load filters

setup_file() {
	make_models
}

setup() {
	enter
	train=$srcdir/examples/train/train.conllu
	ten=$srcdir/examples/sample.conllu
}

# Each from CoNLL-U: rows of words only, the same words, tags and trees.
words() {
	grep -Ev "^([0-9]+[-.]|#)" "$1"
}

eight() {
	words "$1" | cut -f 1-8
}

# Every second sentence has a predicate, and so one column more.
of_2009() {
	words "$1" | awk -F '\t' -v OFS='\t' '!NF { odd = !odd; print; next }
		{ print $1, $2, $3, $3, $5, $5, $6, "_", $7, $7, $8, $8, "_", "_" (odd ? OFS "_" : "") }'
}

plus() {
	echo "# global.columns = MISC FORM OWN:X HEAD ID XPOS UPOS DEPREL FEATS LEMMA"
	awk -F '\t' -v OFS='\t' 'NF == 10 { $0 = $10 OFS $2 OFS "x" OFS $7 OFS $1 OFS $5 OFS $4 OFS $8 OFS $6 OFS $3 } 1' "$1"
}

# trees FILE: ID FORM HEAD DEPREL of the words in a notation.
trees() {
	case $2 in
	eight | ten) words "$1" | cut -f 1,2,7,8 ;;
	of_2009) cut -f 1,2,9,11 "$1" ;;
	plus) grep -Ev "^#" "$1" | awk -F '\t' -v OFS='\t' '!NF { print } $5 ~ /^[0-9]+$/ { print $5, $2, $4, $8 }' ;;
	esac
}

# Everything but the tree.
rest() {
	case $2 in
	eight) cut -f 1-6 "$1" ;;
	of_2009) cut -f 1-8,13- "$1" ;;
	plus) awk -F '\t' -v OFS='\t' '$5 ~ /^[0-9]+$/ { $4 = $8 = "" } 1' "$1" ;;
	esac
}

@test "parsed as CoNLL-U, written as they came" {
	pipe "$ten" >parsed.ten
	trees parsed.ten ten >want
	for format in eight of_2009 plus; do
		$format "$ten" >in
		pipe in >out 2>messages
		# The tags of CoNLL-2009 are XPOS, which this model has never seen: it says so, and parses another text.
		[ "$(wc -l <messages)" -eq $([ $format = of_2009 ] && echo 1 || echo 0) ]
		[ $format = of_2009 ] || trees out $format | cmp want -
		trees out $format | cut -f 1,2 | cmp - <(cut -f 1,2 want)
		diff <(rest in $format) <(rest out $format)
		hp-embed in | hp-encode | hp-decode --text >text
		diff <(rest in $format) <(rest text $format)
		[ "$(trees text $format | cut -sf 4 | sort -u)" = _ ]
	done
	of_2009 "$ten" >in
	pipe in >out
	cmp <(cut -f 9,11 out) <(cut -f 10,12 out)
}

@test "several files and formats in one stream, cut anywhere" {
	plus "$ten" >a
	eight "$ten" >b
	of_2009 "$ten" >c
	for f in a b c; do
		pipe $f
	done >want
	cat <(hp-embed a) <(hp-embed b) <(hp-embed c) | hp-encode | hp-decode | hp-label | cmp want -
	{ cat b; sleep 0.3; cat a; } >d # one file, the columns named on the way
	{ head -n 20 a; sleep 0.3; tail -n +21 a; } | pipe | cmp <(pipe a) -
	pipe d | cmp <(pipe b; pipe a) -
	# More sentences than a batch has.
	{ head -n 1 a; for _ in $(seq 20); do tail -n +2 a; done; } >many
	pipe many >out
	[ "$(grep -c '^# sent_id' out)" -eq 240 ]
	head -n "$(wc -l <a)" out | cmp <(pipe a) -
}

# Nobody could read the output as one text.
@test "files of other columns than those before are refused, unless they name them" {
	cp "$ten" a
	eight "$ten" >b
	of_2009 "$ten" >c
	plus "$ten" >d
	pipe a a d d >out
	cmp out <(pipe a; pipe a; pipe d; pipe d)
	pipe out >again
	cmp <(trees again plus) <(trees out plus)
	for pair in "a b 8 10" "b a 10 8" "a c 13 10" "d a 10 10" "d b 8 10"; do
		read -r one two now before <<<"$pair"
		for keep in "" -k; do
			run -1 --separate-stderr pipe $keep $one $two
			[ "$stderr" = "hp-embed: $two:1: other columns ($now) than in the files before ($before), expected files of one format" ]
			cmp <(printf '%s\n\n' "$output") <(pipe $one)
		done
	done
}

@test "columns that change are refused with their line" {
	{ eight "$ten" | head -n 9; echo; cat "$ten"; } >in
	says 1 "hp-embed: in:...: 10 columns, expected 8 separated by tabs" messages pipe in
	{ plus "$ten"; cat "$ten"; } >in
	run -1 --separate-stderr pipe in
	[[ $stderr == "hp-embed: in:"*": 10 columns, expected"* || $stderr == "hp-embed: in:"*": bad ID"* ]]
	{ printf '# global.columns = ID FORM HEAD DEPREL\n1\ta\t_\t_\n\n'; cat "$ten"; } >in
	says 1 'hp-embed: in:...: 10 columns, expected the 4 of "# global.columns" in line 1, separated by tabs' messages pipe in
}

@test "without HEAD or DEPREL there is nowhere to write" {
	printf '# global.columns = ID FORM DEPREL\n1\ta\t_\n\n1\tb\t_\n\n' >in
	says 1 "hp-embed: in:1: no column HEAD, expected HEAD and DEPREL" messages pipe in
	run -1 --separate-stderr pipe -k in
	[ "$output" = "$(cat in)" ]
	says 1 "hp-eval: in:1: no column HEAD, expected HEAD and DEPREL" hp-eval in in
	printf '# global.columns = ID FORM HEAD\n1\ta\t0\n\n' >in
	says 1 "hp-train: in:1: no column DEPREL, expected HEAD and DEPREL" hp-train -q --train in --dev in -o m.safetensors
	eight "$ten" >in
	says 1 "...: a text without a column MISC, into which --scores could write" bash -c 'hp-embed in | hp-encode | hp-decode | hp-label --scores'
	plus "$ten" >in
	hp-embed in | hp-encode | hp-decode | hp-label --scores >out
	[ "$(grep -c ArcProb= out)" -eq "$(grep -c '	x	' in)" ]
}

@test "a stream whose columns are wrong" {
	text=$'1\ta\n'
	printf %s "$text" >data
	for names in '"ID"' '"ID FORM HEAD DEPREL"'; do
		{
			first_record '"model_id":"x"'
			record '{"__metadata__":{"columns":'"$names"'},"text":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}' data
			last_record 1
		} >stream
		run -1 --separate-stderr hp-label -m "$models/tiny.safetensors" stream
		[ -z "$output" ]
		[[ $stderr == "hp-label: stream: "* ]]
	done
}

@test "scored across notations" {
	hp-eval "$ten" "$ten" >want
	for format in eight of_2009 plus; do
		$format "$ten" >in
		hp-eval "$ten" in | cmp want -
		hp-eval in "$ten" | cmp want -
		hp-eval --conll "$ten" in | grep -Eq '^LAS +\| +100.00'
		hp-eval --by=relation in "$ten" | cmp - <(hp-eval --by=relation "$ten" "$ten")
	done
	# Multiword tokens of a notation whose first column is not ID.
	plus "$ten" >in
	hp-eval --conll "$ten" in | cmp - <(hp-eval --conll "$ten" "$ten")
}

@test "trained on" {
	small() {
		hp-train -q --hyper "$srcdir/examples/train/small.csv" --set hidden=16 --set decoder_hidden=16 --set layers=1 \
			--set decoder_input=16 --set arc_mlp=16 --set label_mlp=8 --set word_dim=16 --set char_filters=8 -e 1 --set auxiliary_tags=0 \
			--pos=xpos --train "$1" --dev "$1" -o "$2"
	}
	same() { # but for the hash of the text
		hp-cat - <"$1" | grep -v '_id\|train.data\|checksum'
		hp-cat --csv -t embed.word "$1" | tail -n 3
	}
	awk -v RS= -v ORS='\n\n' 'NR <= 20' "$train" >t
	words t | cat -s >ten
	small ten ten.safetensors
	for format in eight of_2009 plus; do
		$format ten >in
		small in $format.safetensors
		diff <(same ten.safetensors) <(same $format.safetensors)
	done
}

@test "EDUs and sentences" {
	printf '1\ta\t_\tX\t_\t_\t_\t_\t_\tSeg=B-seg\n2-3\tbc\t_\t_\t_\t_\t_\t_\t_\tSeg=B-seg\n2\tb\t_\tX\t_\t_\t_\t_\t_\t_\n' >edus
	printf '3\tc\t_\tX\t_\t_\t_\t_\t_\t_\n4\td\t_\tX\t_\t_\t_\t_\t_\tDiscourse=x\n\n' >>edus
	plus edus >plus
	printf '# global.columns = MISC ID FORM\n' >few
	awk -F '\t' -v OFS='\t' 'NF { $0 = $10 OFS $1 OFS $2 } 1' edus >>few
	"$make_model" -r rst.safetensors
	for file in plus few; do
		hp-embed -m ./rst.safetensors -i conllu $file | hp-cat --csv -t ends | cmp - <(hp-embed -m ./rst.safetensors -i conllu edus | hp-cat --csv -t ends)
	done
	for file in edus plus few; do
		says 1 "hp-embed: $file:...columns, expected an EDU a line: CoNLL-U... --input=conllu" messages hp-embed -m ./rst.safetensors $file
	done
	echo '( Root (span 1 2) ( Nucleus (leaf 1) (rel2par span) (text _!a!_) ) ( Satellite (leaf 2) (rel2par x) (text _!bc d!_) ) )' |
		sed 's/!_/_!/g' >doc.dis
	for file in edus plus few; do
		rst-extract -l none -s $file doc.dis >$file.dis
		[ -s $file.dis ]
		cmp edus.dis $file.dis
	done
}
