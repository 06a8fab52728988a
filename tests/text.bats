#!/usr/bin/env bats
# CoNLL-U in all the shapes that people trip over, through the whole pipe.
bats_require_minimum_version 1.5.0
load filters

setup_file() {
	make_models
}

setup() {
	enter
	make_good
}

@test "a sentence keeps its bytes" {
	{ echo "# text = She reads a book."; w 1 She PRON; w 2 reads VERB; w 3 a DET; w 4 book NOUN _ _ _ SpaceAfter=No; w 5 . PUNCT; echo; } >in
	kept in
}

@test "multiword lines" {
	{ w 1 du; printf '2-3\tdont\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n'; w 2 do; w 3 nt; w 4 .; echo; } >in
	kept in
}

@test "empty nodes, also inside a multiword token, also with HEAD" {
	{ printf '0.1\tnull\t_\t_\t_\t_\t_\t_\t1:dep\t_\n'; printf '1-2\tau\t_\t_\t_\t_\t_\t_\t_\t_\n'; w 1 a
		printf '1.1\tx\t_\t_\t_\t_\t_\t_\t2:dep\t_\n'; w 2 le; printf '2.1\ty\t_\tNOUN\t_\t_\t_\tdep\t_\tA=b\n'
		printf '2.2\tz\t_\tNOUN\t_\t_\t1\tdep\t_\tA=b\n'; w 3 .; echo; } >in
	kept in
}

@test "comments, a bare # and a token that is #" {
	{ echo "#"; echo "# a"; echo "#b = c"; w 1 '#'; w 2 '# x'; echo; } >in
	kept in
}

@test "comments between the words" {
	{ w 1 The; echo "# here"; w 2 dog; echo; } >in
	kept in
}

@test "spaces inside FORM and MISC" {
	{ w 1 "New York" PROPN _ _ _ "Gloss=two words|B=c d"; w 2 "5 000" NUM; echo; } >in
	kept in
}

@test "U+2028, U+0085 and a form feed in a token end no line" {
	{ w 1 $'a\xe2\x80\xa8b'; w 2 $'c\xc2\x85d'; w 3 $'e\x0cf'; echo; } >in
	kept in
}

@test "CRLF becomes LF" {
	{ w 1 The; w 2 dog; echo; } >want
	sed 's/$/\r/' want >in
	passes in want
}

@test "a byte-order mark at the start, and in the middle where two files were joined" {
	{ cat good.conllu good.conllu; } >want
	{ printf '\xef\xbb\xbf'; cat good.conllu; printf '\xef\xbb\xbf'; cat good.conllu; } >in
	passes in want
}

@test "combining marks are not normalised" {
	{ w 1 $'cafe\xcc\x81'; w 2 $'caf\xc3\xa9'; echo; } >in
	kept in
}

@test "several blank lines, at the start, between and at the end" {
	{ echo; echo; cat good.conllu; echo; echo; cat good.conllu; echo; echo; } >in
	cat good.conllu good.conllu >want
	passes in want
}

@test "no blank line, and no newline, at the end" {
	head -n -1 good.conllu >in
	passes in good.conllu
	printf %s "$(cat in)" >in2
	passes in2 good.conllu
}

@test "a line of one tab is not blank" {
	{ w 1 The; echo "$TAB"; w 1 dog; echo; } >in
	refused_at 2 ".*column"
}

@test "no blank line between sentences" {
	{ w 1 The; w 2 dog; w 1 She; w 2 barks; echo; } >in
	refused_at 3 ".*ID"
}

@test "spaces for tabs" {
	{ w 1 The; w 2 dog | tr '\t' ' '; echo; } >in
	refused_at 2 ".*column"
}

@test "nine columns, eleven columns" {
	{ w 1 The | cut -f 1-9; echo; } >in
	refused_at 1 ".*column"
	{ w 1 The | sed "s/\$/${TAB}x/"; echo; } >in
	refused_at 1 ".*column"
}

@test "an empty FORM" {
	{ w 1 The; w 2 ''; echo; } >in
	# shellcheck disable=SC2016
	sed -i 's/^2\t[^\t]*/2\t/' in
	refused_at 2 ".*FORM"
}

@test "bytes that are not UTF-8" {
	{ w 1 The; w 2 $'d\xffg'; echo; } >in
	refused_at 2 ".*UTF-8"
}

@test "bad order of IDs" {
	{ w 1 The; w 3 dog; echo; } >in
	refused_at 2 ".*ID"
	{ w 0 The; echo; } >in
	refused_at 1 ".*ID"
	{ w x The; echo; } >in
	refused_at 1 ".*ID"
}

@test "a block of comments without words passes" {
	{ cat good.conllu; echo "# text ="; echo "# nothing"; echo; cat good.conllu; } >in
	kept in
}

@test "an empty input, and one of blank lines" {
	: >in
	pipe in >out
	[ ! -s out ]
	printf '\n\n\r\n' >in
	pipe in >out
	[ ! -s out ]
}

@test "a one-word sentence" {
	{ w 1 Yes; echo; } >in
	kept in
	grep -q "^1${TAB}Yes.*${TAB}0${TAB}root${TAB}" out
}

@test "HEAD, DEPREL and DEPS are not looked at" {
	{ w 1 The DET; w 2 dog NOUN; w 3 barks VERB; w 4 . PUNCT; echo; } >in
	pipe in >blank
	# A tree, cycles, several roots, no root, a head past the end, words for numbers: all give the same.
	for heads in "2 3 0 3" "2 1 4 3" "0 0 0 0" "1 2 3 4" "9 99 -1 x"; do
		# shellcheck disable=SC2086
		set -- $heads
		{ w 1 The DET "$1" det "$1:det"; w 2 dog NOUN "$2" nsubj 3:nsubj; w 3 barks VERB "$3" root 0:root
			w 4 . PUNCT "$4" "" "5.1:x|3:y"; echo; } >gold
		pipe gold >out
		cmp blank out
	done
}

@test "a UPOS of _, unseen tags, words and characters" {
	{ w 1 Zyzzyva _; w 2 $'\xe6\xbc\xa2\xe5\xad\x97' UNSEEN; w 3 $'\xf0\x9f\x98\x80' _; echo; } >in
	kept in
}

@test "words that are called like reserved entries of the vocabularies" {
	{ w 1 '<root>' '<root>'; w 2 '<unk>' '<unk>'; w 3 _ _; echo; } >in
	kept in
	# They are unknown ones: a tag called <root> does what an unseen one does.
	{ w 1 The '<root>'; w 2 dog '<unk>'; echo; } | hp-embed | hp-cat -t x --csv >a
	{ w 1 The QQ; w 2 dog _; echo; } | hp-embed | hp-cat -t x --csv >b
	cmp a b
}

@test "a dash in MISC" {
	{ w 1 The DET _ _ _ -; echo; } >in
	kept in
}

@test "CoNLL-X: the last two columns become _" {
	printf '1\tThe\tthe\tD\tDT\t_\t2\tdet\t2\tdet\n2\tdog\tdog\tN\tNN\t_\t0\troot\t0\troot\n\n' >in
	printf '1\tThe\tthe\tD\tDT\t_\tH\tL\t_\t_\n2\tdog\tdog\tN\tNN\t_\tH\tL\t_\t_\n\n' >want
	passes in want
}

@test "--scores adds probabilities to MISC and replaces old ones" {
	{ w 1 The DET _ _ _ SpaceAfter=No; w 2 dog NOUN _ _ _ "ArcProb=0.1|X=y|LabelProb=0.2"; echo; } >in
	hp-embed in | hp-encode | hp-decode | hp-label --scores >out
	grep -Eq "^1${TAB}.*${TAB}SpaceAfter=No\|ArcProb=[01]\.[0-9]{4}\|LabelProb=[01]\.[0-9]{4}$" out
	grep -Eq "^2${TAB}.*${TAB}X=y\|ArcProb=[01]\.[0-9]{4}\|LabelProb=[01]\.[0-9]{4}$" out
	# Without them the same trees.
	pipe in | cut -f 1-8 | diff - <(grep -v '^# score' out | cut -f 1-8)
	# hp-decode alone knows the arcs.
	hp-embed in | hp-encode | hp-decode --text --scores >text
	diff <(grep -o 'ArcProb=[0-9.]*' out) <(grep -o 'ArcProb=[0-9.]*' text)
	says 1 0 grep -c LabelProb text
}

@test "--scores puts the tree's score into the last comment and replaces old ones" {
	{ printf '# score = 1\n# text = Yes No\n#score =2\n# scores = 3\n#  score\t=\n# score 4\n'; w 1 Yes; echo '# score = 5'; w 2 No
		printf '# score = 6\n# end\n\n# score = 7\n\n'; } >in
	hp-embed in | hp-encode | hp-decode >decoded
	score=$(hp-cat --values decoded | sed -n '/^  score F32 \[\]/{ n; p; }')
	hp-label -s decoded >out
	grep -v '^[0-9]' out >comments
	printf '# text = Yes No\n# scores = 3\n# score 4\n# score = %.4f\n# end\n\n# score = 7\n\n' "$score" | diff - comments
	sed -n '4,5p' out | cut -f 1 | diff - <(sed -n '4p' comments; echo 1)
	# Without --scores there is none: those that came are of other trees.
	hp-label decoded | grep -v '^[0-9]' | diff - <(grep -v '^# score = -' comments)
	hp-embed in | hp-encode | hp-decode --text --scores | grep -v '^[0-9]' | diff - comments
	# The steps that find words are not all there are: the score is less than the arcs' sum.
	hp-cat --values decoded | awk -v score="$score" '/^  logp / { getline; for (i = 1; i <= NF; i++) sum += $i } END { exit !(score < sum) }'
}

@test "the only arc of a one-word sentence is certain" {
	{ w 1 Yes; echo; } | hp-embed | hp-encode | hp-decode --text --scores >out
	grep -Eq "${TAB}0${TAB}_${TAB}_${TAB}ArcProb=[01]\.[0-9]{4}$" out
}

@test "--text ends the pipe without labels" {
	cat good.conllu good.conllu >in
	hp-embed in | hp-encode | hp-decode --text >out
	pipe in | awk -F '\t' -v OFS='\t' 'NF == 10 { $8 = "_" } 1' | diff - out
}

@test "--input=tokens: a sentence a line" {
	printf 'She reads a book .\n\n  The\tdog \t barks  \r\ncaf\xc3\xa9' >in
	pipe --input=tokens in >out
	check_trees out
	grep '^[0-9]' out | cut -f 1-6,9- >rows
	for sentence in "She reads a book ." "The dog barks" $'caf\xc3\xa9'; do
		i=0
		for form in $sentence; do
			i=$((i + 1))
			printf '%d\t%s\t_\t_\t_\t_\t_\t_\n' $i "$form"
		done
	done | diff - rows
	[ "$(grep -c '^$' out)" -eq 3 ]
	grep '^#' out | cmp - <(printf '# sent_id = 1\n# text = She reads a book .\n# sent_id = 2\n# text =   The\tdog \t barks  \n# sent_id = 3\n# text = caf\xc3\xa9\n')
	# Counted over all files.
	pipe --input=tokens in in - <<<She | grep '^# sent_id' | cmp - <(seq 7 | sed 's/^/# sent_id = /')
	# As CoNLL-U without tags.
	grep -v '^#' out | awk -F '\t' -v OFS='\t' 'NF == 10 { $7 = $8 = "_" } 1' >again
	pipe again | diff - <(grep -v '^#' out)
}

# warned MESSAGE ARGUMENT...: one message in the end, and the text is parsed all the same.
warned() {
	pipe "${@:2}" >out 2>err
	cat err
	[ "$(cat err)" = "${1:+hp-embed: $1}" ]
	[ -s out ]
}

@test "a text in another script or language than the model's, but no other" {
	model=$models/tiny.safetensors
	yes 'чет вот бук' | head -n 7 >in
	warned "$model does not know the letters of 42 of 42 words: is the text in a script that it was not trained on?" -i tokens in in
	yes '書 を 読む 。' | head -n 7 >in
	warned "$model does not know the letters of 21 of 21 words: is the text in a script that it was not trained on?" -i tokens in
	# Too short to tell; half of the text; emoji, digits and punctuation.
	head -n 6 in >short
	warned "" -i tokens short
	{ cat in; yes 'the dog reads' | head -n 7; } >half
	warned "" -i tokens half
	yes $'\xf0\x9f\x98\x80 \xf0\x9f\x91\x8d 1917 \xe2\x80\xa6 \xe2\x88\x9e' | head -n 50 >emoji
	warned "" -i tokens emoji
	# Letters that are known, words that are not.
	yes 'god dag bark' | head -n 34 >in
	warned "only 0 of 102 words are common ones of $model: is the text in a language that it was not trained on?" -i tokens in
	{ cat in; yes the | head -n 6; } >some
	warned "" -i tokens some
}

@test "a text that is not split into tokens, but no other" {
	"$make_model" -t "vocab.word=<root>,<unk>,the,dog,barks,.,she,l',it,'s,n't,can" -m lower=1 split.safetensors
	model=$PWD/split.safetensors
	# glued COUNT WORDS EXAMPLE: "in" is not split.
	glued() {
		warned "$1 of $2 words are two words each for $model, as \"$3\" is: is the text split into tokens?  hp-parse --input=text does it" \
			-m "$model" -i tokens in
	}
	echo "The dog barks." >in
	glued 1 3 barks.
	printf "Can't she?\nThe dog.\n" >in
	glued 2 4 "Can't"
	printf "the dog's l'dog she\xe2\x80\x99s\n" >in
	glued 3 4 "dog's"
	# EDUs are split by another option.
	"$make_model" -r -t "vocab.word=<root>,<unk>,the,dog,barks,.,she,l',it,'s,n't,can" -m lower=1 rst.safetensors
	printf "Can't she?\nThe dog.\n" >in
	HP_MODEL=$PWD/rst.safetensors warned "2 of 4 words are two words each for $PWD/rst.safetensors, as \"Can't\" is: is the text split into tokens?  hp-parse --tokenize does it, and --input=text, for plain text, finds the EDUs too" \
		-i edus in
	# Split all the same: more words stand alone than not; abbreviations, names, words that the model knows.
	printf "It 's barks.\n" >in
	warned "" -m "$model" -i tokens in
	printf "The dog. barks .\nO'Brien !!!! dog!!\nit's\n. n't\n" >in
	warned "" -m "$model" -i tokens in
}

@test "a text that is masked" {
	{ w 1 ____; w 2 _; w 3 ______; echo; } >in
	warned "in: 3 of 3 words are underscores only: the text seems to be masked" in
	{ w 1 The; w 2 ____; w 3 barks; echo; w 1 _; w 2 _; echo; } >gap
	warned "" gap
}

@test "a line of tokens may begin with #" {
	printf '# 1 is the best\n' | pipe --input=tokens >out
	check_trees out
	[ "$(grep -c '^[0-9]' out)" -eq 5 ]
}

@test "--keep-going passes bad blocks unparsed, in place" {
	{ cat good.conllu; w 1 The; w 3 dog; echo; cat good.conllu; w 1 $'\xff'; echo; cat good.conllu; } >in
	run -1 pipe --keep-going in
	printf '%s\n' "$output" >all
	grep '^hp-' all >messages
	[ "$(wc -l <messages)" -eq 2 ]
	grep -q '^hp-embed: in:7: ' messages
	grep -q '^hp-embed: in:14: ' messages
	# Every stage ends with status 1, so that also the last one tells.
	hp-embed --keep-going in 2>/dev/null >embedded || true
	run -1 bash -c 'hp-encode <embedded >encoded'
	run -1 bash -c 'hp-decode <encoded >decoded'
	run -1 bash -c 'hp-label <decoded >out'
	mask out >out.masked
	mask in | diff - out.masked
	# Blocks two and four are as they were, to the byte.
	sed -n '6,8p' in | diff - <(sed -n '6,8p' out)
}

@test "--keep-going: a tree that came in is told from one that was made" {
	{ w 1 The DET 2 det; w 2 dog NOUN 0 root; echo; cat good.conllu; echo "# sent_id = b"; w 1 The DET 3 det; w 3 dog NOUN 0 root; echo; } >in
	run -1 --separate-stderr hp-parse -k in
	echo "$stderr"
	[ "$stderr" = 'hp-embed: in:11: bad ID order: "3", expected word 2' ]
	[ "$(grep -c '^# unparsed' <<<"$output")" -eq 1 ]
	{ echo '# unparsed = in:11: bad ID order: "3", expected word 2'; tail -n 4 in; } | diff - <(tail -n 4 <<<"$output"; echo)
	# Without labels, and in every format; where HEAD is "_" nothing needs to be said (see above).
	run -1 --separate-stderr hp-parse -kt in
	[ "$(grep -c '^# unparsed = in:11: ' <<<"$output")" -eq 1 ]
	for row in '1 a l X x _ 0 root' '1 a l l X X _ _ 0 _ root _ _ _' '1 a l l X X _ _ _ 0 _ root _ _'; do
		{ tr ' ' '\t' <<<"$row"; echo "x"; echo; } >odd
		run -1 --separate-stderr hp-parse -k odd
		[[ ${lines[0]} == "# unparsed = odd:"* ]]
	done
	{ echo "# global.columns = ID HEAD FORM DEPREL"; printf '1\t0\tA\troot\n\n1\t0\tB\troot\n3\t1\tC\tx\n\n'; } >plus
	run -1 --separate-stderr hp-parse -k plus
	[[ "$(grep -n '^# unparsed' <<<"$output")" == "4:# unparsed = plus:5: bad ID order"* ]]
	# The line goes when the block is parsed.
	hp-parse -k in >out 2>/dev/null || true
	sed 's/^3\tdog/2\tdog/' out | hp-parse >again
	run ! grep -q unparsed again
	[ "$(grep -c '^# sent_id = b' again)" -eq 1 ]
	sed 's/^3\tdog/2\tdog/' out | hp-parse --scores | run ! grep -q unparsed
	# Once more unparsed: one line, the newest.
	hp-parse -k <out >twice 2>/dev/null || true
	diff <(sed 's/in:11/<stdin>:12/' out) twice
	# A number where it is no HEAD.
	{ w 1 1990 NUM; w 3 5 NUM; echo; } >numbers
	run -1 --separate-stderr hp-parse -k numbers
	printf '%s\n' "$output" | diff - <(head -n 2 numbers)
}

@test "--max-words" {
	cat good.conllu >in
	pipe --max-words=3 in >out
	check_trees out
	run -1 pipe --max-words=2 in
	grep -q '^hp-embed: in:[0-9]*: .*2' <<<"$output"
	run -1 pipe --max-words=2 --keep-going in
	grep -v '^hp-' <<<"$output" | diff - <(printf '%s\n' "$(cat good.conllu)")
}

@test "20,000 words are too many unless --max-words says otherwise" {
	awk 'BEGIN { for (i = 1; i <= 20001; i++) printf "%d\tw\t_\t_\t_\t_\t_\t_\t_\t_\n", i; print "" }' >in
	run -1 hp-embed in
	hp-embed --max-words=30000 in >/dev/null
}

@test "several files, and standard input" {
	cat good.conllu good.conllu >both
	pipe good.conllu good.conllu >out
	pipe both | cmp - out
	pipe <both | cmp - out
	pipe - <both | cmp - out
	# A file's end ends the sentence.
	head -n -1 good.conllu >open
	pipe open open | cmp - out
}

@test "a text without a tag of the model's is told of" {
	for ((i = 0; i < 25; i++)); do w 1 a nn; w 2 b vb; w 3 c _; echo; done >few
	cat few few >many
	passes few few
	pipe many >out 2>messages
	[ "$(cat messages)" = "hp-embed: none of the tags is one of $HP_MODEL, which was trained on UPOS" ]
	{ cat many; w 1 d NOUN; echo; } >one
	passes one one
}

@test "a file that is not there, a folder" {
	run -1 pipe good.conllu missing
	grep -q '^hp-embed: missing: No such file or directory$' <<<"$output"
	check_trees <(grep -v '^hp-' <<<"$output"; echo)
	says 1 "...hp-embed: .: ..." hp-embed .
}
