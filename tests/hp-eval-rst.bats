#!/usr/bin/env bats
# hp-eval on rhetorical trees.  tests/data/eval holds sentences of our own, whose EDUs are called 1, 2, ... here.
# N and S are nucleus and satellite, [2-4] a node over the EDUs 2 to 4.
#
# weather-1, RST-Parseval: gold [1] S Background, [2-4] N span, [2] N Joint, [3-4] N Joint, [3] N span, [4] S Temporal;
#	system [1-2] N Joint, [1] S Background, [2] N span, [3-4] N Joint, [3] N Temporal, [4] N Temporal.
#	Right of 6: spans 5 ([1] [2] [3-4] [3] [4]), nuclearity 4 (not [4]), relation 3 ([1] [3-4] [4]), full 2 ([1] [3-4]).
#	Parseval: gold [1-4] SN Background, [2-4] NN Joint, [3-4] NS Temporal; system [1-4] NN Joint, [1-2] SN Background,
#	[3-4] NN Temporal.  Right of 3: spans 2, nuclearity 0, relation 1, full 0.
# weather-2: gold [1-2] NS Explanation, system SN Explanation.
#	RST-Parseval: of 2, spans 2, all else 0.  Parseval: of 1, span 1, nuclearity 0, relation 1, full 0.
# weather-3: one EDU.
# weather-4: gold has three nuclei joined by Joint, system (1 2) 3.
#	Binary, gold is 1 (2 3).  RST-Parseval: of 4, 3 spans, all the rest of them right.  Parseval: of 2, 1 right.
#	As it stands, gold has 3 nodes of which the system's 4 hold all.  Parseval: gold [1-3] NNN Joint; system [1-3] NN
#	Joint, [1-2] NN Joint.  Right: span 1, nuclearity 0, relation 1, full 0.
bats_require_minimum_version 1.5.0
load filters

setup() {
	: "${srcdir:=$BATS_TEST_DIRNAME/..}"
	srcdir=$(cd "$srcdir" && pwd)
	cd "$BATS_TEST_TMPDIR" || exit
	cp "$srcdir"/tests/data/eval/* .
	chmod u+w ./*.dis ./*.conllu
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
	run -0 --separate-stderr --keep-empty-lines hp-eval "$@"
	diff <(echo "$want") <(printf %s "$output")
	[ -z "$stderr" ]
}

# METRIC ARGUMENTS...: what stands behind the name of the metric
score() {
	hp-eval "${@:2}" | awk -v m="$1" '$1 == m { print $2, $3, $4 }'
}

scores='Metric               Score  Correct  Total
Span                 83.33       10     12
Nuclearity           58.33        7     12
Relation             50.00        6     12
Full                 41.67        5     12
Parseval-Span        66.67        4      6
Parseval-Nuclearity  16.67        1      6
Parseval-Relation    50.00        3      6
Parseval-Full        16.67        1      6
UCM                  33.33        1      3
LCM                   0.00        0      3

Left out: 1 sentence of one EDU'

@test "spans that contradict the leaves: a warning, and the leaves count" {
	hp-eval gold.dis system.dis >expected
	sed '0,/(span 1 4)/s//(span 1 5)/' system.dis >other.dis
	hp-eval gold.dis other.dis 2>messages | cmp - expected
	[ "$(cat messages)" = "hp-eval: other.dis:$(grep -nm 1 'span 1 5' other.dis | cut -d : -f 1): span 1 5 of a node whose leaves are 1 to 4: the leaves count" ]
}

@test "what relations and nuclearities are taken for" {
	# Spans that both have: weather-1 [1-4] SN Background, NN Joint; [3-4] NS Temporal, NN Temporal; weather-2 NS Explanation,
	# SN Explanation; weather-4 [1-3] NN Joint, NN Joint.
	run -0 --separate-stderr --keep-empty-lines hp-eval --confusion gold.dis system.dis
	[ -z "$stderr" ]
	diff <(printf %s "$output" | tail -n +14) - <<'END'

relation: rows are gold, columns the system's
               1  2  3  4  Gold
1 Background   .  .  1  .     1
2 Explanation  .  1  .  .     1
3 Joint        .  .  1  .     1
4 Temporal     .  .  .  1     1
System         0  1  2  1     4

nuclearity: rows are gold, columns the system's
        1  2  3  Gold
1 NS    .  1  1     2
2 NN    .  1  .     1
3 SN    .  1  .     1
System  0  3  1     4
END
	hp-eval --confusion --csv --nary=keep gold.dis system.dis | grep -q ',confusion-nuclearity,NNN,NN,share,100.000000,1,1,3$'
	# Two satellites' relations are one value.
	printf '( Root (span 1 3) ( Satellite (leaf 1) (rel2par A) (text _!a_!) ) ( Nucleus (leaf 2) (rel2par span) (text _!b_!) )
		( Satellite (leaf 3) (rel2par B) (text _!c_!) ) )\n' >two.dis
	hp-eval --confusion --csv --nary=keep two.dis two.dis | grep -q ',confusion-relation,A+B,A+B,share,100.000000,1,1,1$'
	hp-eval --confusion --csv --nary=keep --end-to-end two.dis two.dis | grep -q ',confusion-nuclearity,SNS,SNS,share,100.000000,1,1,1$'
}

@test "both ways of counting" {
	prints "$scores" --task=rst gold.dis system.dis
	# The other way round the same nodes agree.
	[ "$(hp-eval --task=rst system.dis gold.dis)" = "$scores" ]
	[ "$(score Full gold.dis gold.dis)" = "100.00 12 12" ]
	[ "$(score LCM gold.dis gold.dis)" = "100.00 3 3" ]
}

@test "relations of another set" {
	sed -E 's/rel2par (Joint|Background|Temporal|Explanation)/rel2par Other/g' system.dis >other.dis
	grep -q 'rel2par span' other.dis
	run -0 --separate-stderr hp-eval gold.dis other.dis
	advice='rst-extract --documents --labels=MAP renames those of a file'
	[ "$stderr" = "hp-eval: other.dis: no relation that gold.dis has; $advice" ]
	[[ $output == *"Relation "*" 0.00 "* ]]
	says 0 "hp-eval: <stdin>: no relation that gold.dis has; $advice" messages hp-eval --compare gold.dis system.dis - <other.dis
	run -0 --separate-stderr hp-eval gold.dis gold.dis
	[ -z "$stderr" ]
	# of a few: 2 of 4 say nothing yet, 3 do
	four() {
		printf '( Root (span 1 4)\n'
		for i in 1 2 3 4; do
			printf '( Nucleus (leaf %d) (rel2par %s) (text _!w_!) )\n' "$i" "${!i}"
		done
		echo ')'
	}
	four a a b b >gold4.dis
	four a b x y >half.dis
	four a x x y >less.dis
	says 0 '' messages hp-eval --nary=keep gold4.dis half.dis
	says 0 "hp-eval: less.dis: 3 of 4 relations have names that gold4.dis does not have; $advice" messages hp-eval --nary=keep gold4.dis less.dis
}

@test "what the files hold shows" {
	prints "$scores" gold.dis system.dis
	prints "$scores" - system.dis <gold.dis
	prints "$scores" gold.dis - <system.dis
	{ printf '\xef\xbb\xbf\r\n# a comment ( and\n# 1\ttwo\n\n'; cat gold.dis; } >more.dis
	prints "$scores" more.dis system.dis
	# A pipe that brings one byte at a time.
	prints "$scores" <(while IFS= read -r line; do printf '%s\n' "$line"; done <gold.dis) system.dis
	[ "$(score UAS --task=dep gold.conllu system.conllu)" = "81.25 13 16" ]
	[ "$(score UAS gold.conllu system.conllu)" = "81.25 13 16" ]
	# A bracket is a word in CoNLL-U.
	printf '# ( x\n1\t(\t_\t_\t_\t_\t0\troot\t_\t_\n' >bracket
	[ "$(score UAS bracket bracket)" = "100.00 1 1" ]
	run -1 --separate-stderr hp-eval --task=rst gold.conllu system.conllu
	[[ $stderr == "hp-eval: gold.conllu:"[0-9]*": "* ]]
	run -1 --separate-stderr hp-eval gold.dis system.conllu
	[[ $stderr == "hp-eval: system.conllu:"[0-9]*": "* ]]
	says 1 "hp-eval: gold.dis:2: ..." hp-eval --task=dep gold.dis system.dis
}

@test "nodes with more than two children as they stand: precision, recall and F1 differ" {
	# Span: 5 + 2 + 3 of 6 + 2 + 3 in gold and of 6 + 2 + 4 in the system's.
	prints "\
Metric               Precision  Recall     F1  Correct  Gold  System
Span                     83.33   90.91  86.96       10    11      12
Nuclearity               58.33   63.64  60.87        7    11      12
Relation                 50.00   54.55  52.17        6    11      12
Full                     41.67   45.45  43.48        5    11      12
Parseval-Span            66.67   80.00  72.73        4     5       6
Parseval-Nuclearity       0.00    0.00   0.00        0     5       6
Parseval-Relation        50.00   60.00  54.55        3     5       6
Parseval-Full             0.00    0.00   0.00        0     5       6
UCM                      33.33   33.33  33.33        1     3       3
LCM                       0.00    0.00   0.00        0     3       3

Left out: 1 sentence of one EDU" --nary=keep gold.dis system.dis
	prints "$scores" --nary=binarize gold.dis system.dis
	# N-ary trees on the system's side are made binary too.
	[ "$(score LCM gold.dis gold.dis)" = "100.00 3 3" ]
	[ "$(hp-eval --nary=keep --by=edus gold.dis system.dis | awk '$1 == 3 { print $2, $3, $4, $5, $6 }')" = "3 4 75.00 100.00 85.71" ]
}

@test "satellites of a node with several children are counted nearest first, the right one first" {
	cat >g <<'END'
( Root (span 1 4)
  ( Satellite (leaf 1) (rel2par Cause) (text _!a_!) )
  ( Nucleus (leaf 2) (rel2par span) (text _!b_!) )
  ( Satellite (leaf 3) (rel2par Purpose) (text _!c_!) )
  ( Satellite (leaf 4) (rel2par Time) (text _!d_!) ) )
END
	cat >s <<'END'
( Root (span 1 4)
  ( Nucleus (span 1 3) (rel2par span)
    ( Satellite (leaf 1) (rel2par Cause) (text _!a_!) )
    ( Nucleus (span 2 3) (rel2par span)
      ( Nucleus (leaf 2) (rel2par span) (text _!b_!) )
      ( Satellite (leaf 3) (rel2par Purpose) (text _!c_!) ) ) )
  ( Satellite (leaf 4) (rel2par Time) (text _!d_!) ) )
END
	[ "$(score LCM g s)" = "100.00 1 1" ]
	[ "$(score Parseval-Full g s)" = "100.00 3 3" ]
}

@test "by number of EDUs and by relation" {
	run -0 --keep-empty-lines hp-eval --by=edus,relation gold.dis system.dis
	diff - <(printf %s "$output" | tail -n +14) <<'END'

edus  Gold  System    Span  Nuclearity  Relation   Full  Parseval-Span  Parseval-Nuclearity  Parseval-Relation  Parseval-Full     UCM   LCM
2        2       2  100.00        0.00      0.00   0.00         100.00                 0.00             100.00           0.00  100.00  0.00
3        4       4   75.00       75.00     75.00  75.00          50.00                50.00              50.00          50.00    0.00  0.00
4        6       6   83.33       66.67     50.00  33.33          66.67                 0.00              33.33           0.00    0.00  0.00

relation     Gold  System  Parseval-Relation-P  Parseval-Relation-R  Parseval-Relation-F  Parseval-Full-P  Parseval-Full-R  Parseval-Full-F  Parseval-Span
Joint           3       3                33.33                33.33                33.33            33.33            33.33            33.33          33.33
Background      1       1                 0.00                 0.00                 0.00             0.00             0.00             0.00         100.00
Explanation     1       1               100.00               100.00               100.00             0.00             0.00             0.00         100.00
Temporal        1       1               100.00               100.00               100.00             0.00             0.00             0.00         100.00
END
	# 4 and 6 nodes together.
	run -0 hp-eval --by=edus --edu-bins=2 --csv gold.dis system.dis
	[ "$(echo "$output" | grep -c ,edus,)" -eq 52 ]
	grep -qx 'rst,,gold.dis,system.dis,one-EDU=1,edus,3+,Span,f1,80.000000,8,10,10' <<<"$output"
	grep -qx 'rst,,gold.dis,system.dis,one-EDU=1,edus,2,UCM,accuracy,100.000000,1,1,1' <<<"$output"
}

# The table above has the nodes: of depth 1 [1-4], [1-2] and [1-3], of depth 2 [2-4] and [2-3], of depth 3 [3-4]; the
# system's of depth 2 are [1-2] and [3-4] of weather-1 and [1-2] of weather-4.
@test "by depth of the gold tree's nodes" {
	run -0 --keep-empty-lines hp-eval --by=depth --depth-bins=1,2 gold.dis system.dis
	diff - <(printf %s "$output" | tail -n +14) <<'END'

depth  Gold  System  Parseval-Span  Parseval-Nuclearity  Parseval-Relation  Parseval-Full
1         3       3         100.00                33.33              66.67          33.33
2         2       3           0.00                 0.00               0.00           0.00
3+        1       0         100.00                 0.00             100.00           0.00
END
}

# Documents whose EDUs a system has found itself; nodes by their characters, which are a, b, c, d and e, f.
#	news: gold [a-d] NS cause, [b-d] NN list over a | b c | d; system [a-d] SN cause, [b-d] NN joint over a | b | c d.
#	Ends within: gold after a and c, system after a and b: 1 right.  Of 2 nodes 2 spans, 1 nuclearity ([b-d]), 1 relation
#	([a-d]), 0 both.  bio: gold one EDU, system [e-f]: one end and one node too many.
documents() {
	cat >own.gold <<-'END'
		# newdoc id = GUM_news_x
		# sent_ends = 1 3
		( Root (span 1 3)
		  ( Nucleus (leaf 1) (rel2par span) (text _!a_!) )
		  ( Satellite (span 2 3) (rel2par cause)
		    ( Nucleus (leaf 2) (rel2par list) (text _!b c_!) )
		    ( Nucleus (leaf 3) (rel2par list) (text _!d_!) ) ) )

		# newdoc id = GUM_bio_y
		( Root (span 1 1) (leaf 1) (text _!e f_!) )
	END
	cat >own.system <<-'END'
		# newdoc id = GUM_bio_y
		( Root (span 1 2)
		  ( Nucleus (leaf 1) (rel2par list) (text _!e_!) )
		  ( Nucleus (leaf 2) (rel2par list) (text _!f_!) ) )

		# newdoc id = GUM_news_x
		( Root (span 1 3)
		  ( Satellite (leaf 1) (rel2par cause) (text _!a_!) )
		  ( Nucleus (span 2 3) (rel2par span)
		    ( Nucleus (leaf 2) (rel2par joint) (text _!b_!) )
		    ( Nucleus (leaf 3) (rel2par joint) (text _!cd_!) ) ) )
	END
}

@test "documents end to end, by genre" {
	documents
	run -0 --separate-stderr hp-eval --end-to-end --csv --by=genre,edus own.gold own.system
	[ -z "$stderr" ]
	diff - <(sed -n 's/^rst,,own.gold,own.system,one-EDU=0,,,\(.*\)/\1/p' <<<"$output") <<'END'
Seg,precision,33.333333,1,2,3
Seg,recall,50.000000,1,2,3
Seg,f1,40.000000,1,2,3
Parseval-Span,precision,66.666667,2,2,3
Parseval-Span,recall,100.000000,2,2,3
Parseval-Span,f1,80.000000,2,2,3
Parseval-Nuclearity,precision,33.333333,1,2,3
Parseval-Nuclearity,recall,50.000000,1,2,3
Parseval-Nuclearity,f1,40.000000,1,2,3
Parseval-Relation,precision,33.333333,1,2,3
Parseval-Relation,recall,50.000000,1,2,3
Parseval-Relation,f1,40.000000,1,2,3
Parseval-Full,precision,0.000000,0,2,3
Parseval-Full,recall,0.000000,0,2,3
Parseval-Full,f1,0.000000,0,2,3
END
	grep -qx 'rst,,own.gold,own.system,one-EDU=0,genre,news,Seg,f1,50.000000,1,2,2' <<<"$output"
	grep -qx 'rst,,own.gold,own.system,one-EDU=0,genre,bio,Parseval-Span,precision,0.000000,0,0,1' <<<"$output"
	grep -qx 'rst,,own.gold,own.system,one-EDU=0,edus,3,Parseval-Span,f1,100.000000,2,2,2' <<<"$output"
	# all is right that is the same, and the same as with gold EDUs
	[ "$(hp-eval --end-to-end own.gold own.gold | grep -c ' 100.00 ')" -eq 5 ]
	hp-eval --end-to-end --csv gold.dis system.dis | grep -q ',Parseval-Relation,f1,50.000000,3,6,6$'
	# without the option other EDUs are refused
	run -1 hp-eval own.gold own.system
	sed 's/cd/ce/' own.system >other
	fails 1 "own.gold:4: no tree of the text that begins with 'a' in other" --end-to-end own.gold other
	fails 2 '--end-to-end is for rhetorical trees' --end-to-end gold.conllu system.conllu
}

@test "documents by genre with gold EDUs" {
	sed 's/weather-\([12]\)$/GUM_news_x-\1/; s/weather-/GUM_bio_y-/' gold.dis >g
	run -0 hp-eval --by=genre --csv g system.dis
	# 1 and 2: 5 + 2 of 6 + 2 spans; 4: 3 of 4
	grep -qx 'rst,,g,system.dis,one-EDU=1,genre,news,Span,f1,87.500000,7,8,8' <<<"$output"
	grep -qx 'rst,,g,system.dis,one-EDU=1,genre,bio,Span,f1,75.000000,3,4,4' <<<"$output"
	run -0 hp-eval --by=genre --csv gold.dis system.dis
	grep -qx 'rst,,gold.dis,system.dis,one-EDU=1,genre,other,Span,f1,83.333333,10,12,12' <<<"$output"
}

@test "relations that nobody has seen, in either file" {
	# The gold Joint and the gold Temporal are never right now: relation 1 of 6 ([1] of weather-1) + 0 of 2 + 0 of 4.
	sed 's/Joint/x,"y":z/; s/Temporal/Größe/' gold.dis >g
	[ "$(score Relation g system.dis)" = "8.33 1 12" ]
	[ "$(score Relation system.dis g)" = "8.33 1 12" ]
	[ "$(score Span g system.dis)" = "83.33 10 12" ]
	run -0 hp-eval --by=relation --csv g system.dis
	grep -qx 'rst,,g,system.dis,one-EDU=1,relation,"x,""y"":z",Parseval-Relation,recall,0.000000,0,3,0' <<<"$output"
	grep -qx 'rst,,g,system.dis,one-EDU=1,relation,Größe,Parseval-Span,accuracy,100.000000,1,1,1' <<<"$output"
	grep -qx 'rst,,g,system.dis,one-EDU=1,relation,Joint,Parseval-Full,precision,0.000000,0,0,3' <<<"$output"
}

@test "nuclei are called span whatever the file calls them" {
	sed 's/rel2par span/rel2par Cause/' gold.dis >g
	[ "$(hp-eval g system.dis)" = "$scores" ]
	[ "$(hp-eval --nary=keep g system.dis)" = "$(hp-eval --nary=keep gold.dis system.dis)" ]
}

@test "EDUs that do not align: both places" {
	# of the same text, which can be scored otherwise
	printf '( Root (span 1 2)\n( Nucleus (leaf 1) (rel2par l) (text _!a b_!) )\n( Nucleus (leaf 2) (rel2par l) (text _!c_!) )\n)\n' >ab.dis
	sed 's/a b/a/; s/_!c/_!b c/' ab.dis >a.dis
	fails 1 "ab.dis:2: EDU 'a b' does not align with 'a' at a.dis:2; hp-eval --end-to-end scores other EDUs of the same text" ab.dis a.dis
	sed 's/the cat (a/the cat (no/' system.dis >s
	fails 1 "gold.dis:5: EDU 'the cat ( a tabby ) sleeps' does not align with 'the cat (no tabby) sleeps' at s:4" gold.dis s
	# The last sentence's EDUs 1 and 2 become one: "I came," is no longer the first.
	awk 'BEGIN { RS = ""; ORS = "\n\n" } NR < 4' system.dis >s
	cp s t
	printf '( Root (span 1 2)\n( Nucleus (leaf 1) (rel2par Joint) (text _!I came,_!) )\n( Nucleus (leaf 2) (rel2par Joint) (text _!I saw,_!) ) )\n' >>t
	fails 1 "gold.dis:24: a sentence of 3 EDUs does not align with one of 2 at t:20" gold.dis t
	fails 1 "gold.dis:24: a sentence without counterpart: the last one ends at s:17" gold.dis s
	# One EDU against several.
	sed 's/No news/Some news/' system.dis >s
	fails 1 "gold.dis:20: EDU 'No news .' does not align with 'Some news.' at s:17" gold.dis s
}

# tree SENTENCE NUCLEARITY [ID]: two EDUs "SENTENCE a" and "b", nuclei or nucleus and satellite of the relation Joint
tree() {
	[ -z "$3" ] || echo "# sent_id = $3"
	echo "( Root (span 1 2) ( Nucleus (leaf 1) (rel2par $([ "$2" = NN ] && echo Joint || echo span)) (text _!$1 a_!) )"
	echo "( $([ "$2" = NN ] && echo Nucleus || echo Satellite) (leaf 2) (rel2par Joint) (text _!b_!) ) )"
}

# left "TEXT" NUMBER ARGUMENTS...: these scores, and a line about so many sentences of the last file
left() {
	run -0 --separate-stderr hp-eval "${@:3}"
	echo "$output" "$stderr"
	[ "$output" = "$1" ]
	[ "$stderr" = "hp-eval: ${*: -1}: left out $2 sentence$([ "$2" -eq 1 ] || echo s) that $3 does not have" ]
}

@test "systems may have more sentences, and in another order" {
	for n in 1 2 3; do tree "more $n" NN "x-$n"; done >more
	{ sed -n 1p more; cat more system.dis; } >s
	left "$scores" 3 gold.dis s
	cat system.dis more >s
	left "$scores" 3 gold.dis s
	# Every second tree is another one; then all in reverse, one of them on a line with its neighbour.
	awk 'BEGIN { RS = ""; ORS = "\n\n" } { print } NR < 4 { print "( Root (leaf 1) (text _!x_!) )" }' system.dis >s
	left "$scores" 3 gold.dis s
	awk 'BEGIN { RS = ""; ORS = "" } { all = $0 " " all } END { print all }' s >reversed
	left "$scores" 3 gold.dis reversed
	run -0 --separate-stderr hp-eval gold.dis - <reversed
	[ "$output" = "$scores" ]
	[ "$stderr" = "hp-eval: <stdin>: left out 3 sentences that gold.dis does not have" ]
	tree more NN | cat - system.dis >s
	left "$scores" 1 gold.dis s
	# Two systems, either.
	run -0 --separate-stderr hp-eval --compare gold.dis s reversed
	[ "${stderr_lines[0]}" = "hp-eval: s: left out 1 sentence that gold.dis does not have" ]
	[ "${stderr_lines[1]}" = "hp-eval: reversed: left out 3 sentences that gold.dis does not have" ]
	[ "$(echo "${lines[1]}" | tr -s ' ')" = "Span 83.33 83.33 +0.00 +0.00 +0.00 1.0000" ]
	# A tree that nobody asks for must be one all the same.
	{ cat system.dis; echo '( Root (span 1 2)'; } >s
	run -1 --separate-stderr hp-eval gold.dis s
	[[ $stderr == "hp-eval: s:"[0-9]*": "* ]]
}

@test "an id tells sentences of the same text apart" {
	{ tree x NN d-1; tree x NS d-2; tree x NS d-3; } >g
	# Right are all but d-3.
	{ tree x NN d-3; tree x NS d-2; tree y NS d-9; tree x NN d-1; } >s
	left "$(hp-eval g <(tree x NN; tree x NS; tree x NN))" 1 g s
	[ "$(score LCM g s 2>/dev/null)" = "66.67 2 3" ]
	# Without ids on one side their order counts: x NN, x NS, x NN; without those on the other too.
	[ "$(score LCM g <(tree x NN; tree y NN; tree x NS; tree x NN) 2>/dev/null)" = "66.67 2 3" ]
	[ "$(score LCM <(tree x NN; tree x NS) s 2>/dev/null)" = "100.00 2 2" ]
	# Ids of another program part nothing; those that are known go first.
	{ tree x NS other-1; tree z NS other-2; tree x NS d-2; tree x NN d-1; } >s
	[ "$(score LCM g s 2>/dev/null)" = "100.00 3 3" ]
	sed 's/sent_id = weather/sent_id = rain/' gold.dis >s
	prints "$(hp-eval gold.dis gold.dis)" gold.dis s
}

@test "gold sentences that a system does not have" {
	{ tree x NN d-1; tree y NS d-2; tree z NS d-3; } >g
	{ tree w NN d-0; tree x NN d-1; tree u NN d-9; tree z NS d-3; } >s
	fails 1 "g:5: sentence 'd-2' has no counterpart in s" g s
	{ tree w NN d-0; tree x NN d-1; tree v NS d-2; } >s
	fails 1 "g:5: EDU 'y a' does not align with 'v a' at s:8" g s
	# By the place where it should be.
	{ tree w NN; tree x NN; tree v NS; } >s
	fails 1 "g:5: EDU 'y a' does not align with 'v a' at s:5" g s
	{ tree w NN; tree x NN; } >s
	fails 1 "g:5: sentence 'd-2' has no counterpart in s" g s
	{ tree x NN; } >s
	fails 1 "g:5: a sentence without counterpart: the last one ends at s:2" g s
}

@test "files without anything to count, broken trees, no file" {
	fails 1 "/dev/null: no sentences" --task=rst /dev/null /dev/null
	fails 1 "/dev/null: no sentences" --task=rst gold.dis /dev/null
	fails 1 "/dev/null: no sentences" --task=rst /dev/null gold.dis
	printf '( Root (leaf 1) (text _!a_!) )\n' >one
	fails 1 "one: every sentence has one EDU only" one one
	sed '7s/Nucleus/Nucles/' gold.dis >broken
	for order in "broken system.dis" "gold.dis broken"; do
		run -1 --separate-stderr hp-eval $order
		echo "$stderr"
		[ -z "$output" ]
		[ "${#stderr_lines[@]}" -eq 1 ]
		[[ $stderr == "hp-eval: broken:7: "* ]]
	done
	head -c 400 gold.dis >part
	run -1 --separate-stderr hp-eval part system.dis
	[[ $stderr == "hp-eval: part:"[0-9]*": "* ]]
	fails 1 "absent: No such file or directory" gold.dis absent
	fails 1 "absent: No such file or directory" absent gold.dis
}

@test "mean and standard deviation over runs" {
	hp-eval --csv --name=x gold.dis system.dis >1.csv
	hp-eval --csv --name=x gold.dis gold.dis >2.csv
	[ "$(wc -l <1.csv)" -eq 27 ]
	[ "$(sed -n 2p 1.csv)" = "rst,x,gold.dis,system.dis,one-EDU=1,,,Span,precision,83.333333,10,12,12" ]
	# (100 + 83.33) / 2 and |100 - 83.33| / sqrt 2
	run -0 hp-eval --summarize 1.csv 2.csv
	[ "$(echo "$output" | awk '$1 == "Span" && $2 == "f1"' | tr -s ' ')" = "Span f1 2 91.67 ± 11.79" ]
}

@test "paired bootstrap" {
	run -0 hp-eval --compare gold.dis system.dis system.dis
	[ "$(echo "${lines[1]}" | tr -s ' ')" = "Span 83.33 83.33 +0.00 +0.00 +0.00 1.0000" ]
	# Every sentence gains all in LCM, so does every sample.
	run -0 hp-eval --compare --samples=99 gold.dis system.dis gold.dis
	[ "$(echo "${lines[10]}" | tr -s ' ')" = "LCM 0.00 100.00 +100.00 +100.00 +100.00 0.0100" ]
	[ "${lines[11]}" = "Left out: 1 sentence of one EDU" ]
	[ "$(hp-eval --compare --samples=99 gold.dis system.dis gold.dis)" = "$(hp-eval --compare --samples=99 --seed=1 gold.dis system.dis gold.dis)" ]
	# Sentences of one EDU are not drawn.
	hp-eval --compare --csv --samples=99 --seed=3 gold.dis system.dis gold.dis |
		grep -qx 'rst,,gold.dis,system.dis,gold.dis,one-EDU=1,LCM,accuracy,0.000000,100.000000,100.000000,100.000000,100.000000,0.010000,3,99,3'
}

@test "options of the other task" {
	fails 2 "--punct is for dependency trees" --task=rst --punct=upos a b
	fails 2 "--conll is for dependency trees" --conll gold.dis system.dis
	fails 2 "--by=arc is for dependency trees" --task=rst --by=relation,arc a b
	fails 2 "--by=edus is for rhetorical trees" --task=dep --by=edus a b
	fails 2 "--by=edus is for rhetorical trees" --by=edus gold.conllu system.conllu
	fails 2 "--edu-bins is for rhetorical trees" --edu-bins=3 gold.conllu system.conllu
	fails 2 "--nary is for rhetorical trees" --nary=keep --task=dep a b
	fails 2 "--nary: unknown 'both', expected one of binarize, keep" --nary=both a b
	fails 2 "--edu-bins: '1,2' is no list of bins; expected rising numbers from 2 on, as 10,20,30" --edu-bins=1,2 a b
	fails 2 "--by cannot be combined with --conll or --compare" --task=rst --compare --by=edus a b c
	fails 2 "expected two files, GOLD and SYSTEM; got 1" --task=rst gold.dis
	fails 2 "--summarize takes no options but --csv and --output" --summarize --task=rst a
}

@test "memory does not grow with the files" {
	! grep -q __asan_ "$(command -v hp-eval)" || skip "the address sanitizer takes the address space"
	for _ in $(seq 4000); do cat gold.dis; done >many
	run -0 bash -c 'ulimit -v 200000 && hp-eval --by=edus,relation many many'
	[ "${lines[1]}" = "Span                 100.00    48000  48000" ]
	[[ $output == *"Left out: 4000 sentences of one EDU"* ]]
}

@test "a full disk" {
	[ -w /dev/full ] || skip "no /dev/full"
	says 1 "hp-eval: standard output: ..." bash -c 'hp-eval gold.dis system.dis 2>&1 >/dev/full'
}

@test "what was not parsed has nothing right" {
	local line='hp-eval: s: 1 tree that was not parsed ("# unparsed ="): no node there counts as right'
	# weather-1 has 6 of 12 nodes, 3 of 6 inner ones, 3 of 6 ends of EDUs inside.
	sed '1i # unparsed = x:1: too long' gold.dis >s
	run -0 --separate-stderr hp-eval gold.dis s
	[ "$stderr" = "$line" ]
	for m in Span Nuclearity Relation Full; do
		[ "$(score $m gold.dis s 2>/dev/null)" = "50.00 6 12" ]
		[ "$(score Parseval-$m gold.dis s 2>/dev/null)" = "50.00 3 6" ]
	done
	for m in UCM LCM; do
		[ "$(score $m gold.dis s 2>/dev/null)" = "66.67 2 3" ]
	done
	# Its EDUs are as they were read.
	run -0 --separate-stderr hp-eval --end-to-end gold.dis s
	[ "$stderr" = "$line" ]
	grep -q '^Seg *100.00' <<<"$output"
	[[ "$(grep '^Parseval-Full' <<<"$output")" == *" 50.00 "* ]]
	hp-eval --csv --by=depth,relation --confusion gold.dis s >csv 2>/dev/null
	[[ "$(grep ',depth,1,Parseval-Span' csv)" == *,2,3,3 ]]
	[[ "$(grep ',depth,3,Parseval-Span' csv)" == *,0,1,1 ]] # weather-1 alone
	[[ "$(grep ',relation,Background,Parseval-Span' csv)" == *,0,1,1 ]]
	# A tree that has been kept meanwhile; in gold the line means nothing.
	{ sed '1,/^$/d' gold.dis; echo; sed '/^$/,$d' s; } >t
	[ "$(score Span gold.dis t 2>/dev/null)" = "50.00 6 12" ]
	prints "$(hp-eval gold.dis gold.dis)" s gold.dis
}
