#!/usr/bin/env bats
# hp-eval on the command line.  tests/data/eval holds two sentences of our own:
#	The old dog (Rex) sleeps.   wrong in the system's: relation of 2, subtypes of 3 and 5, head of 4, tag and lemma of 5
#	I don't run, you know.      wrong: lemma of 2, features of 3, heads of 5 and 8, relations of 7 and 8
bats_require_minimum_version 1.5.0
load filters

setup() {
	: "${srcdir:=$BATS_TEST_DIRNAME/..}"
	srcdir=$(cd "$srcdir" && pwd)
	cd "$BATS_TEST_TMPDIR" || exit
	cp "$srcdir"/tests/data/eval/*.conllu .
	chmod u+w ./*.conllu
}

# fails STATUS "LINE" ARGUMENTS...: exactly this line on standard error, nothing on standard output.
fails() {
	local want=$1 line=$2
	shift 2
	run -"$want" --separate-stderr hp-eval "$@"
	echo "$stderr"
	[ -z "$output" ]
	[ "${stderr_lines[0]}" = "hp-eval: $line" ]
	[ "$want" -eq 2 ] || [ "${#stderr_lines[@]}" -eq 1 ]
}

# prints "TEXT" ARGUMENTS...: exactly this, and nothing on standard error.
prints() {
	local want=$1
	shift
	run -0 --separate-stderr hp-eval "$@"
	diff <(echo "$want") <(echo "$output")
	[ -z "$stderr" ]
}

# The line of a metric without blanks to choose from: METRIC SCORE CORRECT TOTAL
score() {
	hp-eval "${@:2}" | awk -v m="$1" '$1 == m { print $2, $3, $4 }'
}

@test "attachment scores" {
	# UAS: 7 of 8 and 6 of 8.  LAS: 4 and 5; with subtypes cut 6 and 5.  LA: 5 and 6.
	prints "\
Metric          Score  Correct  Total
UAS             81.25       13     16
LAS             56.25        9     16
LAS-universal   68.75       11     16
LA              68.75       11     16
Root           100.00        2      2
UCM              0.00        0      2
LCM              0.00        0      2" gold.conllu system.conllu
}

@test "the table of the CoNLL 2018 scorer" {
	# 16 words.  UPOS: 1 wrong.  UFeats: 1 wrong (own features and their order do not count).  AllTags: 2 wrong.
	# Lemmas: 2 wrong.  UAS: 3 wrong.  LAS: 11 right.  Content words: gold 9 (2 3 5 7; 1 3 4 6 7), system 10 (and
	# the last 8).  CLAS: 3 + 4.  MLAS: 2 (3 7) + 3 (1 4 6).  BLEX: 2 (3 7) + 4 (1 3 4 6).
	prints "\
Metric     | Precision |    Recall |  F1 Score | AligndAcc
-----------+-----------+-----------+-----------+-----------
Tokens     |    100.00 |    100.00 |    100.00 |
Sentences  |    100.00 |    100.00 |    100.00 |
Words      |    100.00 |    100.00 |    100.00 |
UPOS       |     93.75 |     93.75 |     93.75 |     93.75
XPOS       |    100.00 |    100.00 |    100.00 |    100.00
UFeats     |     93.75 |     93.75 |     93.75 |     93.75
AllTags    |     87.50 |     87.50 |     87.50 |     87.50
Lemmas     |     87.50 |     87.50 |     87.50 |     87.50
UAS        |     81.25 |     81.25 |     81.25 |     81.25
LAS        |     68.75 |     68.75 |     68.75 |     68.75
CLAS       |     70.00 |     77.78 |     73.68 |     77.78
MLAS       |     50.00 |     55.56 |     52.63 |     55.56
BLEX       |     60.00 |     66.67 |     63.16 |     66.67" --conll gold.conllu system.conllu
}

@test "the CoNLL 2018 scorer's own output" {
	shared=$srcdir/../shared/reference/scorer
	[ -d "$shared" ] || skip "no cases at hand"
	for case in ewt216 fr same raw-en raw-fr; do
		hp-eval --conll "$shared/$case.gold.conllu" "$shared/$case.sys.conllu" | cmp - "$shared/$case.expected"
	done
}

@test "texts split in other ways" {
	# "can not" of gold is one token here, and one sentence is two.
	printf '%s\t_\t_\n' $'1\tI\tI\tPRON\t_\t_\t3\tnsubj' $'2\tcan\tcan\tAUX\t_\t_\t3\taux' $'3\tnot\tnot\tPART\t_\t_\t0\troot' \
		$'4\tOh\toh\tINTJ\t_\t_\t3\tdiscourse' >g
	printf '%s\t_\t_\n' $'1\tI\tI\tPRON\t_\t_\t2\tnsubj' $'2\tcannot\tcan\tAUX\t_\t_\t0\troot' >s
	{ echo; printf '%s\t_\t_\n' $'1\tOh\toh\tINTJ\t_\t_\t0\troot'; } >>s
	run -0 hp-eval --conll g s
	[ "${lines[2]}" = "Tokens     |     66.67 |     50.00 |     57.14 |" ] # I, Oh of 3 and 4
	[ "${lines[3]}" = "Sentences  |      0.00 |      0.00 |      0.00 |" ]
	[ "${lines[5]}" = "UPOS       |     66.67 |     50.00 |     57.14 |    100.00" ]
	[ "${lines[10]}" = "UAS        |      0.00 |      0.00 |      0.00 |      0.00" ]
	run -0 hp-eval --conll --compare --samples=9 g s g
	[[ $output == *$'\nCoNLL-Tokens'*' 57.14 '*100.00* ]]
	# Without a tree, as a tokeniser writes it.
	awk -F'\t' -v OFS='\t' 'NF { $7 = $8 = "_" } 1' s >t
	run -0 --separate-stderr hp-eval --conll g t
	[ "${lines[2]}" = "Tokens     |     66.67 |     50.00 |     57.14 |" ]
	[ "$stderr" = "hp-eval: t: 2 of 2 sentences have no heads: nothing in their trees counts as right" ]
	sed 's/Oh/\xc2\xa0/' s >t
	fails 1 "t:4: a FORM of nothing but space" --conll g t
}

@test "no content word at all" {
	printf '1\tOh\toh\tINTJ\tUH\t_\t0\tpunct\t_\t_\n\n' >one
	run -0 hp-eval --conll one one
	[ "${lines[12]}" = "CLAS       |      0.00 |      0.00 |      0.00 |      0.00" ]
}

@test "punctuation on and off, always by the gold tags" {
	[ "$(score UAS gold.conllu system.conllu)" = "81.25 13 16" ]
	[ "$(score UAS --punct=keep gold.conllu system.conllu)" = "81.25 13 16" ]
	# Words left: 1 2 3 5 7 and 1 2 3 4 6 7.
	[ "$(score UAS --punct=upos gold.conllu system.conllu)" = "100.00 11 11" ]
	[ "$(score LAS --punct=upos gold.conllu system.conllu)" = "63.64 7 11" ]
	hp-eval --punct=upos gold.conllu system.conllu | grep -qx "Left out: 5 words (upos=PUNCT)"
	hp-eval --compare --punct=unicode gold.conllu system.conllu system.conllu | grep -qx "Left out: 5 words (unicode)"
	run -1 grep "Left out" <(hp-eval gold.conllu system.conllu)
	[ "$(score UAS --punct=unicode gold.conllu system.conllu)" = "100.00 11 11" ]
	# The Penn list has no brackets.
	[ "$(score UAS --punct=xpos gold.conllu system.conllu)" = "92.31 12 13" ]
	[ "$(score UAS --ignore-xpos='. -LRB-' gold.conllu system.conllu)" = "92.31 12 13" ]
	[ "$(score UAS --ignore-upos=PUNCT,PRON gold.conllu system.conllu)" = "100.00 9 9" ]
	[ "$(score UAS --punct=unicode --ignore-upos=PRON gold.conllu system.conllu)" = "100.00 9 9" ]
	# Other tags in the system's file change nothing.
	sed 's/\tPUNCT\t/\tX\t/; s/\tNOUN\t/\tPUNCT\t/' system.conllu >tags.conllu
	[ "$(score UAS --punct=upos gold.conllu tags.conllu)" = "100.00 11 11" ]
	# Symbols are no punctuation to Unicode; quotes and dashes of all kinds are.
	printf '1\t«\t_\t_\t_\t_\t2\tx\t_\t_\n2\t+\t_\t_\t_\t_\t0\tx\t_\t_\n3\t—\t_\t_\t_\t_\t2\tx\t_\t_\n' >u
	[ "$(score UAS --punct=unicode u u)" = "100.00 1 1" ]
}

@test "no tags to leave words out by" {
	awk -F'\t' -v OFS='\t' 'NF == 10 { $4 = $5 = "_" } 1' gold.conllu >bare
	fails 1 "bare: no word has a UPOS tag, but such tags were to say what is left out" --punct=upos bare system.conllu
	fails 1 "bare: no word has an XPOS tag, but such tags were to say what is left out" --punct=xpos bare system.conllu
	hp-eval --punct=unicode bare system.conllu
	hp-eval --punct=upos gold.conllu bare
	printf '1\t!\t!\tPUNCT\t.\t_\t0\troot\t_\t_\n' >only
	fails 1 "only: every word is left out" --punct=upos only only
}

@test "broken down" {
	run -0 hp-eval --by=length,relation --length-bins=7,8 gold.conllu system.conllu
	[ "${lines[8]}" = "length  Gold  System    UAS    LAS  LAS-universal     LA    Root   UCM   LCM" ]
	[ "${lines[9]}" = "8         16      16  81.25  56.25          68.75  68.75  100.00  0.00  0.00" ]
	[ "${lines[10]}" = "relation    Gold  System    LA-P    LA-R    LA-F   LAS-P   LAS-R   LAS-F     UAS" ]
	# 4 6 8 in the first sentence, 5 and 8 in the second, where the last is a dep.  Heads: 6 and the first 8.
	[[ $output == *"
punct          5       4  100.00   80.00   88.89   50.00   40.00   44.44   40.00
nsubj          3       2  100.00   66.67   80.00  100.00   66.67   80.00  100.00
"* ]]
	[[ $output == *"
nummod         0       1    0.00    0.00    0.00    0.00    0.00    0.00    0.00" ]]
	run -0 hp-eval --by=universal gold.conllu system.conllu
	[[ $output == *"
nsubj         3       3  100.00  100.00  100.00  100.00  100.00  100.00  100.00
"* ]]
	# Left of their heads: 1 2 3 4 and 1 2 3 5 6 in gold; in the system's neither the 4 nor the 5.
	run -0 hp-eval --by=direction gold.conllu system.conllu
	[[ $output == *"
left          9       7  100.00   77.78   87.50"* ]]
	# Arcs of length 3 and 4: 1-4 7-4 both right; 3-7, 8-4 of gold, 3-7 of the system's.
	run -0 hp-eval --by=arc --arc-bins=2,3 gold.conllu system.conllu
	[[ $output == *"
3        2       2  100.00  100.00  100.00   50.00   50.00   50.00
4+       2       1  100.00   50.00   66.67    0.00    0.00    0.00"* ]]
	# Roots and what hangs on them: 7 3 8 and 4 1 2 3 7 8.  Heads: all but the last; relations: but the first 3, the second 7 too.
	run -0 hp-eval --by=depth --depth-bins=2 gold.conllu system.conllu
	[[ $output == *"
depth  Gold  System    UAS    LAS
1-2       9       9  88.89  66.67
3+        7       7  71.43  42.86" ]]
}

@test "what relations and places of heads are taken for" {
	# Heads of the wrong ones: 4 of the first sentence, 5, to the right in place of the left 1; of the second 5, to the left 1
	# in place of the right 2, and 8, whose distance is 1 in place of 4.
	run -0 --separate-stderr --keep-empty-lines hp-eval --confusion --arc-bins=1,2,3 gold.conllu system.conllu
	[ -z "$stderr" ]
	diff <(printf %s "$output" | tail -n +9) - <<'END'

relation: rows are gold, columns the system's
               1  2  3  4  5  6  7  8  9  10  11  12  13  14  Gold
 1 punct       4  .  .  .  .  .  .  .  .   .   .   1   .   .     5
 2 nsubj       .  2  .  .  .  .  .  .  .   .   .   .   1   .     3
 3 root        .  .  2  .  .  .  .  .  .   .   .   .   .   .     2
 4 advmod      .  .  .  1  .  .  .  .  .   .   .   .   .   .     1
 5 amod        .  .  .  .  .  .  .  .  .   .   .   .   .   1     1
 6 appos:name  .  .  .  .  .  .  .  .  .   1   .   .   .   .     1
 7 aux         .  .  .  .  .  .  1  .  .   .   .   .   .   .     1
 8 det         .  .  .  .  .  .  .  1  .   .   .   .   .   .     1
 9 parataxis   .  .  .  .  .  .  .  .  .   .   1   .   .   .     1
10 appos       .  .  .  .  .  .  .  .  .   .   .   .   .   .     0
11 conj        .  .  .  .  .  .  .  .  .   .   .   .   .   .     0
12 dep         .  .  .  .  .  .  .  .  .   .   .   .   .   .     0
13 nsubj:pass  .  .  .  .  .  .  .  .  .   .   .   .   .   .     0
14 nummod      .  .  .  .  .  .  .  .  .   .   .   .   .   .     0
System         4  2  2  1  0  0  1  1  0   1   1   1   1   1    16

head: rows are gold, columns the system's
            1  2  3  4  5  6  7  8  9  Gold
1 root      2  .  .  .  .  .  .  .  .     2
2 left 1    .  3  .  .  .  1  .  .  .     4
3 left 2    .  .  2  .  .  1  .  .  .     3
4 left 3    .  .  .  1  .  .  .  .  .     1
5 left 4+   .  .  .  .  1  .  .  .  .     1
6 right 1   .  .  .  .  .  2  .  .  .     2
7 right 2   .  .  .  .  .  .  1  .  .     1
8 right 3   .  .  .  .  .  .  .  1  .     1
9 right 4+  .  .  .  .  .  1  .  .  .     1
System      2  3  2  1  1  5  1  1  0    16
END
	run -0 hp-eval --confusion --csv gold.conllu system.conllu
	[[ $output == *$'\n'"dep,,gold.conllu,system.conllu,keep,confusion-relation,punct,punct,share,80.000000,4,5,4
dep,,gold.conllu,system.conllu,keep,confusion-relation,nsubj,nsubj,share,66.666667,2,3,2"$'\n'* ]]
	[[ $output == *$'\n'"dep,,gold.conllu,system.conllu,keep,confusion-head,right 4,right 1,share,100.000000,1,1,5" ]]
	[ "$(grep -c confusion-relation <<<"$output")" -eq 11 ]
	# Words that are left out are in no table.
	run -0 hp-eval --confusion --punct=upos gold.conllu system.conllu
	grep -q '^ *1 nsubj  *2 ' <<<"$output"
	run ! grep -q ' punct ' <<<"$output"
	fails 2 "--confusion cannot be combined with --conll or --compare" --confusion --conll gold.conllu system.conllu
	fails 2 "--confusion cannot be combined with --conll or --compare" --confusion --compare gold.conllu gold.conllu gold.conllu
	hp-eval --confusion --csv gold.conllu gold.conllu | hp-eval --summarize - | grep -q '^confusion-head *left 2 *left 2 *share *1 *100.00'
}

@test "a confusion table of more relations than people read" {
	printf '1\ta\t_\t_\t_\t_\t0\tr1\t_\t_\n' >g
	for i in {2..120}; do printf '%d\ta\t_\t_\t_\t_\t1\tr%d\t_\t_\n' "$i" "$i"; done >>g
	run -0 hp-eval --confusion g g
	grep -qx "relation: rows are gold, columns the system's; 21 more, which --csv has" <<<"$output"
	[ "$(grep -c '^ *[0-9]* r[0-9]' <<<"$output")" -eq 99 ]
	[ "$(hp-eval --confusion --csv g g | grep -c confusion-relation)" -eq 120 ]
}

@test "relations and words that nobody has seen, parentheses, multiword tokens, empty nodes, comments" {
	printf '# a\n\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\t(\t_\t_\t_\t_\t2\tnever:seen\t_\t_\n2\t)\t_\t_\t_\t_\t0\t:\t_\t_\n2.1\tc\t_\t_\t_\t_\t_\t_\t_\t_\n' >g
	printf '1\t(\t_\t_\t_\t_\t2\t"x,y"\t_\t_\r\n2\t)\t_\t_\t_\t_\t0\t:\t_\t_\r\n\r\n\r\n# end\r\n' >s
	[ "$(score LAS g s)" = "50.00 1 2" ]
	# A name that holds a control character is shown as messages show it.
	sed 's/x,y/x\x1b[1my/' s >escape
	run -0 hp-eval --by=relation g escape
	grep -q '^"x\\x1B\[1my" ' <<<"$output"
	run ! grep -q $'\x1b' <<<"$output"
	hp-eval --by=relation --csv g s | grep -qx 'dep,,g,s,keep,relation,"""x,y""",LA,precision,0.000000,0,0,1'
	# As tokens "ab" is not "()".
	fails 1 "g:3: token 'ab' does not align with '(' at s:1" --conll g s
}

@test "blanks inside a word do not matter" {
	printf '1\t10 000\t_\t_\t_\t_\t0\troot\t_\t_\n' >g
	printf '1\t10000\t_\t_\t_\t_\t0\troot\t_\t_\n' >s
	[ "$(score LAS g s)" = "100.00 1 1" ]
	[ "$(hp-eval --conll g s | grep -c 100.00)" -eq 13 ]
}

@test "standard input" {
	[ "$(score UAS - system.conllu <gold.conllu)" = "81.25 13 16" ]
	[ "$(score UAS gold.conllu - <system.conllu)" = "81.25 13 16" ]
	sed -i 's/\tsleeps\t/\tslept\t/' system.conllu
	fails 1 "gold.conllu:8: word 'sleeps' does not align with 'slept' at <stdin>:8" gold.conllu - <system.conllu
}

@test "files that do not align: both places" {
	sed 's/\tyou\t/\tYou\t/' system.conllu >s
	fails 1 "gold.conllu:21: word 'you' does not align with 'You' at s:18" gold.conllu s
	long=$(printf 'a%.0s' {1..50})
	printf '1\t%sx\t_\t_\t_\t_\t0\troot\t_\t_\n\n' "$long" >long.g # what differs is shown
	sed s/x/y/ long.g >long.s
	fails 1 "long.g:1: word '...aaaaaaaaaaaaaaaax' does not align with '...aaaaaaaaaaaaaaaay' at long.s:1" long.g long.s
	sed '/^8\t\.\t.*dep/d' system.conllu >s
	fails 1 "gold.conllu:14: a sentence of 8 words does not align with one of 7 at s:12" gold.conllu s
	head -n 10 system.conllu >s
	fails 1 "gold.conllu:14: a sentence without counterpart: the last one ends at s:9" gold.conllu s
	fails 1 "s:9: the last sentence ends here, but one more begins at gold.conllu:14" s gold.conllu
	fails 1 "s:9: the last sentence ends here, but one more begins at gold.conllu:14" --compare s s gold.conllu
}

@test "broken trees and texts in either file" {
	sed 's/\tsleeps\t\(.*\)\t0\troot/\tsleeps\t\1\t3\troot/' gold.conllu >cycle
	sed 's/\tI\t\(.*\)\t4\tnsubj/\tI\t\1\t0\tnsubj/' gold.conllu >roots
	sed 's/\tI\t\(.*\)\t4\tnsubj/\tI\t\1\t9\tnsubj/' gold.conllu >range
	sed 's/\tI\t\(.*\)\t4\tnsubj/\tI\t\1\t_\tnsubj/' gold.conllu >none
	sed 's/\tI\tI\t/\tI\t/' gold.conllu >columns
	for file in cycle:2 roots:14 range:14 none:14 columns:14; do
		for order in "${file%:*} gold.conllu" "gold.conllu ${file%:*}"; do
			run -1 --separate-stderr hp-eval $order
			echo "$stderr"
			[ -z "$output" ]
			[ "${#stderr_lines[@]}" -eq 1 ]
			[[ $stderr == "hp-eval: ${file%:*}:"[0-9]*": "* ]]
		done
	done
	says 1 "hp-eval: range:14: HEAD 9 ..." hp-eval range gold.conllu
	fails 1 "/dev/null: no sentences" /dev/null /dev/null
	fails 1 "absent: No such file or directory" gold.conllu absent
	says 1 "hp-eval: gold.conllu:..." hp-eval --max-words=7 gold.conllu system.conllu
}

@test "gold words without a relation" {
	sed 's/\t4\tnsubj\t/\t4\t_\t/' gold.conllu >open
	cp gold.conllu parsed
	says 0 'hp-eval: open: 1 of 16 words have no relation ("_"): LAS and LA count them as wrong where there is one' messages hp-eval open parsed
	[ "$(hp-eval open parsed 2>/dev/null | awk '$1 == "LAS" { print $4 - $3 }')" -eq 1 ]
	[ "$(hp-eval open open 2>/dev/null | awk '$1 == "LAS" { print $4 - $3 }')" -eq 0 ]
	[ "$(hp-eval parsed open 2>&1 >/dev/null)" = "" ]
}

@test "CSV rows, mean and standard deviation over runs" {
	hp-eval --csv --name='a, b' --punct=upos gold.conllu system.conllu >1.csv
	[ "$(sed -n 1p 1.csv)" = task,name,gold,system,punct,by,group,metric,measure,value,correct,gold_total,system_total ]
	[ "$(sed -n 3p 1.csv)" = 'dep,"a, b",gold.conllu,system.conllu,upos=PUNCT,,,LAS,accuracy,63.636364,7,11,11' ]
	[ "$(wc -l <1.csv)" -eq 8 ]
	hp-eval --csv --conll gold.conllu system.conllu | grep -qx 'dep,,gold.conllu,system.conllu,keep,,,CoNLL-CLAS,f1,73.684211,7,9,10'

	# Mean 91 1/3; deviations -4/3, -1/3, 5/3, squares 42/9, by 2: 2 1/3, root 1.5275.
	for value in 90 91 93; do
		printf 'value,metric,group,more\n%s,LAS,all,x\n1e1,UAS,"q ""r"" (",x\n' $value >v$value.csv
	done
	prints "\
group    metric  runs     mean ± sd
all      LAS        3  91.33 ± 1.53
q \"r\" (  UAS        3  10.00 ± 0.00" --summarize v90.csv v91.csv v93.csv
	run -0 hp-eval --csv --summarize v90.csv v91.csv v93.csv
	[ "${lines[0]}" = task,name,gold,punct,by,group,metric,measure,runs,mean,sd ]
	[ "${lines[1]}" = ",,,,,all,LAS,,3,91.333333,1.527525" ]
	[ "${lines[2]}" = ',,,,,"q ""r"" (",UAS,,3,10.000000,0.000000' ]
	# The same from one pipe, headers and all; one run has no deviation.
	[ "$(cat v90.csv v91.csv v93.csv | hp-eval --csv --summarize -)" = "$output" ]
	[ "$(hp-eval --csv --summarize v90.csv | sed -n 2p)" = ",,,,,all,LAS,,1,90.000000," ]
	# Other experiments, other gold files and other treatments of punctuation are not mixed.
	hp-eval --csv --name=c gold.conllu system.conllu >2.csv
	hp-eval --csv --name=c gold.conllu gold.conllu >3.csv
	run -0 hp-eval --summarize 1.csv 2.csv 3.csv
	echo "$output"
	[ "$(echo "$output" | tr -s ' ' | sed -n 1p)" = "name punct metric runs mean ± sd" ]
	[ "$(echo "$output" | tr -s ' ' | sed -n '3p;10p' | sed 's/ *$//')" = "a, b upos=PUNCT LAS 1 63.64
c keep LAS 2 78.12 ± 30.94" ]
}

@test "tables that cannot be summarized" {
	fails 1 "gold.conllu:1: no column 'metric'; expected a table written by --csv without --compare" --summarize gold.conllu
	printf 'metric,value\nLAS,9x\n' >t
	fails 1 "t:2: value '9x' is not a number" --summarize t
	printf 'metric,value\nLAS,nan\n' >t
	fails 1 "t:2: value 'nan' is not a number" --summarize t
	printf 'metric,value\n\nLAS,9\nLAS\n' >t
	fails 1 "t:4: 1 field, expected 2 as in the header" --summarize t
	printf 'metric,value\nLA"S,9\n' >t
	fails 1 "t:2: a misplaced quote in CSV" --summarize t
	printf 'metric,value\nLAS,"9\n' >t
	fails 1 "t:2: the file ends within quotes" --summarize t
	printf 'metric,value,metric\n' >t
	fails 1 "t:1: two columns are called 'metric'" --summarize t
	: >t
	fails 1 "t: empty; expected a table written by --csv" --summarize t
	echo metric,value >t
	printf 'metric,value\nLAS,90\n' >full
	: >none
	fails 1 "none: no sentences" gold.conllu none
	fails 1 "none: no sentences" none gold.conllu
	fails 1 "t: no rows below the heading" --summarize t
	fails 1 "t: no rows below the heading" --csv --summarize full t
	cat t t full t >joined
	[ "$(hp-eval --csv --summarize joined)" = "$(hp-eval --csv --summarize full)" ]
	fails 1 "absent: No such file or directory" --summarize absent
	fails 1 "/: Is a directory" --summarize /
}

@test "paired bootstrap" {
	run -0 hp-eval --compare gold.conllu system.conllu system.conllu
	[ "${lines[2]}" = "LAS              56.25    56.25       +0.00  +0.00  +0.00  1.0000" ]
	# Against gold: sentence one gains 4 of 8, sentence two 3 of 8, so every sample lies between.
	run -0 hp-eval --compare --samples=999 gold.conllu system.conllu gold.conllu
	[ "${lines[0]}" = "Metric         System1  System2  Difference      Low     High       p" ]
	[ "${lines[2]}" = "LAS              56.25   100.00      +43.75   +37.50   +50.00  0.0010" ]
	[ "$(hp-eval --compare --samples=999 --seed=1 gold.conllu system.conllu gold.conllu)" = "$output" ]
	hp-eval --compare --csv --samples=99 --seed=3 gold.conllu system.conllu gold.conllu |
		grep -qx 'dep,,gold.conllu,system.conllu,gold.conllu,keep,LAS,accuracy,56.250000,100.000000,43.750000,37.500000,50.000000,0.010000,2,99,3'
	run -0 hp-eval --compare --conll --samples=99 gold.conllu system.conllu gold.conllu
	[ "$(echo "${lines[11]}" | tr -s ' ')" = "CoNLL-CLAS 73.68 100.00 +26.32 +25.00 +27.27 0.0100" ]
}

@test "wrong usage" {
	fails 2 "expected two files, GOLD and SYSTEM; got 1" gold.conllu
	fails 2 "expected three files, GOLD SYSTEM1 SYSTEM2; got 2" --compare gold.conllu system.conllu
	fails 2 "only one file can be standard input" - -
	fails 2 "--summarize needs at least one FILE.csv" --summarize
	fails 2 "--summarize takes no options but --csv and --output" --summarize --conll x
	fails 2 "--conll counts every word; it cannot leave out punctuation" --conll --punct=upos a b
	fails 2 "--by cannot be combined with --conll or --compare" --by=arc --conll a b
	fails 2 "--by: unknown 'word', expected one of length, arc, depth, direction, relation, universal, edus, genre" --by=arc,word a b
	fails 2 "--punct: unknown 'off', expected one of keep, upos, xpos, unicode" --punct=off a b
	fails 2 "--punct=keep contradicts --ignore-upos and --ignore-xpos" --punct=keep --ignore-upos=X a b
	fails 2 "--ignore-upos: no tags in ', '" --ignore-upos=', ' a b
	fails 2 "--seed needs --compare" --seed=1 a b
	fails 2 "--samples: '0' is not a whole number from 1 to 1000000" --compare --samples=0 a b c
	fails 2 "--arc-bins: '3,2' is no list of bins; expected rising numbers from 1 on, as 10,20,30" --arc-bins=3,2 a b
	fails 2 "--task: unknown 'word', expected one of dep, rst, segment" --task=word a b
}

@test "memory does not grow with the files" {
	! grep -q __asan_ "$(command -v hp-eval)" || skip "the address sanitizer takes the address space"
	for _ in $(seq 4000); do cat gold.conllu; done >many
	# 200 MB of address space hold the program, its libraries and one sentence, whatever the length.
	run -0 bash -c 'ulimit -v 200000 && hp-eval --by=arc,relation many many'
	[ "${lines[1]}" = "UAS            100.00    64000  64000" ]
}

@test "a full disk" {
	[ -w /dev/full ] || skip "no /dev/full"
	says 1 "hp-eval: standard output: ..." bash -c 'hp-eval gold.conllu system.conllu 2>&1 >/dev/full'
}

@test "an input that is the output as well is refused and left alone" {
	cp system.conllu out
	says 1 "hp-eval: out: standard output is the same file" bash -c 'hp-eval gold.conllu out 2>&1 >>out'
	cmp system.conllu out
	hp-eval --csv gold.conllu system.conllu >t
	says 1 "hp-eval: <stdin>: standard output is the same file" bash -c 'hp-eval --csv --summarize - 2>&1 <t >>t'
}

@test "what was not parsed has nothing right" {
	local line='hp-eval: s: 1 sentence that was not parsed ("# unparsed ="): no head and no relation there counts as right'
	# Of 8 + 8 words, those of the second sentence are left.  The first one's tree need not be one.
	sed '1i # unparsed = x:1: too long' gold.conllu >s
	run -0 --separate-stderr hp-eval gold.conllu s
	[ "$stderr" = "$line" ]
	for m in UAS LAS LAS-universal LA; do
		[ "$(score $m gold.conllu s 2>/dev/null)" = "50.00 8 16" ]
	done
	for m in Root UCM LCM; do
		[ "$(score $m gold.conllu s 2>/dev/null)" = "50.00 1 2" ]
	done
	awk -v FS='\t' -v OFS='\t' '/^$/ { n++ } !n && NF == 10 { $7 = 1; $8 = "_" } 1' s >broken
	[ "$(score LA gold.conllu broken 2>/dev/null)" = "50.00 8 16" ]
	# A word without a relation in gold is no match, and groups tell where they are.
	sed 's/root/_/' gold.conllu >open
	[ "$(score LA open broken 2>/dev/null)" = "43.75 7 16" ]
	hp-eval --csv --by=arc,relation --confusion gold.conllu s >csv 2>/dev/null
	[ "$(grep -c ',none' csv)" -gt 0 ]
	# The scorer of CoNLL 2018 has no head there either: F1 of 8 of 16 words.
	run -0 --separate-stderr hp-eval --conll gold.conllu s
	[ "$stderr" = "$line" ]
	[[ "$(grep '^UAS' <<<"$output")" == *" 50.00 |"* ]]
	[[ "$(grep '^UPOS' <<<"$output")" == *" 100.00 |"* ]]
	# In gold the line means nothing.
	prints "$(hp-eval gold.conllu gold.conllu)" s gold.conllu
	# Each of two systems.
	run -0 --separate-stderr hp-eval --compare --samples=10 gold.conllu s s
	[ "${stderr_lines[1]}" = "$line" ]
}
