#!/usr/bin/env bats
# hp-draw: pictures as text, SVG, HTML and LaTeX, and what it makes of texts that are hard to draw.

bats_require_minimum_version 1.5.0
load filters

setup() {
	enter
	unset COLUMNS
}

# words HEAD...: a sentence of words w1, w2 ... of which each has its head.
words() {
	local n=0 head
	for head; do
		n=$((n + 1))
		w $n "w$n" NOUN "$head" "r$head"
	done
	echo
}

# random SEED SENTENCES WORDS [projective]: sentences of 1 to WORDS words, of many scripts, with random trees.
random() {
	awk -v seed="$1" -v sentences="$2" -v most="$3" -v name="${4:-any}" '
	function one(list, part, n) {
		n = split(list, part, " ")
		return part[1 + int(rand() * n)]
	}
	# A random tree over FROM to TO below HEAD without arcs that cross.
	function grow(from, to, head, top) {
		if (from > to) { return }
		top = from + int(rand() * (to - from + 1))
		heads[top] = head
		grow(from, top - 1, top)
		grow(top + 1, to, top)
	}
	BEGIN {
		srand(seed)
		for (s = 1; s <= sentences; s++) {
			n = s == 1 ? 1 : s == 2 ? most : 1 + int(rand() * most)
			if (name == "projective") {
				grow(1, n, 0)
			} else {
				for (i = 1; i <= n; i++) { order[i] = i }
				for (i = n; i > 1; i--) { k = 1 + int(rand() * i); t = order[i]; order[i] = order[k]; order[k] = t }
				for (i = 1; i <= n; i++) { heads[order[i]] = i == 1 ? 0 : order[1 + int(rand() * (i - 1))] }
			}
			print "# sent_id = " name " " s
			for (i = 1; i <= n; i++) {
				printf "%d\t%s\t_\t%s\t_\t_\t%d\t%s\t_\t_\n", i,
					one("a of internationalisation 漢字仮名 كتاب किताब книга WWWWW illi é́ 😀 mmmmmmmmmmmmmmmmmmmmmmmmmmmm"),
					one("NOUN VERB DET X"), heads[i], one("nsubj det nmod:poss acl:relcl x compound:prt:very:long:relation")
			}
			print ""
		}
	}'
}

# document SEED EDUS: a random tree in .dis notation.
document() {
	awk -v seed="$1" -v edus="$2" '
	function one(list, part, n) {
		n = split(list, part, " ")
		return part[1 + int(rand() * n)]
	}
	function text(i, n, t) {
		for (n = int(rand() * 20); n >= 0; n--) { t = t one("of maps 漢字仮名交じり文 كتاب किताब internationalisation") " " }
		return t i
	}
	function node(from, to, role, relation, children, at, next_at, i, nucleus, many) {
		if (from == to) {
			printf "( %s (leaf %d) %s (text _!%s_!) )\n", role, from, relation, text(from)
			return
		}
		printf "( %s (span %d %d) %s\n", role, from, to, relation
		children = 2 + int(rand() * rand() * 5)
		if (children > to - from + 1) { children = to - from + 1 }
		nucleus = 1 + int(rand() * children)
		many = rand() < 0.3
		at = from
		for (i = 1; i <= children; i++) {
			next_at = i == children ? to + 1 : at + 1 + int(rand() * (to - at - (children - i)))
			node(at, next_at - 1, many || i == nucleus ? "Nucleus" : "Satellite",
				"(rel2par " (many ? "joint-list" : i == nucleus ? "span" : one("cause elaboration-object-attribute-e Background")) ")")
			at = next_at
		}
		print ")"
	}
	BEGIN { srand(seed); node(1, edus, "Root", "") }'
}

@test "a sentence that fits goes across" {
	words 2 0 4 2 >in
	says 0 '  ┌─────┬───────────┐
  │     │     ┌─────┤
  ▼     │     ▼     ▼
  w1    w2    w3    w4
 NOUN  NOUN  NOUN  NOUN
  r2    r0    r4    r2' hp-draw in
}

@test "one that does not goes down" {
	words 2 0 4 2 >in
	says 0 ' ┌───► 1 w1  NOUN  r2
 ├──── 2 w2  NOUN  r0
 │ ┌─► 3 w3  NOUN  r4
 └─┴─► 4 w4  NOUN  r2' hp-draw -w 20 in
	hp-draw -w 20 in >narrow
	hp-draw --down in | cmp - narrow
	COLUMNS=20 hp-draw in | cmp - narrow
}

@test "plain ASCII" {
	words 2 0 1 >in
	says 0 '  +-----+
  +-----------+
  v     |     v
  w1    w2    w3
 NOUN  NOUN  NOUN
  r2    r0    r1' hp-draw --ascii in
	says 0 ' +-+-> 1 w1  NOUN  r2
 +-|-- 2 w2  NOUN  r0
   +-> 3 w3  NOUN  r1' hp-draw -a -d in
}

@test "colours where they are asked for" {
	words 0 >in
	hp-draw -c always in | grep -q $'\e\[1mw1\e\[0m'
	hp-draw in >out
	[ "$(grep -c $'\e' out)" -eq 0 ]
	says 2 "hp-draw: --colour: 'red' is not auto, always or never" hp-draw -c red in
}

@test "wide characters, combining marks, multiword tokens" {
	{ w 1-2 漢字 _; w 1 漢 NOUN 2 a; w 2 字字字字 NOUN 0 root; w 3 é X 2 b; echo; } >in
	says 0 '  ┌───────┬──────┐
  ▼       │      ▼
  漢   字字字字  é
 └────漢字────┘
 NOUN    NOUN    X
  a      root    b' hp-draw in
}

@test "a script that is written from right to left goes down, forms last" {
	{ w 1 كتاب NOUN 0 root; w 2 جديد ADJ 1 amod; echo; } >in
	says 0 ' ┌── 1 NOUN  root  كتاب
 └─► 2 ADJ   amod  جديد' hp-draw in
}

@test "what differs from a second file" {
	words 2 0 2 >in
	words 2 0 1 >gold
	hp-draw --gold gold in | grep -x ' *≠1:r1'
	hp-draw -d --gold gold in | grep -x ' *└─► 3 w3  NOUN  r2  ≠1:r1'
	hp-draw -a -d --gold gold in | grep -x ' *+-> 3 w3  NOUN  r2  !=1:r1'
	hp-draw --svg --gold gold in >out
	[ "$(grep -c 'class="arc gold"' out)" -eq 1 ]
	[ "$(grep -c 'class="arc wrong"' out)" -eq 1 ]
	[ "$(grep -c 'class="arc tree"' out)" -eq 2 ]
	hp-draw --latex --gold gold in | grep -F '\depedge[edge below,edge style={green!50!black,dashed}]{1}{3}{r1}'
	hp-draw --gold in in >same
	hp-draw in | cmp - same
}

@test "a second file of other sentences" {
	words 2 0 2 >in
	words 2 0 >short
	sed 's/w2/other/' in >other
	says 1 'hp-draw: short:1: word 3 of the sentence is not that of in:3' hp-draw -o out --gold short in
	says 1 'hp-draw: other:2: word 2 of the sentence is not that of in:2' hp-draw -o out --gold other in
	: >empty
	says 1 'hp-draw: in:1: empty has no sentence for this one' hp-draw --gold empty in
	printf '( Root (leaf 1) (text _!a_!) )\n' >tree
	says 1 'hp-draw: tree: rhetorical trees, --gold is for dependency trees' hp-draw --gold in tree
	says 1 'hp-draw: nowhere: No such file or directory' hp-draw --gold nowhere in
}

@test "enhanced graphs: empty nodes, arcs that the tree has not" {
	{ w 1 Sue X 2 nsubj 2:nsubj; w 2 likes X 0 root 0:root; w 3 tea X 2 obj '2:obj|3.1:obj'
		w 3.1 drinks X _ _ 2:conj; echo; } >in
	says 0 ' ┌─►   1 Sue     X  nsubj
 ├──   2 likes   X  root
 └─►   3 tea     X  obj    +3.1:obj
     3.1 drinks  X         +2:conj' hp-draw -e in
	[ "$(hp-draw in | grep -c drinks)" -eq 0 ]
	[ "$(hp-draw -e -s in | grep -c 'class="arc more"')" -eq 2 ]
}

@test "what is no tree is drawn, what is no number is not" {
	words 2 1 >cycle
	hp-draw cycle | grep -q w1
	hp-draw -s cycle | grep -q w1
	words 0 0 _ 3 >roots
	hp-draw roots | grep -q w3
	words 2 0 9 >far
	says 1 'hp-draw: far:3: HEAD "9", expected a number from 0 to 3' hp-draw far
	words 2 0 x >letter
	says 1 'hp-draw: letter:3: HEAD "x", expected a number from 0 to 3' hp-draw letter
	says 0 '' hp-draw /dev/null
}

@test "rhetorical trees as outlines" {
	says 0 'sample-4
1–2
├─ Condition  1 If you like maps ,
┕━            2 read them indoors .' hp-draw <(tail -n 5 "$srcdir/examples/sample.dis")
	says 0 'sample-4
1-2
|- Condition  1 If you like maps ,
`=            2 read them indoors .' hp-draw -a <(tail -n 5 "$srcdir/examples/sample.dis")
	hp-draw "$srcdir/examples/library.rs3" | grep -x '   │  └─ elaboration-object-attribute-e  6 that looks out on the park'
	hp-draw -w 40 "$srcdir/examples/library.rs3" >out
	[ "$(awk 'length > 60' out | wc -l)" -eq 0 ]
	says 1 'hp-draw: ...: rhetorical trees, --latex is for dependency trees' messages hp-draw -l "$srcdir/examples/sample.dis"
}

@test "markup in texts stays text" {
	{ w 1 '</script><b>&"' X 0 '<i>'; w 2 $'\u202e\u0085' X 1 '_%$#&{}\^~'; echo; } >in
	hp-draw --html in >out
	[ "$(grep -c '<b>&"\|<i>' out)" -eq 0 ]
	[ "$(grep -c '</script>' out)" -eq 1 ]
	grep -q '&lt;/script&gt;&lt;b&gt;&amp;&quot;' out
	for form in -t -s -H -l; do
		hp-draw $form in >out
		[ "$(grep -c $'\u202e\|\u0085' out)" -eq 0 ]
	done
	hp-draw -l in | grep -F '{\_\%\$\#\symbol{38}\{\}\textbackslash{}\textasciicircum{}\textasciitilde{}}'
	# Its XML is XML, though not of rhetorical trees.
	hp-draw -s in >in.svg
	says 1 'hp-draw: in.svg:...' hp-draw in.svg
	[[ $output != *well-formed* && $output != *mismatched* ]]
}

@test "sentences of 20,000 words, however deep" {
	# The address sanitizer takes the address space.
	drawn() { (grep -q __asan_ "$(command -v hp-draw)" || ulimit -v 600000; timeout 60 hp-draw "$@") >out && [ "$(wc -c <out)" -lt 20000000 ]; }
	awk 'BEGIN { for (i = 1; i <= 20000; i++) print i "\tw\t_\t_\t_\t_\t" i - 1 "\tx\t_\t_" }' >chain
	awk 'BEGIN { for (i = 1; i <= 20000; i++) print i "\tw\t_\t_\t_\t_\t" (i > 1) "\tx\t_\t_" }' >star
	random 3 2 20000 >any
	for form in -t -s -H -l; do
		for in in chain star any; do
			drawn $form $in
		done
	done
	awk 'BEGIN { print "( Root"; for (i = 1; i < 5000; i++) { printf "( Nucleus (leaf %d) (rel2par span) (text _!a_!) )", i
		if (i < 4999) print "( Satellite (rel2par x)" }
		print "( Satellite (leaf 5000) (rel2par x) (text _!a_!) )"; for (i = 1; i < 5000; i++) print ")" }' >deep
	for form in -t -s -H; do
		drawn $form deep
	done
}

@test "words of any length" {
	head -c 100000 /dev/zero | tr '\0' m >form
	{ w 1 "$(<form)" X 0 root; echo; } >in
	[ "$(hp-draw in | awk '{ if (length > most) most = length } END { print most }')" -lt 80 ]
	hp-draw -s in | grep -q '<svg [^>]*width="3[0-9][0-9]"'
}

@test "what comes before an error is drawn, and files end as they should" {
	{ words 0; echo "1 bad"; echo; words 0; } >in
	for form in -s -H -l; do
		says 1 'hp-draw: in:3: ...' messages hp-draw $form in
		hp-draw $form in 2>messages >out || true
		grep -q w1 out
		tail -n 1 out | grep -qx '</svg>\|</html>\|\\end{document}'
	done
}

@test "in a browser nothing overlaps or leaves its picture" {
	browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "no chromium"
	random 1 12 40 >any.conllu
	random 2 2 120 >long.conllu
	random 3 12 40 projective >projective.conllu
	random 4 12 40 projective | sed 's/\(compound\)[a-z:]*/\1/' >gold.conllu
	for n in 1 2 3 10 40 150; do
		document $n $n
		echo
	done >trees.dis
	cp "$srcdir/examples/sample.conllu" treebank.conllu
	sed -i 's/^# sent_id = /&projective /' treebank.conllu
	hp-draw --html any.conllu long.conllu projective.conllu treebank.conllu trees.dis >page.html
	{
		sed '/^<\/body>/,$d' page.html
		echo '<style>section { content-visibility: visible !important }</style><script>'
		cat "$srcdir/tests/draw-layout.js"
		printf '</script>\n</body>\n</html>\n'
	} >look.html
	timeout 300 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/profile" --dump-dom "file://$PWD/look.html" \
		2>browser.log | sed -n '/<pre id="result">/,/<\/pre>/p' >result
	cat result
	grep -q '^looked at [0-9]\{4,\} texts, 0 wrong$' result
}
