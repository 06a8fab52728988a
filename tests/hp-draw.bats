#!/usr/bin/env bats
# hp-draw: pictures as text, SVG, HTML and LaTeX, and what it makes of texts that are hard to draw.

bats_require_minimum_version 1.5.0
load filters

setup() {
	enter
	export COLUMNS=80
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

@test "a word alone" {
	w 1 Yes INTJ 0 discourse | says 0 '    Yes
    INTJ
 discourse' hp-draw
}

@test "one that does not goes down" {
	words 2 0 4 2 >in
	says 0 ' ┌───► 1 w1  NOUN  r2
 ├──── 2 w2  NOUN  r0
 │ ┌─► 3 w3  NOUN  r4
 └─┴─► 4 w4  NOUN  r2' hp-draw -w 21 in
	hp-draw -w 21 in >narrow
	hp-draw --down in | cmp - narrow
	COLUMNS=21 hp-draw in | cmp - narrow
}

@test "what gives way where there is no room: gaps, tags, brackets, ends of words" {
	{ w 1 She PRON 2 nsubj; w 2 gave VERB 0 root; w 3 international ADJ 4 amod; w 4 friendships NOUN 2 obj; echo; } >in
	says 0 ' ┌───► 1 She      nsubj
 ├──── 2 gave     root
 │ ┌─► 3 interna… amod
 └─┴─► 4 friends… obj' hp-draw -w 25 in
	says 0 ' ┌───► 1 She     nsubj
 ├──── 2 gave    root
 │ ┌─► 3 intern… amod
 └─┴─► 4 friend… obj' hp-draw -w 22 in
}

# wide WIDTH FILE OPTION...: how many lines of a picture are wider.
wide() {
	hp-draw -w "$@" | LC_ALL=C.UTF-8 wc -L
}

@test "no line is wider than what was asked for" {
	{ random 1 30 60; random 2 30 12 projective; } >in
	awk -F '\t' -v OFS='\t' 'NF == 10 && $1 % 7 == 2 && last { print $1 - 1 "-" $1, "du漢字漢字漢字漢字漢字漢字", "_", "_", "_", "_", "_", "_", "_", "_" }
		NF == 10 { if (last) { print last } last = $0; $9 = $7 ":x|0:conj:and"; last = $0; next }
		last { print last; last = "" } { print }' in >ranges
	sed 's/nsubj/obj/' in >gold
	document 1 60 >tree
	for n in 20 21 23 30 40 60 80 100; do
		[ "$(wide $n in)" -le $n ]
		[ "$(wide $n -a -d in)" -le $n ]
		[ "$(wide $n -g gold in)" -le $n ]
		[ "$(wide $n -d -g gold in)" -le $n ]
		[ "$(wide $n -e ranges)" -le $n ]
		[ "$(wide $n -d ranges)" -le $n ]
		[ "$(wide $n tree)" -le $n ]
		[ "$(wide $n -a tree)" -le $n ]
	done
}

@test "the width is that of the terminal, also before a pager" {
	command -v script >/dev/null || skip "no script"
	words 2 0 4 2 >in
	unset COLUMNS
	hp-draw -w 30 in >narrow
	hp-draw -w 80 in >normal
	seen() { script -qec "stty cols 30; $1" /dev/null </dev/null >/dev/null; }
	seen "hp-draw in | cat >out"
	cmp out narrow
	seen "hp-draw in 2>messages | cat >out"
	cmp out narrow
	seen "COLUMNS=80 hp-draw in | cat >out"
	cmp out normal
	if command -v setsid; then
		setsid hp-draw in 2>messages </dev/null | cmp - normal
	fi
}

@test "the n best trees of a sentence have its name, their rank and their score" {
	for n in 1 2; do
		printf '# sent_id = first\n# nbest = %d\n# score = -%d.5000\n' $n $n
		words 0 1
	done >in
	hp-draw in | grep -xF 'first  tree 2, score -2.5000'
	hp-draw -w 25 in | grep -xF 'f…  tree 2, score -2.5000'
	hp-draw -s in | grep -F '>first<tspan dx="11">tree 2, score -2.5000</tspan>'
	hp-draw -l in | grep -F '{first\quad tree 2{,} score -2.5000}'
	hp-draw -H in | grep -F '<section id="t2" data-n="1"><h2><a href="#t2">1</a>first<small>tree 2, score -2.5000</small>'
	{ grep -v sent_id in; words 0; } >unnamed
	hp-draw unnamed | grep -xF '1  tree 2, score -2.5000'
	hp-draw -H unnamed | grep -F '<section id="t3" data-n="2"><h2><a href="#t3">2</a></h2>'
	for n in 1 2; do
		printf '# nbest = %d\n( Root (leaf 1) (text _!a_!) )\n\n' $n
	done >trees.dis
	hp-draw trees.dis | grep -xF 'trees  tree 1'
	hp-draw trees.dis | grep -xF 'trees  tree 2'
	sed 's/^# nbest/# sent_id = a.2\n&/' trees.dis | hp-draw | grep -xF 'a.2  tree 2'
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
	says 0 '  ┌─────┬──────┐
  ▼     │      ▼
  w1    w2     w3
  1     2      3
 NOUN  NOUN   NOUN
  r2    r0     r2
             ≠1:r1' hp-draw --gold gold in
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
	says 1 'hp-draw: tree:1: a rhetorical tree, but in has dependency trees' hp-draw --gold in tree
	says 1 'hp-draw: in:1: a dependency tree, but tree has rhetorical trees' hp-draw --gold tree in
	says 1 'hp-draw: tree:1: a rhetorical tree, but empty has nothing' hp-draw --gold empty tree
	says 0 '' hp-draw --gold tree empty
	cp in same
	says 1 'hp-draw: same: input and output are the same file' hp-draw --gold same -o same in
	cmp same in
	says 1 'hp-draw: nowhere: No such file or directory' hp-draw --gold nowhere in
}

# node ROLE SPAN RELATION [TEXT]: a line of .dis notation, with the closing bracket of a leaf.
node() {
	if [ $# -eq 4 ]; then
		printf '( %s (leaf %s) (rel2par %s) (text _!%s_!) )\n' "$@"
	else
		printf '( %s (span %s) (rel2par %s)\n' "$@"
	fi
}

@test "rhetorical trees: what differs from a second file" {
	{
		printf '# newdoc id = a\n( Root (span 1 4)\n'
		node Nucleus '1 2' span; node Nucleus 1 span "do n't"; node Satellite 2 cause two; echo ')'
		node Satellite '3 4' elaboration; node Nucleus 3 joint three; node Nucleus 4 joint four; echo ') )'
	} >in
	{
		printf '# newdoc id = a\n( Root (span 1 4)\n'
		node Satellite 1 context "don't"; node Nucleus '2 4' span; node Nucleus 2 span two
		node Satellite '3 4' elaboration; node Nucleus 3 joint three; node Nucleus 4 list four; echo ') ) )'
	} >gold
	says 0 "a
1–4
┝━ ≠  1–2
│  ┝━ ≠satellite:context  1 do n't
│  └─ cause≠nucleus       2 two
└─ elaboration  3–4
   ┝━ joint               3 three
   ┕━ joint≠list          4 four" hp-draw --gold gold in
	hp-draw -a --gold in gold | grep -xF -- '`= !=  2-4'
	hp-draw -a --gold in gold | grep -xF -- "|- context!=nucleus      1 don't"
	hp-draw --colour=always --gold gold in | grep -cF $'\e[31m' | grep -qx 4
	hp-draw --html --gold gold in >out
	grep -o 'data-differ="[0-9]*"' out | grep -qx 'data-differ="4"'
	grep -F '<div class="leaf satellite wrong"><b>cause</b><em>≠nucleus</em> <i>2</i>' out
	grep -o 'class="[a-z ]* wrong"' out | LC_ALL=C sort | uniq -c | tr -s ' ' >got
	printf ' %s wrong"\n' '1 class="arc' '2 class="leaf nucleus' '1 class="leaf satellite' '4 class="nucleus' '4 class="span' | diff - got
	hp-draw --svg --gold gold in | grep -cF '<g class="span wrong">' | grep -qx 4
	hp-draw --gold in in >same
	hp-draw in | cmp - same
	# A tree of many children is made binary for one that is.
	{ printf '( Root (span 1 3)\n'; for i in 1 2 3; do node Nucleus $i list w$i; done; echo ')'; } >many
	rst-convert --binary --to=dis many >binary
	hp-draw --gold many binary | grep -c ≠ | grep -qx 0
	hp-draw --gold binary many | grep -c ≠ | grep -qx 0
	# A forest, whose trees are made binary, and whose roots may be nodes.
	{
		echo '<rst><header><relations><rel name="cause" type="rst"/><rel name="list" type="multinuc"/></relations></header><body>'
		printf '<segment id="%s" parent="9" relname="list">w%s</segment>\n' 1 1 2 2 3 3
		echo '<segment id="4">w4</segment><group id="9" type="multinuc"/></body></rst>'
	} >forest.rs3
	rst-convert --binary --join=list --to=dis forest.rs3 >joined
	hp-draw -a --gold forest.rs3 joined | grep -xF '|= list!=root  1-3'
	hp-draw -a --gold joined forest.rs3 | grep -xF '!=nucleus:list  1-3'
	# White space of any kind does not count.
	printf '( Root (leaf 1) (text _!\ufeffa \u00a0b\u2028_!) )\n' >white
	printf '( Root (leaf 1) (text _!ab_!) )\n' >black
	says 0 'black
1 ab' hp-draw --gold white black
	# However long they are, one sees that they differ.
	long=$(printf 'a%.0s' {1..80})
	sed "s/elaboration/$long/" in >longer
	for width in 20 40 200; do
		hp-draw --width=$width --gold in longer | grep -c 'a≠\|…≠' | grep -qx 1
		[ "$(wide $width --gold longer in)" -le $width ]
		hp-draw --width=$width --gold longer in | grep -c '≠…\|≠aa*…\|≠a*$' | grep -qv '^0$'
	done
	sed 's/two/too/' in >other
	says 1 'hp-draw: other:5: EDU 2 is not that of in:5' hp-draw -o out --gold other in
	says 1 'hp-draw: many:1: a tree of 3 EDUs, expected the 4 of in:2' bash -c 'sed "s/w1/don'"'"'t/; s/w2/two/; s/w3/three/" many >few; mv few many; hp-draw --gold many in'
	says 1 'hp-draw: in:2: gold has no tree for this one' bash -c 'hp-draw --gold gold in in >out'
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
	says 1 'hp-draw: '"$srcdir/examples/sample.dis"': rhetorical trees, --latex is for dependency trees' \
		hp-draw -l "$srcdir/examples/sample.dis"
	printf '( Root (span 1 2) ( Nucleus (leaf 1) (rel2par joint) (text _!a glasses front , but not_!) )
		( Nucleus (leaf 2) (rel2par joint) (text _!in the » ( room ) ._!) ) )\n' >part.dis
	says 0 'part
1–2
┝━ joint
│  1 a glasses
│    front , but not
┕━ joint
   2 in the » (
     room ) .' hp-draw -w 20 part.dis
}

@test "subtrees that are too deep are drawn behind the outline" {
	awk 'BEGIN { print "( Root"; for (i = 1; i < 6; i++) { printf "( Nucleus (leaf %d) (rel2par span) (text _!a_!) )", i
		if (i < 5) print "( Satellite (rel2par x)" }
		print "( Satellite (leaf 6) (rel2par x) (text _!a_!) )"; for (i = 1; i < 6; i++) print ")" }' >chain.dis
	says 0 'chain
1–6
┝━    1 a
└─ x  2–6
   ┝━ 2 a
   └─ x  3–6 »

» 3–6  x
┝━    3 a
└─ x  4–6
   ┝━ 4 a
   └─ x  5–6
      ┝━ 5 a
      └─ x
         6 a' hp-draw -w 20 chain.dis
	hp-draw -w 20 -a chain.dis | grep -x '   `- x  3-6 >'
	hp-draw -w 20 -a chain.dis | grep -x '> 3-6  x'
	# Each EDU once, however deep, and each name of a subtree with its outline.
	awk 'BEGIN { print "( Root"; for (i = 1; i < 1000; i++) { printf "( Nucleus (leaf %d) (rel2par span) (text _!a_!) )", i
		if (i < 999) print "( Satellite (rel2par x)" }
		print "( Satellite (leaf 1000) (rel2par x) (text _!a_!) )"; for (i = 1; i < 1000; i++) print ")" }' >deep.dis
	hp-draw deep.dis >out
	grep -o ' [0-9]* a$' out | tr -d ' a' | sort -n | cmp - <(seq 1000)
	[ "$(grep -c ' »$' out)" -gt 50 ]
	cmp <(grep -o '[0-9]*–[0-9]* »$' out | sed 's/ »//') <(grep -o '^» [0-9]*–[0-9]*' out | sed 's/» //')
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

# looks_right FILE: what tests/draw-layout.js says of a page, in a browser.
looks_right() {
	{
		sed '/^<\/body>/,$d' "$1"
		echo '<style>section { content-visibility: visible !important }</style><script>'
		cat "$srcdir/tests/draw-layout.js"
		printf '</script>\n</body>\n</html>\n'
	} >look.html
	timeout 300 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
		--disable-component-update --disable-sync --user-data-dir="$PWD/profile" --dump-dom "file://$PWD/look.html" \
		2>browser.log | sed -n '/<pre id="result">/,/<\/pre>/p' >result
	cat result
	grep -q '^looked at [0-9]\{3,\} texts, 0 wrong$' result
}

@test "in a browser nothing overlaps or leaves its picture, and keys do what the page says" {
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
	looks_right page.html
	sed 's/nsubj/obj/' projective.conllu >other.conllu
	hp-draw --html --gold projective.conllu other.conllu >page.html
	looks_right page.html
	grep -q 'data-differ="0"' page.html
}

@test "what the output's name says" {
	words 2 0 1 >in
	for form in svg html latex; do
		hp-draw --$form in >expected
		hp-draw -o out.${form/latex/tex} in
		cmp out.${form/latex/tex} expected
	done
	says 2 'hp-draw: --output=out.png, expected a name in .svg, .html, .tex, or for text any other: ...' hp-draw -o out.png in
	[ ! -e out.png ]
	hp-draw --text -o out.svg in
	hp-draw in | cmp - out.svg
	hp-draw -o svg in
	hp-draw in | cmp - svg
	hp-draw --svg -o out.html in
	hp-draw --svg in | cmp - out.html
}
