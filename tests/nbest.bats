#!/usr/bin/env bats
# The n best trees of each sentence, and arcs and spans that are fixed.
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
	says 2 'hp-embed: --constraints with --input=tokens, expected conllu or dis' hp-embed --constraints -i tokens
	says 2 'hp-parse: --constraints with --input=text, expected conllu, dis or rs3' hp-parse --constraints -i text
	# In a stream.
	{ w 1 a NOUN _ _ _ Head=2; w 2 b; echo; } >two
	hp-embed --constraints two | hp-encode >stream
	LC_ALL=C sed 's/\xff\xff\xff\xff\x02\x00\x00\x00\xff\xff\xff\xff/\xff\xff\xff\xff\x09\x00\x00\x00\xff\xff\xff\xff/' stream >wrong
	says 1 'hp-decode: wrong: sentence 1: `fixed`: no tree has these arcs: head 9 of word 1, expected 0 to 2' hp-decode -o out wrong
}

# units SPAN...: a sentence of so many EDUs, of a word each, with Span= in MISC; - for none
units() {
	local i=0 misc
	for misc; do
		i=$((i + 1))
		[ "$misc" = - ] && misc=Seg=B-seg || misc="A=b|Span=$misc|Seg=B-seg"
		w $i "w$i" NOUN _ _ _ "$misc"
	done
	echo
}

# The nodes of each tree, from left to right and from the top: a line a tree.
nodes() {
	awk '/^\( Root/ && n++ { print "" } { while (match($0, /\(span [0-9]+ [0-9]+\)/)) {
		printf "%s ", substr($0, RSTART + 6, RLENGTH - 7); $0 = substr($0, RSTART + RLENGTH) } } END { print "" }' "$@" |
		sed 's/\([0-9]\) \([0-9]*\) /\1-\2 /g'
}

@test "spans that are fixed" {
	export HP_MODEL=$models/disc.safetensors
	fixed() { hp-parse -i conllu --constraints "$@" | nodes | sort; }
	# Three parts can be joined in two ways; so can the three EDUs of a part.
	[ "$(fixed -n 50 <(units - 2 - -))" = '1-4 1-3 2-3 
1-4 2-4 2-3 ' ]
	[ "$(fixed -n 50 <(units 5,2 - 3 - -))" = '1-5 1-2 3-5 3-4 
1-5 1-2 3-5 4-5 ' ]
	[ "$(fixed -n 50 <(units 2,3 - - - 2 -))" = '1-6 1-3 1-2 4-6 5-6 
1-6 1-4 1-3 1-2 5-6 ' ]
	[ "$(fixed <(units 5,4,3,2 - - - -))" = '1-5 1-4 1-3 1-2 ' ]
	[ "$(fixed -n 50 <(units 1 1 1 1) | wc -l)" -eq 5 ]
	[ "$(fixed -n 50 <(units 4 - - -) | wc -l)" -eq 5 ]
	# Without the option nothing is fixed; where nothing is, the option makes no difference.
	units - 2 - - >some
	units - - - - >none
	hp-parse -n 9 -i conllu some | cmp - <(hp-parse -n 9 -i conllu none)
	hp-embed -i conllu --constraints none | cmp - <(hp-embed -i conllu none)
	hp-embed -i conllu --constraints <(units 4 1 - -) | cmp - <(hp-embed -i conllu none)
	hp-embed -i conllu --constraints some >stream
	[ "$(hp-cat --csv -t fixed stream)" = 0,1,0,0 ]
	# A sentence of one EDU, remarks, nothing at all.
	units 1 >one
	hp-parse -i conllu --constraints one | cmp - <(hp-parse -i conllu one)
	printf '# a remark\n\n' | hp-parse -i conllu --constraints | cmp - <(printf '# a remark\n\n')
	hp-parse -i conllu --constraints /dev/null | cmp - /dev/null
	# Multiword tokens.
	{ w 1 a; w 2-3 bc _ _ _ _ 'Seg=B-seg|Span=2'; w 2 b; w 3 c; w 4 d _ _ _ _ Seg=B-seg; w 5 e _ _ _ _ Seg=B-seg; echo; } >token
	hp-embed -i conllu --constraints token | hp-cat --csv -t fixed | diff - <(echo 0,1,0,0)
	# Heads are another model's, and so are spans.
	sed 's/Span=2/Head=77/' some | hp-parse -i conllu --constraints | cmp - <(hp-parse -i conllu none)
	sed 's/Span=2/Span=x/' some | HP_MODEL=$models/tiny.safetensors hp-parse --constraints | diff - <(sed 's/Span=2/Span=x/' some | HP_MODEL=$models/tiny.safetensors hp-parse)
}

@test "spans that are fixed: all programs, threads and batches" {
	export HP_MODEL=$models/disc.safetensors
	{ echo '# sent_id = a'; units - 2 - -; units - - -; units 3 2 - - -; units -; } >in
	hp-parse -i conllu --constraints -n 3 in >out
	for i in {1..30}; do cat in; done >many
	for options in "" "-j 2"; do
		# shellcheck disable=SC2086
		hp-parse -i conllu --constraints -q -n 3 $options many | cmp - <(for i in {1..30}; do cat out; done)
	done
	hp-embed -i conllu --constraints in | hp-encode | hp-decode -n 3 >stream
	hp-label stream | cmp - out
	hp-decode -t -n 3 <(hp-embed -i conllu --constraints in | hp-encode) | nodes | cmp - <(nodes out)
	# Beside what fixes nothing; what comes later keeps it.
	cat <(hp-embed -i conllu in) <(hp-embed -i conllu --constraints in) | hp-encode | hp-decode -n 3 | hp-label |
		cmp - <(hp-parse -i conllu -n 3 in; cat out)
	[ "$(hp-cat --csv -t fixed stream | sort -u | tr '\n' ' ')" = '0,1,0,0 1,2,0,0,0 ' ]
	says 1 'hp-decode: <stdin>: sentence 1: `fixed` is F32, expected I32' bash -c '
		hp-embed -i conllu --constraints in | hp-encode | LC_ALL=C sed "s/\"fixed\":{\"dtype\":\"I32\"/\"fixed\":{\"dtype\":\"F32\"/" | hp-decode -o none'
	# With int8 and the probabilities, too.
	hp-parse -i conllu --constraints --int8 --scores in | grep -v '^#' | nodes | sed -n '1p;3p' | grep -c '2-3 ' | diff - <(echo 2)
}

@test "spans that are fixed: trees" {
	export HP_MODEL=$models/disc.safetensors
	tree() { sed 's/N(/( Nucleus (rel2par x) (/; s/L\([0-9]*\)/( Nucleus (leaf \1) (rel2par x) (text _!w\1_!) )/g' <<<"$1"; }
	# A node of four, of which one has children: five ways.
	tree '( Root (span 1 5) L1 N(span 2 3) L2 L3 ) L4 L5 )' >half.dis
	hp-parse -i dis --constraints -n 50 half.dis | nodes | grep -c '2-3 ' | diff - <(echo 5)
	hp-parse -i dis --constraints half.dis | nodes | grep -q '2-3 '
	[ "$(hp-embed -i dis --constraints half.dis | hp-cat --csv -t fixed)" = 1,2,1,1,0 ]
	# A flat one fixes nothing, a binary one everything.
	tree '( Root (span 1 4) L1 L2 L3 L4 )' >flat.dis
	hp-embed -i dis --constraints flat.dis | cmp - <(hp-embed -i dis flat.dis)
	hp-parse -i dis -n 5 flat.dis | awk -v RS= -v ORS='\n\n' 1 >five.dis
	[ "$(nodes five.dis | sort -u | wc -l)" -eq 5 ]
	hp-parse -i dis --constraints five.dis | nodes | cmp - <(nodes five.dis)
	hp-parse -i dis --constraints -n 9 five.dis | grep -c nbest | diff - <(echo 5)
	echo '( Root (span 1 1) (leaf 1) (text _!a_!) )' | hp-parse -i dis --constraints | grep -c Root | diff - <(echo 1)
	# .rs3 with three trees, of one, three and two EDUs: each is kept.
	cat >forest.rs3 <<-'END'
		<rst><header><relations><rel name="r" type="rst"/></relations></header><body>
		<segment id="1">a</segment>
		<segment id="2">b</segment><segment id="3" parent="2" relname="r">c</segment><segment id="4" parent="2" relname="r">d</segment>
		<segment id="5" parent="6" relname="r">e</segment><segment id="6">f</segment>
		</body></rst>
	END
	[ "$(hp-parse -i rs3 --constraints -n 50 forest.rs3 | nodes | sort)" = '1-6 1-4 2-4 2-3 5-6 
1-6 1-4 2-4 3-4 5-6 
1-6 2-6 2-4 2-3 5-6 
1-6 2-6 2-4 3-4 5-6 ' ]
	# All of the text is parsed without the option as well; that the trees end sentences is nothing to this model.
	run --separate-stderr hp-parse -i rs3 forest.rs3
	[[ $stderr == 'hp-embed: <stdin>: 1 document of several sentences, each parsed as if it were one sentence: model '*'/disc.safetensors is for sentences, '* ]]
	[ "$(grep -c '_!' <<<"$output")" -eq 6 ]
}

@test "spans that cannot be fixed" {
	export HP_MODEL=$models/disc.safetensors
	refuses() { # refuses LINE TEXT SPAN...
		{ echo '# c'; units "${@:3}"; } >bad
		says 1 "hp-embed: bad:$1: $2" bash -c 'hp-embed -i conllu --constraints bad | hp-encode | hp-decode | hp-label'
	}
	refuses 3 'Span=0 of word 2, expected numbers from 1 to 999999999, separated by commas' - 0 -
	refuses 3 'Span=2,x of word 2, expected numbers from 1 to 999999999, separated by commas' - 2,x -
	refuses 3 'Span=3, but 2 EDUs from here to the end of the sentence' - 3 -
	refuses 4 'Span=9, but 1 EDU from here to the end of the sentence' - - 9
	refuses 3 'Span=3, EDUs 2 to 4, crosses Span=3 in line 2, EDUs 1 to 3' 3 3 - -
	sed 's/|Seg=B-seg//' bad >inside
	says 1 'hp-embed: inside:3: word 2 has Span=, but begins no EDU' bash -c 'hp-embed -i conllu --constraints inside | hp-encode | hp-decode | hp-label'
	# Others are parsed.
	cat <(units - 2 -) bad <(units 2 - -) >three
	run -1 --separate-stderr hp-parse -k -i conllu --constraints three
	[ "$stderr" = 'hp-embed: three:7: Span=3, EDUs 2 to 4, crosses Span=3 in line 6, EDUs 1 to 3' ]
	[ "$(grep -v '	' <<<"$output" | nodes)" = '1-3 2-3 
1-3 1-2 ' ]
	[ "$(grep '	' <<<"$output")" = "$(grep '	' bad | sed 's/^/# /')" ]
	says 2 'hp-embed: --constraints with --input=edus, expected conllu or dis' hp-embed --constraints -i edus
	says 2 'hp-parse: --constraints with --input=edus, expected conllu, dis or rs3' hp-parse --constraints -i edus
	says 1 'hp-embed: --constraints with EDU text, expected --input=conllu or --input=dis for the task rst' hp-parse --constraints edus
	says 1 'hp-embed: --input=dis is for discourse models, but ...' hp-parse -m "$models/tiny.safetensors" --constraints -i dis edus
}
