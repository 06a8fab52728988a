#!/usr/bin/env bats
# The n best trees of each sentence, and arcs that are fixed.
bats_require_minimum_version 1.5.0
load filters

setup_file() {
	make_models
	"$make_model" -r "$models/disc.safetensors"
}

setup() {
	enter
	make_good
	{ echo '# newpar'; cat good.conllu; printf '# a remark\n\n'; w 1-2 don\'t; w 1 do VERB; w 2 not; w 2.1 x; w 3 go; echo; w 1 Yes; echo; } >in
	printf '# sent_id = d-1\nThe dog barks\nwhen she reads\na book .\nand\n\nShe reads .\n' >edus
}

# The heads and labels, one tree a line.
heads() {
	LC_ALL=C awk -F '\t' '$1 ~ /^[0-9]+$/ { line = line " " $7 } NF == 0 && line != "" { print line; line = "" }' "$@"
}

@test "the best first, none twice, with their scores" {
	hp-parse -n 6 -b 20 in >out
	check_trees out
	# One word has one tree, and a remark none.
	[ "$(grep '^# nbest' out | tr -dc '0-9\n' | tr '\n' ' ')" = '1 2 3 4 5 6 1 2 3 4 5 6 1 ' ]
	[ "$(grep -c '^# a remark' out)" -eq 1 ]
	[ "$(grep -c '^# sent_id = good' out)" -eq 6 ]
	awk '/^# nbest = 1$/ { last = 0 } /^# score/ { if ($4 > last) exit 1; last = $4 }' out
	heads out | sed -n 1,6p | sort | uniq -d | diff /dev/null -
	heads out | sed -n 7,12p | sort | uniq -d | diff /dev/null -
	# The comments stand before the rows; all else is as it was.
	grep -A 2 '^# nbest = 2' out | sed -n 2,3p | cut -c 1-9 | diff - <(printf '# score = \n1\tShe\tlem\n' | cut -c 1-9)
	grep -v -e '^# nbest' -e '^# score' out | mask | awk -v RS= '!seen[$0]++' | diff - <(mask in | awk -v RS= '1')
	# The first ones are the trees of the same beam alone, and their scores those that --scores tells.
	hp-parse -b 20 --scores in | sed 's/[|]*ArcProb=[0-9.]*|LabelProb=[0-9.]*$/_/; s/___*$/_/' >best
	awk -v RS= -v ORS='\n\n' '!/# nbest/ || /# nbest = 1\n/' out | grep -v '^# nbest' | diff - best
	# A beam that is wider is wider.
	hp-parse -n 2 -b 20 in | diff - <(awk -v RS= -v ORS='\n\n' '!/# nbest = [3-9]/' out)
}

@test "the same by all programs, threads and batches, without labels, read again" {
	hp-parse -n 3 in >out
	hp-embed in | hp-encode | hp-decode --nbest=3 >stream
	hp-label stream | cmp - out
	hp-label -j 2 <(hp-embed in | hp-encode | hp-decode -j 3 -n 3) | cmp - out
	for i in {1..40}; do cat in; done >many
	hp-parse -n 3 many | cmp - <(for i in {1..40}; do cat out; done)
	hp-decode -t -n 3 <(hp-embed in | hp-encode) | cut -f 1-7 | cmp - <(cut -f 1-7 out)
	hp-parse -t -n 3 in | cut -f 1-7 | cmp - <(cut -f 1-7 out)
	# With the probabilities the score is there once.
	hp-parse -n 3 --scores in >scored
	[ "$(grep -c '^# score' scored)" -eq "$(grep -c '^# nbest' scored)" ]
	grep -v '	' scored | cmp - <(grep -v '	' out)
	# Of an earlier run nothing stays.
	hp-parse out | grep -e '^# nbest' -e '^# score' | diff /dev/null -
	hp-parse -n 1 good.conllu | grep -v '^# score' | diff - <(hp-parse good.conllu | sed '1a # nbest = 1')
	hp-cat stream | grep -c 'nbest = ' | diff - <(echo 7)
	# Beside streams with one tree a sentence.
	hp-embed in | hp-encode | hp-decode >single
	cat single stream single | hp-label | cmp - <(hp-parse in; cat out; hp-parse in)
	# Decoded once more, by one tree each.
	hp-decode stream | hp-label | grep '^# nbest' | diff /dev/null -
	says 1 'hp-label: <stdin>: sentence 1: metadata nbest is ...' bash -c 'sed "s/\"nbest\":\"1\"/\"nbest\":\"x\"/" stream | hp-label'
}

@test "columns of other formats" {
	printf '1\tShe\t_\tPRON\tPRON\t_\t_\t_\t_\t_\n2\treads\t_\tVERB\tVERB\t_\t_\t_\t_\t_\n\n' >x
	printf '# global.columns = ID FORM UPOS HEAD DEPREL\n1\tShe\tPRON\t_\t_\n2\treads\tVERB\t_\t_\n\n1\tGo\tVERB\t_\t_\n\n' >plus
	hp-parse -n 2 x | heads | sort -u | wc -l | diff - <(echo 2)
	hp-parse -n 2 plus >out
	[ "$(grep -c '^# nbest' out)" -eq 3 ]
	[ "$(grep -c '^1	She	PRON	[02]	' out)" -eq 2 ]
	hp-parse out >/dev/null
}

@test "rhetorical trees" {
	export HP_MODEL=$models/disc.safetensors
	hp-parse -n 9 edus >out
	# Of four EDUs there are five trees.
	[ "$(grep '^# nbest' out | tr -dc '0-9\n' | tr '\n' ' ')" = '1 2 3 4 5 1 ' ]
	grep '^( Root\|span' out | grep -c 'Root (span 1 4)' | diff - <(echo 5)
	awk '/^# nbest = 1$/ { last = 0 } /^# score/ { if ($4 > last) exit 1; last = $4 }' out
	hp-parse -b 9 --scores edus | grep -v '^# split' | diff - <(awk -v RS= -v ORS='\n\n' '/# nbest = 1\n/' out | grep -v '^# nbest')
	hp-parse -t -n 9 edus | grep '^#' | diff - <(grep '^#' out)
	hp-parse -i dis -n 9 out | grep -c '^# nbest' | diff - <(echo 26)
	says 2 'hp-parse: only one of --nbest and --brackets can be given' hp-parse -n 2 --brackets edus
	says 1 'hp-label: <stdin>: sentence 1: one of the n best trees, for which --brackets has no room' bash -c 'hp-embed edus | hp-encode | hp-decode -n 2 | hp-label --brackets'
	says 1 'hp-embed: --constraints is for dependency models...' hp-embed -i conllu --constraints in
}

@test "arcs that are fixed" {
	fixed() { # fixed HEAD...: heads of the words in MISC, - for none
		local i=0 head
		for head; do
			[ "$head" = - ] && head=_ || head="A=b|Head=$head|Z=1"
			i=$((i + 1))
			w $i "w$i" NOUN _ _ _ "$head"
		done
		echo
	}
	fixed - 4 - 0 - >some
	hp-parse --constraints some >out
	check_trees out
	heads out | grep -x ' [1-5] 4 [1-5] 0 [1-5]'
	cut -f 10 out | diff - <(cut -f 10 some)
	hp-parse --constraints -n 50 -b 200 some | heads | grep -vx ' [1-5] 4 [1-5] 0 [1-5]' | diff /dev/null -
	# Nothing but the option makes it so.
	fixed - - - - - >none
	hp-parse some | heads | diff - <(hp-parse none | heads)
	hp-parse --constraints none | cmp - <(hp-parse none)
	# Every head.
	fixed 3 1 0 5 3 >all
	[ "$(hp-parse --constraints all | heads)" = ' 3 1 0 5 3' ]
	hp-embed --constraints all | hp-encode | hp-decode --text | heads | diff - <(hp-parse --constraints all | heads)
	cat some all none >three
	hp-parse -j 2 --constraints three | cmp - <(for i in some all none; do hp-parse --constraints $i; done)
}

@test "arcs that no tree has" {
	refuses() { # refuses LINE TEXT MISC...
		local i=0 misc line=$1 text=$2
		shift 2
		{ echo '# c'; for misc; do i=$((i + 1)); w $i "w$i" NOUN _ _ _ "$misc"; done; echo; } >bad
		says 1 "hp-embed: bad:$line: $text" bash -c 'hp-embed --constraints bad | hp-encode | hp-decode | hp-label'
	}
	refuses 3 'Head=4 of word 2, expected a number up to 3' _ Head=4 _
	refuses 3 'Head=-1 of word 2, expected a number up to 3' _ Head=-1 _
	refuses 4 'Head= of word 3, expected a number up to 3' _ _ 'A|Head='
	refuses 4 'Head=2x of word 3, expected a number up to 3' _ _ Head=2x
	refuses 2 'Head=99999999999999999999 of word 1, expected a number up to 3' Head=99999999999999999999 _ _
	refuses 2 'Head=1 of word 1, expected another word or 0, a number up to 3' Head=1 _ _
	refuses 3 'word 2 has Head= twice' _ 'Head=1|A|Head=1' _
	refuses 4 'no tree has these arcs: words 1 and 3 both have head 0, expected one' Head=0 _ Head=0
	refuses 3 'no tree has these arcs: cycle: word 2 is above itself, by its head 3' Head=2 Head=3 Head=2
	hp-parse bad >/dev/null
	cat good.conllu bad good.conllu >three
	run -1 --separate-stderr hp-parse -k --constraints three
	[ "$stderr" = 'hp-embed: three:8: no tree has these arcs: cycle: word 2 is above itself, by its head 3' ]
	[ "$(printf '%s\n\n' "$output" | heads | grep -c '[0-9]')" -eq 2 ]
	says 2 'hp-embed: --constraints with --input=tokens, expected conllu' hp-embed --constraints -i tokens
	says 2 'hp-parse: --constraints with --input=text, expected conllu' hp-parse --constraints -i text
	# In a stream.
	{ w 1 a NOUN _ _ _ Head=2; w 2 b; echo; } >two
	hp-embed --constraints two | hp-encode >stream
	LC_ALL=C sed 's/\xff\xff\xff\xff\x02\x00\x00\x00\xff\xff\xff\xff/\xff\xff\xff\xff\x09\x00\x00\x00\xff\xff\xff\xff/' stream >wrong
	says 1 'hp-decode: wrong: sentence 1: `fixed`: no tree has these arcs: head 9 of word 1, expected 0 to 2' hp-decode -o out wrong
}
