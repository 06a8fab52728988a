#!/usr/bin/env bats
# rst-convert: each notation into each other; what one of them cannot hold; each error with its place.

bats_require_minimum_version 1.5.0
load filters

setup() {
	enter
	# EDU 1 in front of two nuclei, 3 with a satellite, whose nuclei are 4 and 5
	cat >doc.dis <<-'END'
		# newdoc id = doc
		( Root (span 1 5)
		  ( Satellite (leaf 1) (rel2par heading) (text _!A & B <1>_!) )
		  ( Nucleus (span 2 5) (rel2par span)
		    ( Nucleus (leaf 2) (rel2par list) (text _!He "came"_!) )
		    ( Nucleus (span 3 5) (rel2par list)
		      ( Nucleus (leaf 3) (rel2par span) (text _!and left_!) )
		      ( Satellite (span 4 5) (rel2par cause) 
		        ( Nucleus (leaf 4) (rel2par joint) (text _!as it was cold_!) )
		        ( Nucleus (leaf 5) (rel2par joint) (text _!and late ._!) )
		      )
		    )
		  )
		)

	END
	sed -i 's/ $//' doc.dis
	cat >doc.rs3 <<-'END'
		<rst>
			<header>
				<relations>
					<rel name="heading" type="rst"/>
					<rel name="list" type="multinuc"/>
					<rel name="cause" type="rst"/>
					<rel name="joint" type="multinuc"/>
				</relations>
			</header>
			<body>
				<segment id="1" parent="7" relname="heading">A &amp; B &lt;1&gt;</segment>
				<segment id="2" parent="7" relname="list">He &quot;came&quot;</segment>
				<segment id="3" parent="8" relname="span">and left</segment>
				<segment id="4" parent="9" relname="joint">as it was cold</segment>
				<segment id="5" parent="9" relname="joint">and late .</segment>
				<group id="6" type="span"/>
				<group id="7" type="multinuc" parent="6" relname="span"/>
				<group id="8" type="span" parent="7" relname="list"/>
				<group id="9" type="multinuc" parent="3" relname="cause"/>
			</body>
		</rst>
	END
}

# plain [FILE]: without tabs
plain() {
	tr -d '\t' <"${1:-/dev/stdin}"
}

brackets='(1:Satellite=heading:1,2:Nucleus=span:5) (2:Nucleus=list:2,3:Nucleus=list:5) (3:Nucleus=span:3,4:Satellite=cause:5) (4:Nucleus=joint:4,5:Nucleus=joint:5)'

# leaf ROLE NUMBER RELATION TEXT
leaf() {
	printf '( %s (leaf %d) (rel2par %s) (text _!%s_!) )\n' "$@"
}

# rs3 BODY: a file of it.
rs3() {
	printf '<rst><header><relations/></header><body>%s</body></rst>\n' "$1"
}

# shape FILE...: the trees without names and texts.
shape() {
	rst-convert -t brackets "$@" 2>/dev/null | grep -v '^#'
}

@test "ranks and scores of the best trees" {
	{
		printf '# nbest = 1\n# score = -0.5\n'; cat doc.dis
		printf '# nbest = 2\n# score = -12.25\n'; cat doc.dis
	} >in
	rst-convert -t dis in | cmp - in
	rst-convert -t brackets in >brackets
	rst-convert -t edus doc.dis | sed 1d >texts
	cat texts texts >edus
	rst-convert -t dis -e edus brackets | grep '^# [ns]' | diff - <(grep '^# [ns]' in)
	rst-convert -t json in | grep -o '"nbest":[0-9]*,"score":[-0-9.]*' >got
	printf '"nbest":%s\n' '1,"score":-0.5' '2,"score":-12.25' | diff - got
	rst-convert --binary -t dis in | grep -c '^# score' | grep -qx 2
	mkdir folder
	rst-convert -t dis -d folder in
	[ "$(cd folder && echo *)" = 'doc.2.dis doc.dis' ]
	cat in in >twice
	says 1 "rst-convert: twice:...: a second document 'doc', whose file in folder would be the same" rst-convert -t dis -d folder twice
	# What is no rank, or no number as JSON has it, is none.
	{ printf '# nbest = x\n# score = 012\n'; cat doc.dis; } >in
	rst-convert -t dis in | cmp - doc.dis
	for score in -inf .5 1. 1e3 - '' 1.2.3; do
		{ printf '# score = %s\n# nbest = 99999999999\n' "$score"; cat doc.dis; } >in
		rst-convert -t dis in | cmp - doc.dis
	done
}

@test "every notation into every other" {
	rst-convert -t rs3 doc.dis | plain | diff - doc.rs3
	rst-convert doc.rs3 | diff - doc.dis
	rst-convert -t lisp doc.rs3 | cmp - doc.dis
	rst-convert -t rs4 doc.dis | plain | cmp - doc.rs3
	rst-convert -t brackets doc.rs3 >doc.brackets
	[ "$(cat doc.brackets)" = "# newdoc id = doc"$'\n'"$brackets" ]
	rst-convert -t edus doc.rs3 >doc.edus
	[ "$(cat doc.edus)" = "# newdoc id = doc
A & B <1>
He \"came\"
and left
as it was cold
and late ." ]
	rst-convert -e doc.edus doc.brackets | cmp - doc.dis
	# the name is in the texts as well
	tail -n 1 doc.brackets | rst-convert -e doc.edus | cmp - doc.dis
	# the name of the output
	rst-convert -o out.rs3 doc.dis
	plain out.rs3 | cmp - doc.rs3
	rst-convert -o out.brackets doc.dis
	cmp out.brackets doc.brackets
	rst-convert -t dis -o out.rs4 doc.rs3
	cmp out.rs4 doc.dis
	rst-convert -o - doc.rs3 | cmp - doc.dis
	rst-convert <doc.rs3 | sed 's/stdin/doc/' | cmp - doc.dis
}

@test "JSON" {
	rst-convert -t json doc.dis >doc.json
	tr -d '\n' >expected <<-'END'
		{"id":"doc","document":true,"edus":[{"text":"A & B <1>","tokens":[1,4]},{"text":"He \"came\"","tokens":[5,6]},
		{"text":"and left","tokens":[7,8]},{"text":"as it was cold","tokens":[9,12]},{"text":"and late .","tokens":[13,15]}],
		"nodes":[{"edus":[1,5],"parent":0,"role":"Root","relation":null},
		{"edus":[1,1],"parent":1,"role":"Satellite","relation":"heading"},{"edus":[2,5],"parent":1,"role":"Nucleus","relation":"span"},
		{"edus":[2,2],"parent":3,"role":"Nucleus","relation":"list"},{"edus":[3,5],"parent":3,"role":"Nucleus","relation":"list"},
		{"edus":[3,3],"parent":5,"role":"Nucleus","relation":"span"},{"edus":[4,5],"parent":5,"role":"Satellite","relation":"cause"},
		{"edus":[4,4],"parent":7,"role":"Nucleus","relation":"joint"},{"edus":[5,5],"parent":7,"role":"Nucleus","relation":"joint"}]}
	END
	echo >>expected
	cmp doc.json expected
	# sentences, a paragraph, what JSON escapes; a line a tree; trees side by side
	printf '# newdoc id = a"b\n# sent_ends = 1 2\n( Root (span 1 2)\n%s\n%s)\n( Root (leaf 1) (text _!x\\y\001_!) )\n' \
		"$(leaf Nucleus 1 List 'Yes .<P>')" "$(leaf Nucleus 2 List 'No')" >two.dis
	rst-convert -o two.json two.dis
	tr -d '\n' >expected <<-'END'
		{"id":"a\"b","document":true,"sentences":[[1,1],[2,2]],"edus":[{"text":"Yes .","tokens":[1,2],"paragraph":true},
		{"text":"No","tokens":[3,3]}],"nodes":[{"edus":[1,2],"parent":0,"role":"Root","relation":null},
		{"edus":[1,1],"parent":1,"role":"Nucleus","relation":"List"},{"edus":[2,2],"parent":1,"role":"Nucleus","relation":"List"}]}
	END
	echo >>expected
	echo '{"id":"two.2","document":true,"edus":[{"text":"x\\y\u0001","tokens":[1,1]}],"nodes":[{"edus":[1,1],"parent":0,"role":"Root","relation":null}]}' >>expected
	cmp two.json expected
	rs3 '<segment id="9">Title</segment><segment id="2">a</segment>' >forest.rs3
	[[ $(rst-convert -t json forest.rs3) == *'"nodes":[{"edus":[1,1],"parent":0,"role":"Root","relation":null},{"edus":[2,2],"parent":0,"role":"Root","relation":null}]}' ]]
}

@test "relations between EDUs" {
	# 1 depends on 2, the first nucleus of the whole; 3 on 2; 4 on 3; 5 on 4.  Where sentences end is not known
	tab() { tr '|' '\t'; }
	heading='doc|unit1_toks|unit2_toks|unit1_txt|unit2_txt|s1_toks|s2_toks|unit1_sent|unit2_sent|dir|orig_label|label'
	tab >expected <<-END
		$heading
		doc|1-4|5-6|A & B <1>|He "came"|_|_|_|_|1>2|heading|heading
		doc|5-6|7-8|He "came"|and left|_|_|_|_|1<2|list|list
		doc|7-8|9-12|and left|as it was cold|_|_|_|_|1<2|cause|cause
		doc|9-12|13-15|as it was cold|and late .|_|_|_|_|1<2|joint|joint
	END
	rst-convert -t rels doc.dis | diff - expected
	# 2 and 4 are parts of one unit, as whose head 2 is known; 6 is in the next sentence; classes before a hyphen
	{
		printf '# newdoc id = x\n# sent_ends = 5 6\n( Root (span 1 6)\n( Nucleus (span 1 5) (rel2par span)\n'
		leaf Satellite 1 context-time 'Then ,'
		echo '( Nucleus (span 2 5) (rel2par span) ( Nucleus (span 2 3) (rel2par Same-Unit)'
		leaf Nucleus 2 span he
		leaf Satellite 3 Topic-Comment '( I think )'
		echo ') ( Nucleus (span 4 5) (rel2par Same-Unit)'
		leaf Nucleus 4 span left
		leaf Satellite 5 mode- ', slowly .'
		echo ') ) )'
		leaf Satellite 6 elaboration-additional Yes
		echo ')'
		printf '# sent_id = y-1\n( Root (span 1 3)\n'
		leaf Nucleus 1 list a
		leaf Satellite 2 note b
		leaf Nucleus 3 list c
		echo ')'
	} >x.dis
	s='Then , he ( I think ) left , slowly .'
	tab >expected <<-END
		$heading
		x|1-2|3,8|Then ,|he <*> left|1-11|1-11|$s|$s|1>2|context-time|context
		x|3,8|4-7|he <*> left|( I think )|1-11|1-11|$s|$s|1<2|Topic-Comment|Topic-Comment
		x|8|9-11|left|, slowly .|1-11|1-11|$s|$s|1<2|mode-|mode-
		x|3,8|12|he <*> left|Yes|1-11|12|$s|Yes|1<2|elaboration-additional|elaboration
		y-1|1|2|a|b|1-3|1-3|a b c|a b c|1<2|note|note
		y-1|1|3|a|c|1-3|1-3|a b c|a b c|1<2|list|list
	END
	rst-convert -t rels x.dis | diff - expected
	rst-convert -t rels -d out x.dis
	diff out/x.rels <(head -n 5 expected)
	# of a satellite between two nuclei: the left one; of others the first
	{
		echo '( Root (span 1 6)'
		leaf Satellite 1 intro a
		leaf Nucleus 2 list b
		leaf Nucleus 3 list c
		leaf Satellite 4 note d
		leaf Nucleus 5 list e
		leaf Satellite 6 end f
		echo ')'
	} >mixed.dis
	[ "$(rst-convert -t rels mixed.dis | cut -f 4,5,10,11 | tail -n +2 | tr '\t' ' ')" = 'a b 1>2 intro
b c 1<2 list
c d 1<2 note
b e 1<2 list
b f 1<2 end' ]
	says 0 "...doc${TAB}unit1_toks..." rst-convert -t rels "$srcdir/examples/library.rs3"
}

@test "several documents, sentences, paragraphs" {
	{
		printf '# newdoc id = a b\n# sent_ends = 1 2\n( Root (span 1 2)\n'
		leaf Nucleus 1 List 'Yes .<P>' | sed 's/^/  /'
		leaf Nucleus 2 List 'No .' | sed 's/^/  /'
		printf ')\n\n# sent_id = x-1\n( Root (span 1 1) (leaf 1) (text _!Stop !_!) )\n\n'
	} >two.dis
	rst-convert two.dis | cmp - two.dis
	rst-convert -t brackets two.dis >two.brackets
	[ "$(cat two.brackets)" = '# newdoc id = a b
# sent_ends = 1 2
(1:Nucleus=List:1,2:Nucleus=List:2)
# sent_id = x-1
NONE' ]
	rst-convert -t edus two.dis >two.edus
	[ "$(cat two.edus)" = '# newdoc id = a b
Yes .<P>

No .

# newdoc id = x-1
Stop !' ]
	rst-convert -e two.edus two.brackets | cmp - two.dis
	# Behind a document a text is one: nothing else ends that.
	grep -v '^#' two.brackets | rst-convert -e two.edus - | cmp - <(sed 's/sent_id/newdoc id/' two.dis)
	rst-convert -t rs3 -d folder two.dis doc.dis 2>messages
	[ "$(cat messages)" = "rst-convert: two.dis: 'a b': left out: 2 sentence ends, 1 paragraph end" ]
	[ "$(echo folder/*)" = 'folder/a b.rs3 folder/doc.rs3 folder/x-1.rs3' ]
	plain folder/doc.rs3 | cmp - doc.rs3
	[ "$(rst-convert 'folder/a b.rs3')" = "$(head -n 6 two.dis | grep -v sent_ends | sed 's/<P>//')" ]
	for to in rs3 rs4 rels; do
		sed '/sent_id/,$d' two.dis | rst-convert -t "$to" 2>/dev/null | grep -F Yes >text
		[ -s text ]
		[ -z "$(grep -F -e '<P>' -e 'P&gt;' text)" ]
	done
	# shellcheck disable=SC2016
	says 1 "rst-convert: two.dis:9: a second document, but rs3 holds one: rst-convert --directory writes a file for each" \
		bash -c 'rst-convert -t rs3 two.dis 2>&1 >/dev/null | tail -n 1; exit ${PIPESTATUS[0]}'
	# shellcheck disable=SC2016
	says 1 "rst-convert: two.dis:9: a second document, but rs3 holds one: rst-convert --directory writes a file for each" \
		bash -c 'rst-convert -o none.rs3 two.dis 2>&1 | tail -n 1; exit ${PIPESTATUS[0]}'
	[ ! -e none.rs3 ]
}

@test "satellites beside several nuclei" {
	{
		echo '( Root (span 1 6)'
		leaf Satellite 1 intro a
		leaf Nucleus 2 list b
		leaf Satellite 3 extra c
		leaf Satellite 4 note d
		leaf Nucleus 5 list e
		leaf Satellite 6 end f
		echo ')'
	} >mixed.dis
	says 0 '(1:Satellite=intro:1,2:Nucleus=span:5,6:Satellite=end:6) (2:Nucleus=list:4,5:Nucleus=list:5) (2:Nucleus=span:2,3:Satellite=extra:3,4:Satellite=note:4)' \
		bash -c 'rst-convert -t rs3 mixed.dis | rst-convert -t brackets | grep -v "^#"'
	# binary: nearest first, of equally near ones the right one
	says 0 '(1:Satellite=intro:1,2:Nucleus=span:6) (2:Nucleus=span:5,6:Satellite=end:6) (2:Nucleus=list:4,5:Nucleus=list:5) (2:Nucleus=span:3,4:Satellite=note:4) (2:Nucleus=span:2,3:Satellite=extra:3)' \
		bash -c 'rst-convert -b -t brackets mixed.dis | grep -v "^#"'
}

@test "a relation of satellites and of nuclei" {
	{
		echo '( Root (span 1 3)'
		echo '( Nucleus (span 1 2) (rel2par span)'
		leaf Nucleus 1 contrast a
		leaf Nucleus 2 contrast b
		echo ')'
		leaf Satellite 3 contrast c
		echo ')'
	} >both.dis
	shape both.dis >expected
	[ "$(cat expected)" = '(1:Nucleus=span:2,3:Satellite=contrast:3) (1:Nucleus=contrast:1,2:Nucleus=contrast:2)' ]
	rst-convert -t rs3 both.dis >both.rs3
	[ "$(grep -c 'rel name="contrast"' both.rs3)" -eq 2 ]
	shape both.rs3 | cmp - expected
	# where that cannot be told from the file
	sed 's/leaf 1) (rel2par contrast/leaf 1) (rel2par list/' both.dis >none.dis
	says 1 'rst-convert: none.dis:1: the nuclei of EDUs 1 to 2 have several relations, one of which satellites have as well: .rs3 cannot tell what is what' \
		rst-convert -t rs3 none.dis
	sed 's/Satellite (leaf 3) (rel2par contrast/Satellite (leaf 3) (rel2par span/' both.dis >none.dis
	says 1 'rst-convert: none.dis:1: the satellite of EDUs 3 to 3 has the relation span, which .rs3 keeps for nuclei' \
		rst-convert -t rs3 none.dis
}

@test "trees side by side" {
	rs3 '<segment id="9">Title</segment><segment id="2">a</segment><segment id="7" parent="2" relname="r">b</segment>' >forest.rs3
	rst-convert forest.rs3 >out.dis 2>messages
	[ "$(cat messages)" = "rst-convert: forest.rs3: 'forest': left out: 1 smaller tree, 1 EDU" ]
	[ "$(cat out.dis)" = '# newdoc id = forest
( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!a_!) )
  ( Satellite (leaf 2) (rel2par r) (text _!b_!) )
)' ]
	says 0 '		<segment id="1">Title</segment>
		<segment id="2" parent="4" relname="span">a</segment>
		<segment id="3" parent="2" relname="r">b</segment>
		<group id="4" type="span"/>' bash -c 'rst-convert -t rs3 forest.rs3 | grep "segment\|group"'
	rst-convert -t rs3 forest.rs3 >once.rs3
	rst-convert -b -t rs3 once.rs3 | cmp - once.rs3
}

@test "--join: trees side by side become one" {
	rs3 '<segment id="9">Title</segment><segment id="2">a</segment><segment id="7" parent="2" relname="r">b</segment><segment id="3">c</segment>' >forest.rs3
	rst-convert --join=joint forest.rs3 >out.dis 2>messages
	[ ! -s messages ]
	cat >expected.dis <<-'END'
		# newdoc id = forest
		( Root (span 1 4)
		  ( Nucleus (leaf 1) (rel2par joint) (text _!Title_!) )
		  ( Nucleus (span 2 3) (rel2par joint)
		    ( Nucleus (leaf 2) (rel2par span) (text _!a_!) )
		    ( Satellite (leaf 3) (rel2par r) (text _!b_!) )
		  )
		  ( Nucleus (leaf 4) (rel2par joint) (text _!c_!) )
		)

	END
	cmp out.dis expected.dis
	for to in rs3 rs4 lisp brackets json edus rels; do
		rst-convert --join=joint -t $to forest.rs3 | cmp - <(rst-convert -t $to expected.dis)
	done
	rst-convert --join=joint -b forest.rs3 | cmp - <(rst-convert -b expected.dis)
	# A tree that is one already stays as it is.
	rst-convert --join=joint doc.dis | cmp - <(rst-convert doc.dis)
	rst-convert --join=joint -t rs3 doc.rs3 | cmp - <(rst-convert -t rs3 doc.rs3)
	# Two segments alone; edges and signals stay, paragraphs too.
	cat >two.rs4 <<-'END'
		<rst><header/><body><segment id="1">a</segment><segment id="2">b</segment>
		<secedges><secedge id="1-2" source="1" target="2" relname="cause"/></secedges>
		<signals><signal source="1-2" type="t"/></signals></body></rst>
	END
	rst-convert --join=list -t rs4 two.rs4 >out.rs4
	[ "$(grep 'segment\|group\|secedge id\|signal s' out.rs4 | tr -d '\t')" = '<segment id="1" parent="3" relname="list">a</segment>
<segment id="2" parent="3" relname="list">b</segment>
<group id="3" type="multinuc"/>
<secedge id="1-2" source="1" target="2" relname="cause"/>
<signal source="1-2" type="t"/>' ]
	for bad in '' span 'a b' 'a(' '_!'; do
		says 2 "rst-convert: --join=$bad, expected a relation of nuclei: ..." rst-convert --join="$bad" forest.rs3
	done
}

@test "secondary edges and signals" {
	# 30: its content is 3 alone; 40: 3 and 4; the edge 3-40 goes to the group
	cat >e.rs4 <<-'END'
		<rst><header><relations><rel name="list" type="multinuc"/><rel name="cause" type="rst"/></relations>
		<sigtypes><sig type="dm" subtypes="dm;x"/></sigtypes></header><body>
		<segment id="11" parent="50" relname="list">a</segment>
		<segment id="30" parent="40" relname="span">b &lt; c</segment>
		<segment id="12" parent="30" relname="cause">d</segment>
		<group id="40" type="span" parent="50" relname="list"/>
		<group id="50" type="multinuc"/>
		<secedges><secedge id="11-40" source="11" target="40" relname="contrast"/><secedge id="30-11" source="30" target="11" relname="cause"/>
		<secedge id="1-2" source="1" target="2" relname="lost"/></secedges>
		<signals><signal source="12" type="dm" subtype="dm" tokens="2,3" status="gold"/><signal source="30-11" type="a&amp;b"/>
		<signal source="99"/></signals>
		</body></rst>
	END
	rst-convert -t rs4 e.rs4 >out.rs4 2>messages
	[ "$(cat messages)" = "rst-convert: e.rs4: 'e': left out: 1 secondary edge, 1 signal" ]
	[ "$(grep 'sig\|edge' out.rs4 | tr -d '\t')" = '<sigtypes>
<sig type="dm" subtypes="dm;x"/>
</sigtypes>
<secedges>
<secedge id="1-5" source="1" target="5" relname="contrast"/>
<secedge id="2-1" source="2" target="1" relname="cause"/>
</secedges>
<signals>
<signal source="3" type="dm" subtype="dm" tokens="2,3" status="gold"/>
<signal source="2-1" type="a&amp;b"/>
</signals>' ]
	grep -q '<rel name="contrast" type="rst"/>' out.rs4
	rst-convert -t rs4 out.rs4 | cmp - out.rs4
	rst-convert -b -t rs4 out.rs4 | cmp - out.rs4
	rst-convert -t rs3 e.rs4 >out.rs3 2>messages
	[ "$(cat messages)" = "rst-convert: e.rs4: 'e': left out: 3 secondary edges, 3 signals" ]
	rst-convert -t rs4 out.rs3 | cmp - out.rs3
	shape e.rs4 | cmp - <(shape out.rs3)
}

@test "brackets and EDUs that do not fit" {
	printf 'a\nb\n' >two.edus
	fails() {
		printf '%s\n' "$2" >in
		says 1 "rst-convert: $1" rst-convert -e two.edus in
	}
	fails 'in: no trees in brackets, which alone need EDUs from two.edus' 1
	for bad in '(1:Nucleus=a:1)' '(1:Nucleus=a:1,3:Nucleus=a:2)' '(1:Nucleus=a:1,2:Nucleus=a:3) (2:Nucleus=a:2,4:Nucleus=a:4)'; do
		fails 'in:1: the brackets are no tree: expected next the one of EDUs ..., its children side by side' "$bad"
	done
	for bad in '(1:Nucleus=a:1' '(1:Nucleus=a:1,2:Nucleus=:2)' '(1:Root=a:1,2:Nucleus=a:2)' '(1:Nucleus=a:1,2:Nucleus=a:9999999999)' '(0:Nucleus=a:1,2:Nucleus=a:2)'; do
		fails "in:1: '...', expected a bracket such as (1:Nucleus=span:1,2:Satellite=Cause:3)" "$bad"
	done
	fails 'in:1: 2 EDUs, but brackets behind those of all' '(1:Nucleus=a:1,2:Nucleus=a:2) (1:Nucleus=a:1,2:Nucleus=a:2)'
	fails 'in:1: the node of EDUs 1 to 2 has no nucleus' '(1:Satellite=a:1,2:Satellite=a:2)'
	fails 'two.edus:2: the last EDU, expected one more: number 3 of the tree at in:1' '(1:Nucleus=a:1,2:Nucleus=a:2,3:Nucleus=a:3)'
	fails 'two.edus:2: an EDU more than the tree has' NONE
	printf 'a\nb\n\nc\n' >two.edus
	printf '(1:Nucleus=x:y:1,2:Satellite=span,3:2)\n' >in
	says 1 '...two.edus:4: an EDU behind those of the last tree' rst-convert -e two.edus in
	# a relation may have colons and commas
	# nor is every # a comment
	printf ' # newdoc id = x\nb\n' >two.edus
	rst-convert -e two.edus in | grep -qF '(text _!# newdoc id = x_!)'
	rst-convert -e two.edus in | rst-convert -t edus | tail -n +2 | head -n 2 | cmp - two.edus
	rst-convert -e two.edus in | grep -q '(rel2par span,3)'
	says 1 "rst-convert: in:1: brackets do not hold the EDUs' texts: rst-convert --edus names the file that does" rst-convert in
	says 1 "rst-extract: in:1: brackets do not hold the EDUs' texts: rst-convert --edus names the file that does" rst-extract in
}

@test "what is refused" {
	says 2 'rst-convert: only one of --output and --directory can be given' rst-convert -o a -d b doc.dis
	says 2 'rst-convert: --edus goes with one FILE' rst-convert -e a doc.dis doc.dis
	says 2 'rst-convert: trees and EDUs cannot both come from standard input' rst-convert -e -
	says 1 'rst-convert: doc.dis: input and output are the same file' rst-convert -o doc.dis doc.dis
	says 1 'rst-convert: none: No such file or directory' rst-convert none
	says 1 "rst-convert: doc.dis:2: its file, ./doc.dis, is one that is read" rst-convert -d . doc.dis
	says 1 "rst-convert: doc.dis:2: a second document 'doc', whose file in out would be the same" rst-convert -d out doc.dis doc.dis
	[ "$(echo out/*)" = out/doc.dis ]
	for name in a/ ../.. a/.b .; do
		sed "s|= doc|= $name|" doc.dis >in.dis
		says 1 "rst-convert: in.dis:2: the name '$name' cannot be that of a file in out" rst-convert -d out in.dis
	done
	# what is before a slash is a folder's name, and not written into
	sed 's|= doc|= ../a/b.txt|' doc.dis >in.dis
	rst-convert -t json -d out in.dis
	grep -q '^{"id":"../a/b.txt",' out/b.txt.json
	sed 's|= doc|= c/b.txt|' doc.dis >two.dis
	says 1 "rst-convert: two.dis:2: a second document 'c/b.txt', whose file in out would be the same" \
		rst-convert -t json -d out in.dis two.dis
	printf '( Root (leaf 1) (text _!a\001b_!) )\n' >in.dis
	says 1 'rst-convert: in.dis:1: EDU 1 holds the character U+0001, which XML cannot' rst-convert -t rs3 in.dis
	printf '( Root (leaf 2) (text _!a_!) )\n( Root (leaf 1) (text _!b_!) )\n' >in.dis
	says 1 'rst-convert: in.dis:1: leaf 2, expected leaf 1
# newdoc id = in.2
( Root (span 1 1) (leaf 1) (text _!b_!) )' rst-convert -k in.dis
	says 1 'rst-convert: in.dis:1: leaf 2, expected leaf 1' rst-convert in.dis
	says 1 '...No space left on device' bash -c 'rst-convert doc.dis >/dev/full'
	rs3 '<segment id="1" parent="2" relname="r">a</segment><segment id="2" parent="1" relname="r">b</segment>' >in.rs3
	says 1 'rst-convert: in.rs3:1: node 1 hangs in a cycle, expected a way from it to a root' rst-convert in.rs3
}

@test "100,000 EDUs, deep nesting" {
	n=100000
	awk -v n=$n 'BEGIN {
		for (i = 1; i <= n; i++) { printf "%s%d:Nucleus=a:%d", (i > 1 ? "," : "("), i, i }
		print ")"
		for (i = 1; i < n; i++) { printf "%s(%d:Nucleus=span:%d,%d:Satellite=b:%d)", (i > 1 ? " " : ""), i, i, i + 1, n }
		print ""
	}' >in
	{ yes x | head -n $n; echo; yes y | head -n $n; } >edus
	timeout 60 rst-convert -e edus -t brackets in | grep -v '^#' | cmp - in
	timeout 60 rst-convert -e edus -t rs3 -d out in
	for k in in in.2; do
		timeout 60 rst-convert -t rs4 out/$k.rs3 | cmp - out/$k.rs3
		[ "$(timeout 60 rst-convert -t rels out/$k.rs3 | wc -l)" -eq $n ]
		timeout 60 rst-convert -t json out/$k.rs3 | tail -c 9 | grep -q '"}]}$'
	done
	shape out/in.rs3 out/in.2.rs3 | cmp - in
}

@test "nodes over segments that hang elsewhere" {
	rs3 '<segment id="1" parent="4" relname="x">a</segment><segment id="2">b</segment><segment id="3">c</segment>
		<segment id="4">d</segment><segment id="5" parent="4" relname="x">e</segment>' >gap.rs3
	says 0 "rst-convert: gap.rs3: 'gap': 1 node reaches over segments that hang elsewhere, such as EDUs 1 to 5: taken apart" \
		rst-convert --join=joint -t brackets -o gap.brackets gap.rs3
	[ "$(tail -n 1 gap.brackets)" = '(1:Nucleus=joint:1,2:Nucleus=joint:2,3:Nucleus=joint:3,4:Nucleus=joint:5) (4:Nucleus=span:4,5:Satellite=x:5)' ]
}

# anew FILE...: the trees binary, as a parser finds them with other relations
anew() {
	rst-convert -b "$@" | sed 's/Satellite/Nucleus/; s/rel2par [^)]*/rel2par Other/'
}

@test "--keep: what an annotator has said comes back" {
	anew doc.dis >new.dis
	[ "$(shape new.dis)" = '(1:Nucleus=Other:1,2:Nucleus=Other:5) (2:Nucleus=Other:2,3:Nucleus=Other:5) (3:Nucleus=Other:3,4:Nucleus=Other:5) (4:Nucleus=Other:4,5:Nucleus=Other:5)' ]
	rst-convert --keep=doc.dis new.dis | cmp - doc.dis
	rst-convert --keep=doc.rs3 -t rs3 new.dis | plain | cmp - doc.rs3
	# nodes of several children, in the middle of which binary ones lie
	rst-convert --to=edus doc.dis >doc.edus
	nary='(1:Satellite=heading:1,2:Nucleus=span:5) (2:Nucleus=list:2,3:Nucleus=list:3,4:Nucleus=list:4,5:Satellite=cause:5)'
	echo "$nary" | rst-convert -e doc.edus -o nary.dis
	[ "$(anew nary.dis | shape -)" != "$(shape nary.dis)" ]
	[ "$(anew nary.dis | rst-convert --keep=nary.dis | shape -)" = "$nary" ]
	# unless a child, here of EDUs 3 and 4, is none of the new tree
	echo '(1:Nucleus=a:2,3:Nucleus=a:5) (1:Nucleus=b:1,2:Nucleus=b:2) (3:Nucleus=c:3,4:Nucleus=c:5) (4:Nucleus=d:4,5:Nucleus=d:5)' |
		rst-convert -e doc.edus -o new.dis
	echo '(1:Nucleus=span:2,3:Satellite=x:5) (1:Satellite=y:1,2:Nucleus=span:2) (3:Nucleus=z:4,5:Nucleus=z:5) (3:Nucleus=w:3,4:Nucleus=w:4)' |
		rst-convert -e doc.edus -o old.dis
	[ "$(rst-convert --keep=old.dis new.dis | shape -)" = '(1:Nucleus=span:2,3:Satellite=x:5) (1:Satellite=y:1,2:Nucleus=span:2) (3:Nucleus=c:3,4:Nucleus=c:5) (4:Nucleus=d:4,5:Nucleus=d:5)' ]
}

@test "--keep: trees side by side, several documents" {
	# what is above the annotator's trees stays as it was found
	rs3 '<segment id="1">a</segment><segment id="2" parent="1" relname="x">b</segment><segment id="3">c</segment>
		<segment id="4" parent="6" relname="y">d</segment><segment id="5" parent="6" relname="y">e</segment>
		<group id="6" type="multinuc"/>' >half.rs3
	rst-convert --join=joint half.rs3 | anew - | sed 's/# newdoc.*/# newdoc id = half/' >new.dis
	[ "$(shape new.dis)" = '(1:Nucleus=Other:2,3:Nucleus=Other:5) (1:Nucleus=Other:1,2:Nucleus=Other:2) (3:Nucleus=Other:3,4:Nucleus=Other:5) (4:Nucleus=Other:4,5:Nucleus=Other:5)' ]
	[ "$(rst-convert --keep=half.rs3 new.dis | shape -)" = '(1:Nucleus=Other:2,3:Nucleus=Other:5) (1:Nucleus=span:1,2:Satellite=x:2) (3:Nucleus=Other:3,4:Nucleus=Other:5) (4:Nucleus=y:4,5:Nucleus=y:5)' ]
	# by name, in whatever order; else by place
	sed 's/newdoc id = half/newdoc id = other/' new.dis | cat doc.dis - >gold.dis
	anew gold.dis | sed 's/newdoc id = /&new-/' >place.dis
	[ "$(rst-convert --keep=gold.dis place.dis | shape -)" = "$(shape gold.dis)" ]
	{
		sed 1,13d gold.dis
		cat doc.dis
	} >turned.dis
	[ "$(anew turned.dis | rst-convert --keep=gold.dis | shape -)" = "$(shape turned.dis)" ]
	sed 's/_!c_!/_!C_!/' new.dis >other.dis
	says 1 "rst-convert: other.dis:2: EDU 3 of 'half' is 'C', but of 'half' of half.rs3, which is to be kept, 'c'" \
		rst-convert --keep=half.rs3 other.dis
	rs3 '<segment id="1">a</segment>' >short.rs3
	says 1 "rst-convert: new.dis:2: 'half' has 5 EDUs, but 'short' of short.rs3, which is to be kept, 1" rst-convert --keep=short.rs3 new.dis
	says 1 "...rst-convert: gold.dis:...: no document 'other' in doc.rs3, which is to be kept" rst-convert --keep=doc.rs3 gold.dis
	says 1 "rst-convert: none.rs3: No such file or directory" rst-convert --keep=none.rs3 new.dis
	says 1 "rst-convert: half.rs3: input and output are the same file" rst-convert --keep=half.rs3 -o half.rs3 new.dis
	says 2 "rst-convert: trees and what is kept cannot both come from standard input" rst-convert --keep=- -
}

@test "--keep: texts, where white space differs" {
	rs3 "<segment id='1'>It isn't,</segment><segment id='2' parent='1' relname='x'>is it?</segment>" >half.rs3
	printf "# newdoc id = half\n( Root (span 1 2)\n( Nucleus (leaf 1) (rel2par Other) (text _!It is n't ,_!) )\n( Nucleus (leaf 2) (rel2par Other) (text _!is it ?_!) ) )\n" >new.dis
	rst-convert --keep=half.rs3 new.dis | diff - <(rst-convert half.rs3)
}

@test "a file that holds one tree is not made of none" {
	: >empty
	for form in rs3 rs4; do
		echo old >out.$form
		says 1 "rst-convert: no tree to write: expected one, as a .$form file holds" rst-convert -o out.$form empty
		[ "$(cat out.$form)" = old ]
	done
	says 0 "" rst-convert empty
	says 0 "" rst-convert -t rs3 -d folder empty
	"$make_model" -r model.safetensors
	says 1 "hp-label: no tree to write: expected one, as a .rs3 file holds" hp-parse -m ./model.safetensors -i dis --rs3 empty
	says 1 "hp-embed: ...none.safetensors..." hp-parse -m ./none.safetensors -i dis --rs3 -o none.rs3 empty
	[ ! -e none.rs3 ]
}

@test "--sentences: ends by punctuation, where none are known" {
	{
		printf '# newdoc id = d\n( Root (span 1 4)\n'
		leaf Nucleus 1 list 'He came .'
		leaf Nucleus 2 list 'She left'
		leaf Nucleus 3 list 'as it rained .'
		leaf Nucleus 4 list 'Why'
		printf ')\n\n# sent_id = d-1\n( Root (span 1 2)\n'
		leaf Nucleus 1 list 'No .'
		leaf Nucleus 2 list 'Yes .'
		printf ')\n\n'
	} >ends.dis
	rst-convert --sentences ends.dis | sed 's/^ *//' >got
	sed '1a# sent_ends = 1 3 4' ends.dis | diff - got
	# those that are known stay; trees side by side end sentences
	sed '1a# sent_ends = 3 4' ends.dis | rst-convert -s | sed -n 2p | grep -Fx '# sent_ends = 3 4'
	rs3 '<segment id="1">Title</segment><segment id="2">a</segment><segment id="3" parent="2" relname="x">b</segment>' >forest.rs3
	[ "$(rst-convert --sentences --join=joint -t brackets forest.rs3 | sed -n 2p)" = '# sent_ends = 1 3' ]
	says 2 "rst-convert: --sentences with --to=rs3, which has no place for them" rst-convert --sentences -t rs3 doc.dis
}

@test "what is written only" {
	for to in json rels; do
		rst-convert -o "doc.$to" doc.dis
	done
	says 1 "rst-convert: doc.json: JSON, which is written, not read: expected .dis, .rs3, .rs4 or brackets" rst-convert doc.json
	says 1 "rst-convert: doc.rels: a table of relations (.rels), which is written, not read: expected .dis, .rs3, .rs4 or brackets" \
		rst-convert doc.rels
}

@test "trees that were not parsed are told of" {
	tree='( Root (span 1 1) (leaf 1) (text _!a_!) )'
	printf '# unparsed = in:1: x\n%s\n\n# unparsed = in:1: x\n# a\n\n%s\n' "$tree" "$tree" >in.dis
	says 0 'rst-convert: in.dis: 1 tree was not parsed ("# unparsed ="), which the output does not tell' messages rst-convert -t json in.dis
	cat in.dis in.dis >two.dis
	says 0 'rst-convert: two.dis: 2 trees were not parsed ("# unparsed ="), which the output does not tell' messages rst-convert -t json two.dis
}
