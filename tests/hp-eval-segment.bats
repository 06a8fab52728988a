#!/usr/bin/env bats
# hp-eval on discourse units.  Words that begin one have a bar before them here.
#	gold    |When it rained , |we left .   |Do n't ask .    |He said |no
#	system  |When it rained , we |left .   |Do n't |ask .   |He said |no
# All: 4 of 5 gold ones and of the system's 6.  Inside, without When, Do and He: 1 of 2 and of 3.
bats_require_minimum_version 1.5.0
load filters

setup() {
	enter
	text gold "When|B it rained , we|B left ." "*Do|B n't ask ." "He|B said no|B"
	text system "When|B it rained , we left|B ." "*Do|B n't ask|B ." "He|B said no|B"
}

# text FILE SENTENCE...: words that end in |B begin a unit, those that begin with * a multiword token, which has the mark.
# The last sentence is another document's.
text() {
	local file=$1 n=0 sentence word i misc
	shift
	for sentence in "$@"; do
		n=$((n + 1))
		[ $n -ne 1 ] || echo "# newdoc id = X_news_one"
		[ $n -ne 3 ] || echo "# newdoc id = X_talk_two"
		i=0
		for word in $sentence; do
			i=$((i + 1)) misc=_
			[[ $word != *"|B" ]] || misc=${mark:-Seg=B-seg}
			word=${word%|B}
			if [[ $word == "*"* ]]; then
				printf "$i-$((i + 1))\tDon't\t_\t_\t_\t_\t_\t_\t_\t%s\n" "$misc"
				word=${word#\*} misc=_
			fi
			printf "$i\t%s\t_\t_\t_\t_\t1\tx\t_\t%s\n" "$word" "$misc" # heads that are no tree
		done
		echo
	done >"$file"
}

# figures ARGUMENTS...: those of the two lines, without names
figures() {
	hp-eval --task=segment "$@" | sed -n '2,3s/^[A-Z][a-z]* *//p' | tr -s ' '
}

@test "beginnings of units, and those inside sentences" {
	run -0 --separate-stderr hp-eval --task=segment gold system
	[ -z "$stderr" ]
	diff - <(echo "$output") <<'END'
Metric  Precision  Recall     F1  Correct  Gold  System
Starts      66.67   80.00  72.73        4     5       6
Inside      33.33   50.00  40.00        1     2       3
END
	[ "$(figures gold gold)" = $'100.00 100.00 100.00 5 5 5\n100.00 100.00 100.00 2 2 2' ]
	mark=BeginSeg=Yes text disrpt "When|B it rained , we|B left ." "*Do|B n't ask ." "He|B said no|B"
	mark=Discourse=joint-list:1-2 text gum "When|B it rained , we|B left ." "*Do|B n't ask ." "He|B said no|B"
	[ "$(figures disrpt gum)" = "$(figures gold gold)" ]
}

@test "by genre, as CSV, compared" {
	run -0 hp-eval --task=segment --by=genre gold system
	diff - <(tail -n 3 <<<"$output") <<'END'
genre  Gold  System  Starts-P  Starts-R  Starts-F  Inside-P  Inside-R  Inside-F
news      3       4     50.00     66.67     57.14      0.00      0.00      0.00
talk      2       2    100.00    100.00    100.00    100.00    100.00    100.00
END
	hp-eval --task=segment --by=genre --csv --name=a gold system >a.csv
	grep -qx 'segment,a,gold,system,,,,Inside,f1,40.000000,1,2,3' a.csv
	grep -qx 'segment,a,gold,system,,genre,news,Starts,recall,66.666667,2,3,4' a.csv
	hp-eval --summarize a.csv | grep -q '^genre *talk *Starts *f1 *1 *100.00'
	# Names may be those of sentences, or none.
	sed 's/newdoc id = \(.*\)/sent_id = \1-1/' gold >named
	hp-eval --task=segment --by=genre --csv named system | grep -q ',genre,other,Starts,recall,100.000000,1,1,'
	run -0 hp-eval --task=segment --compare --samples=50 gold system gold
	grep -q '^Starts *72.73 *100.00 ' <<<"$output"
}

@test "other sentences and tokens of the same text" {
	# Right: When, we, He.  Inside: we.
	text joined "When|B it rained, we|B left. Don't ask." "He|B saidno"
	[ "$(figures gold joined)" = $'100.00 60.00 75.00 3 5 3\n100.00 50.00 66.67 1 2 1' ]
	# A sentence that begins inside a gold one counts there, as does what it has beyond.
	text parted "When|B it rained , we|B left ." "*Do|B n't ask ." "He|B" "said|B no|B"
	[ "$(figures gold parted)" = $'83.33 100.00 90.91 5 5 6\n66.67 100.00 80.00 2 2 3' ]
	# Inside a multiword token the number of the word counts.
	text inner "When|B it rained , we|B left ." "*Do|B n't|B ask ." "He|B said no|B"
	[ "$(figures inner inner | head -n 1)" = "100.00 100.00 100.00 6 6 6" ]
	text apart "When|B it rained , we|B left ." "Do|B n't|B ask ." "He|B said no|B"
	[ "$(figures inner apart | head -n 1)" = "83.33 83.33 83.33 5 6 6" ]
}

@test "files that do not go together, options of other tasks" {
	sed 's/\tit\t/\tid\t/' system >other
	says 1 "hp-eval: gold:3: token 'it' does not align with 'id' at other:3" hp-eval --task=segment gold other
	sed 's/Seg=B-seg/_/' system >bare
	says 1 "hp-eval: bare: no word is marked as the first one of an EDU (Discourse=, Seg=B-seg or BeginSeg=Yes in MISC)" \
		hp-eval --task=segment gold bare
	says 1 "hp-eval: /dev/null: no sentences" hp-eval --task=segment gold /dev/null
	says 1 "hp-eval: gold:..." hp-eval gold system # no trees
	says 2 "hp-eval: --by=arc is for dependency trees" hp-eval --task=segment --by=arc gold system
	says 2 "hp-eval: --by=edus is for rhetorical trees" hp-eval --task=segment --by=edus gold system
	says 2 "hp-eval: --punct is for dependency trees" hp-eval --task=segment --punct=upos gold system
	says 2 "hp-eval: --end-to-end is for rhetorical trees" hp-eval --task=segment --end-to-end gold system
	says 2 "hp-eval: --confusion is for trees" hp-eval --task=segment --confusion gold system
}
