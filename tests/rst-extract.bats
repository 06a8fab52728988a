#!/usr/bin/env bats
# rst-extract: the notations of trees, sentences from wherever they come, relation maps; every RST entry of what people
# trip over; and each error with its place.

bats_require_minimum_version 1.5.0
load filters

setup() {
	enter
	examples=$srcdir/examples
	: "${HP_MAP_PATH:=$srcdir/maps}"
	export HP_MAP_PATH
}

# leaf ROLE NUMBER RELATION TEXT
leaf() {
	printf '( %s (leaf %d) (rel2par %s) (text _!%s_!) )\n' "$@"
}

# tree: a document of three sentences: 1, 2-3, 4-5; no subtree spans the third.
tree() {
	echo '( Root (span 1 5)'
	leaf Nucleus 1 list 'One .'
	echo '( Nucleus (span 2 5) (rel2par list)'
	echo '( Nucleus (span 2 4) (rel2par span)'
	echo '( Nucleus (span 2 3) (rel2par list)'
	leaf Nucleus 2 span 'Two ,'
	leaf Satellite 3 purpose 'to be true .'
	echo ')'
	leaf Nucleus 4 list 'Three ,'
	echo ')'
	leaf Satellite 5 reason 'as was said .'
	echo ') )'
}

# fails MESSAGE COMMAND...: status 1, on standard error nothing but the message.
fails() {
	local message=$1
	shift
	"$@" >out 2>messages && return 1
	echo "status $?" >>messages
	cat messages
	[ "$(cat messages)" = "rst-extract: $message"$'\n'"status 1" ]
}

# numbers ARGUMENT...: the figures of --stats without their names.
numbers() {
	rst-extract --stats "$@" >stats
	sed -n 's/.*,\([0-9]*\)$/\1/p' stats | tr '\n' ' '
}

@test "sentences by punctuation, classes of RST-DT" {
	tree >doc.dis
	says 0 '# sent_id = doc-1
( Root (span 1 1) (leaf 1) (text _!One ._!) )

# sent_id = doc-2
( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!Two ,_!) )
  ( Satellite (leaf 2) (rel2par Enablement) (text _!to be true ._!) )
)' rst-extract doc.dis
	[ "$(numbers doc.dis)" = '1 0 5 3 1 2 1 1 0 ' ]
}

@test "standard input, several files, several trees in a file" {
	tree >doc.dis
	rst-extract <doc.dis >piped
	grep -q '^# sent_id = stdin-2$' piped
	rst-extract doc.dis | sed 's/= doc/= stdin/' | cmp - piped
	{ echo '# sent_id = first'; tree; tree; } >two.dis
	rst-extract two.dis doc.dis - <doc.dis >all
	[ "$(grep -c '^# sent_id' all)" -eq 8 ]
	[ "$(sed -n 's/^# sent_id = //p' all | tr '\n' ' ')" = 'first-1 first-2 two.2-1 two.2-2 doc-1 doc-2 stdin-1 stdin-2 ' ]
}

@test "what comes out is read again, and then comes out the same" {
	rst-extract "$examples/library.rs3" >once
	rst-extract once | sed 's/-1$//' >twice
	cmp once twice
}

@test "tokens come from the sentences, text and CoNLL-U alike" {
	tree | sed 's/ \([.,]\)_!/\1_!/' >doc.dis
	printf 'One .\nTwo , to be true .\nThree , as was said .\n' >doc.txt
	awk '{ for (i = 1; i <= NF; i++) { printf "%d\t%s", i, $i; for (c = 3; c <= 10; c++) { printf "\t_" } print "" } print "" }' \
		doc.txt >doc.conllu
	rst-extract -s doc.txt doc.dis >by_text
	grep -q '_!Two ,_!' by_text
	rst-extract -s doc.conllu doc.dis | cmp - by_text
	mkdir folder
	cp doc.conllu folder
	rst-extract -s folder doc.dis | cmp - by_text
	mv folder/doc.conllu folder/doc.txt
	fails 'doc.dis:1: no sentences for document '\''doc'\'', expected none/doc.conllu or .txt' \
		bash -c 'mkdir none; rst-extract -s none doc.dis'
	# documents by name, and in their order
	{ echo '# newdoc id = other'; cat doc.conllu; echo '# newdoc id = doc'; cat doc.conllu; } >named.conllu
	rst-extract -s named.conllu doc.dis | cmp - by_text
	fails "a.dis:1: no document 'a' in named.conllu" bash -c 'cp doc.dis a.dis; rst-extract -s named.conllu a.dis'
	cat doc.txt doc.txt >twice.txt
	[ "$(numbers -s twice.txt doc.dis doc.dis)" = '2 0 10 6 2 4 2 2 0 ' ]
	fails 'twice.txt:4: a sentence after the last document' rst-extract -s twice.txt doc.dis
	rst-extract -s - doc.dis <doc.txt | cmp - by_text
	run -2 rst-extract -s - -
}

@test "--documents: whole trees, with the ends of their sentences" {
	tree >doc.dis
	says 0 '# newdoc id = doc
# sent_ends = 1 3 5
( Root (span 1 5)
  ( Nucleus (leaf 1) (rel2par Joint) (text _!One ._!) )
  ( Nucleus (span 2 5) (rel2par Joint)
    ( Nucleus (span 2 4) (rel2par span)
      ( Nucleus (span 2 3) (rel2par Joint)
        ( Nucleus (leaf 2) (rel2par span) (text _!Two ,_!) )
        ( Satellite (leaf 3) (rel2par Enablement) (text _!to be true ._!) )
      )
      ( Nucleus (leaf 4) (rel2par Joint) (text _!Three ,_!) )
    )
    ( Satellite (leaf 5) (rel2par Explanation) (text _!as was said ._!) )
  )
)' rst-extract --documents doc.dis
	# read again they are the same, and so are their sentences
	rst-extract --documents doc.dis >whole.dis
	rst-extract --documents whole.dis | cmp - whole.dis
	rst-extract doc.dis >sentences
	rst-extract whole.dis | cmp - sentences
	# sentences from elsewhere, with their CoNLL-U; several documents; those of few EDUs
	printf 'One . Two , to be true .\nThree , as was said .\n' |
		awk '{ for (i = 1; i <= NF; i++) { printf "%d\t%s", i, $i; for (c = 3; c <= 10; c++) { printf "\t_" } print "" } print "" }' >doc.conllu
	rst-extract -D -c words -s doc.conllu doc.dis | grep -q '^# sent_ends = 3 5$'
	[ "$(grep '^#' words | tr '\n' ' ')" = '# newdoc id = doc # sent_id = doc-1 # sent_id = doc-2 ' ]
	# paragraphs, where they are known: of documents they are kept
	sed '1s/^/# newpar\n/; s/^1\tThree/# newpar\n&/' doc.conllu >paragraphs.conllu
	rst-extract -D -s paragraphs.conllu doc.dis >paragraphs.dis
	[ "$(grep -o '_!.*<P>_!' paragraphs.dis)" = '_!to be true .<P>_!' ]
	sed 's/<P>//' paragraphs.dis | cmp - <(rst-extract -D -s doc.conllu doc.dis)
	rst-extract -D paragraphs.dis | cmp - paragraphs.dis
	[ -z "$(rst-extract paragraphs.dis | grep '<P>')" ]
	rst-extract whole.dis -D whole.dis | cmp - <(cat whole.dis whole.dis)
	[ -z "$(rst-extract -D -m 6 doc.dis)" ]
	[ "$(numbers -D doc.dis)" = '1 0 5 3 1 2 1 1 0 ' ]
	sed -i 's/ends = 1/ends = 4/' whole.dis
	fails "whole.dis:2: '3' in sent_ends, expected the last EDU of each sentence, the last of them 5" rst-extract whole.dis
}

@test "--documents: the largest tree of a forest" {
	{
		echo '<rst><body><segment id="1">Title</segment><segment id="2">Two ,</segment>'
		echo '<segment id="3" parent="2" relname="reason">to be true .</segment><segment id="4">Foot</segment></body></rst>'
	} >doc.rs3
	rst-extract -D doc.rs3 doc.rs3 >out 2>messages
	[ "$(cat messages)" = 'rst-extract: left out: 4 EDUs of 4 trees beside the largest of 2 documents' ]
	head -n 6 out >one
	[ "$(cat one)" = '# newdoc id = doc
# sent_ends = 2
( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!Two ,_!) )
  ( Satellite (leaf 2) (rel2par Explanation) (text _!to be true ._!) )
)' ]
}

advice='; --differences=N accepts up to N characters a document'

@test "a mismatch names both places and what may be done" {
	tree >doc.dis
	printf 'One .\nTwo , to be false .\nThree , as was said .\n' >doc.txt
	fails "doc.dis:7: EDU 3 has 'true .' where doc.txt:2 has 'false'$advice" rst-extract -s doc.txt doc.dis
	printf 'One .\nTwo , to be frue .\nThree , as was said .\n' >doc.txt
	fails "doc.dis:7: EDU 3 has 'true .' where doc.txt:2 has 'frue'$advice" rst-extract -s doc.txt doc.dis
	rst-extract --differences=1 -s doc.txt doc.dis | grep -q '_!to be frue ._!'
	printf 'One .\nTwo , just to be ture\nThree , as was sad .\n' >doc.txt
	fails "doc.dis:11: EDU 5 has 'said .' where doc.txt:3 has 'sad'; that is more than --differences=7 accepts" \
		rst-extract -d 7 -s doc.txt doc.dis
	rst-extract -d 8 -s doc.txt doc.dis | grep -q '_!just to be ture_!'
}

@test "text that the sentences lack is left out and counted" {
	tree >doc.dis
	printf 'One .\nTwo , to be true .\n' >doc.txt
	rst-extract -s doc.txt doc.dis >out 2>messages
	[ "$(cat messages)" = 'rst-extract: left out: 2 EDUs of 1 document that the sentences lack' ]
	rst-extract doc.dis | cmp - out
	[ "$(numbers -s doc.txt doc.dis 2>/dev/null)" = '1 0 5 2 1 1 1 0 0 ' ]
	# of documents known by name, by their order, in a folder
	{ awk '{ for (i = 1; i <= NF; i++) { printf "%d\t%s", i, $i; for (c = 3; c <= 10; c++) { printf "\t_" } print "" } print "" }' doc.txt; } >doc.conllu
	{ echo '# newdoc id = doc'; cat doc.conllu; echo '# newdoc id = x'; cat doc.conllu; } >named.conllu
	rst-extract -s named.conllu doc.dis 2>/dev/null | cmp - out
	mkdir folder
	cp doc.conllu folder
	rst-extract -s folder doc.dis 2>/dev/null | cmp - out
	cat doc.txt doc.txt >two.txt
	rst-extract -s two.txt doc.dis doc.dis >twice 2>messages
	cat out out | cmp - twice
	[ "$(cat messages)" = 'rst-extract: left out: 4 EDUs of 2 documents that the sentences lack' ]
	# where that was no footer, but a difference, its place is told
	printf 'One .\nTwo , to be true .\nFour , as was said .\n' >doc.txt
	fails "doc.dis:9: EDU 4 has 'Three ,' where doc.txt:3 has 'Four'$advice" rst-extract -s doc.txt doc.dis
	cat doc.txt doc.txt >two.txt
	fails "doc.dis:9: EDU 4 has 'Three ,' where two.txt:3 has 'Four'$advice
rst-extract: left out: 2 EDUs of 1 document that the sentences lack" rst-extract -s two.txt doc.dis doc.dis
}

@test "a document that ends in what is forgiven, before those of others" {
	printf '( Root (leaf 1) (text _!az(_!) )\n( Root (leaf 1) (text _!Next one ._!) )\n' >two.dis
	printf 'az\nNext one .\n' >two.txt
	timeout 20 rst-extract -d 1 -s two.txt two.dis >out
	[ "$(grep -c '_!az_!\|_!Next one ._!' out)" -eq 2 ]
	fails "two.dis:1: EDU 1 has '(' where two.txt:2 has 'Next'$advice" rst-extract -s two.txt two.dis
}

@test "entities match what they stand for" {
	{
		echo '( Root (span 1 2)'
		leaf Nucleus 1 span 'A&amp;B &lt; &quot;C&quot;'
		leaf Satellite 2 reason 'as it&#39;s &#x2014; said.'
		echo ')'
	} >doc.dis
	echo "A & B < \"C\" as it 's — said ." >doc.txt
	rst-extract -s doc.txt doc.dis >out
	grep -qF '_!A & B < "C"_!' out
	grep -qF "_!as it 's — said ._!" out
}

@test "what .rs4 says besides is left out and counted" {
	sed 's|</body>|<secedges><secedge id="1-2"/></secedges><signals><signal/><signal/></signals></body>|' "$examples/library.rs3" >library.rs4
	rst-extract "$examples/library.rs3" >expected
	rst-extract library.rs4 library.rs4 2>messages | head -n "$(wc -l <expected)" | cmp - expected
	[ "$(cat messages)" = 'rst-extract: left out: 2 secondary edges and 4 signals of .rs4' ]
}

@test "--conllu: the sentences that are kept, under the same names" {
	words() {
		awk '/^#/ { print; next } { for (i = 1; i <= NF; i++) { printf "%d\t%s", i, $i; for (c = 3; c <= 10; c++) { printf "\t_" } print "" } print "" }'
	}
	{ echo '# newdoc id = d'; tree; tree; } >doc.dis
	{
		printf '# newdoc_id = d\n# sent_id = d-1\n# text = One.\nOne .\n'
		printf '# newpar\n# sent_id = s7\nTwo , to be true .\nThree , as was said .\n'
		printf '#newdoc id=doc.2\nOne .\nTwo , to be true .\nThree , as was said .\n'
	} | words >all.conllu
	rst-extract --conllu=kept.conllu -s all.conllu doc.dis >kept.dis
	[ "$(grep '^# sent_id' kept.dis)" = "$(grep '^# sent_id' kept.conllu)" ]
	{
		printf '# newdoc id = d\n# sent_id = d-1\n# text = One.\nOne .\n'
		printf '# sent_id = d-2\n# newpar\n# orig_sent_id = s7\nTwo , to be true .\n'
		printf '# newdoc id = doc.2\n# sent_id = doc.2-1\nOne .\n# sent_id = doc.2-2\nTwo , to be true .\n'
	} | words | cmp - kept.conllu
	# with them the same trees are found
	rst-extract -s kept.conllu doc.dis 2>/dev/null | cmp - kept.dis
	# only those that are written
	rst-extract -m 2 -c kept.conllu -s all.conllu doc.dis >kept.dis
	[ "$(sed -n 's/^# sent_id = //p' kept.conllu | tr '\n' ' ')" = 'd-2 doc.2-2 ' ]
	[ "$(grep -c newdoc kept.conllu)" -eq 2 ]
	# a folder
	mkdir folder
	sed -n '1,/^#newdoc/p' all.conllu | grep -v '^#newdoc' >folder/d.conllu
	sed -n '/^#newdoc/,$p' all.conllu >folder/doc.2.conllu
	cp kept.conllu before
	rst-extract -m 2 -c kept.conllu -s folder doc.dis >out
	cmp kept.dis out
	cmp before kept.conllu
	# other columns
	printf '# global.columns = ID FORM\n# newdoc id = d\n1\tNo\n\n# newdoc id = doc.2\n1\tOne\n2\t.\n\n' >plus.conllu
	printf '# sent_id = doc.2\n( Root (leaf 1) (text _!One ._!) )\n' >one.dis
	rst-extract -c plus -s plus.conllu one.dis >out
	printf '# global.columns = ID FORM\n# newdoc id = doc.2\n# sent_id = doc.2-1\n1\tOne\n2\t.\n\n' | cmp - plus
	# after an error the old file is still there; with --keep-going it has what was written
	tree | sed 's/leaf 3/leaf 4/' >bad.dis
	run -1 rst-extract -c kept.conllu -s all.conllu doc.dis bad.dis
	cmp before kept.conllu
	run -1 rst-extract -k -m 2 -c kept.conllu -s all.conllu bad.dis doc.dis
	cmp before kept.conllu
	[ -z "$(find . -name '*kept*' ! -name 'kept.*')" ]
}

@test "--conllu: what it is refused for" {
	tree >doc.dis
	printf 'One .\nTwo , to be true .\nThree , as was said .\n' >doc.txt
	says 2 'rst-extract: --conllu needs --sentences' rst-extract -c out.conllu doc.dis
	says 2 "rst-extract: --conllu: '-' is no name of a file to write" rst-extract -c - -s doc.conllu doc.dis
	says 2 'rst-extract: --conllu has nothing to write with --stats' rst-extract -S -c out.conllu -s doc.txt doc.dis
	fails 'doc.txt: no CoNLL-U, of which --conllu writes a part' rst-extract -c out.conllu -s doc.txt doc.dis
	fails './doc.txt: is read, so --conllu cannot write it' rst-extract -c doc.txt -s ./doc.txt doc.dis
	fails 'doc.dis: is read, so --conllu cannot write it' rst-extract -c ./doc.dis -s doc.txt doc.dis
	[ ! -e out.conllu ]
	mkdir folder
	cp doc.txt folder/doc.conllu
	fails 'folder/doc.conllu: is read, so --conllu cannot write it' rst-extract -c folder/doc.conllu -s folder doc.dis
	cmp doc.txt folder/doc.conllu
	awk '{ for (i = 1; i <= NF; i++) { printf "%d\t%s", i, $i; for (c = 3; c <= 10; c++) { printf "\t_" } print "" } print "" }' doc.txt >doc.conllu
	run -1 rst-extract -c none/out -s doc.conllu doc.dis
	says 1 '...No space left on device...' rst-extract -c /dev/full -s doc.conllu doc.dis
}

@test "EDUs that span sentences, sentences without a subtree" {
	{
		echo '( Root (span 1 3)'
		leaf Nucleus 1 list 'He left . She'
		leaf Nucleus 2 list 'stayed .'
		leaf Nucleus 3 list 'Nobody came .'
		echo ')'
	} >doc.dis
	printf 'He left .\nShe stayed .\nNobody came .\n' >doc.txt
	[ "$(numbers -s doc.txt doc.dis)" = '1 0 3 3 1 0 0 0 2 ' ]
	[ "$(rst-extract -s doc.txt doc.dis | grep -c Root)" -eq 1 ]
	tree | sed 's/true \./true,/' >doc.dis
	[ "$(numbers doc.dis)" = '1 0 5 2 1 1 1 0 0 ' ]
}

@test "sentences of unusual blanks are none" {
	printf '( Root (span 1 2) ( Nucleus (leaf 1) (rel2par span) (text _!\xc2\xa0_!) )
		( Satellite (leaf 2) (rel2par reason) (text _!b c ._!) ) )\n' >doc.dis
	printf '\xc2\xa0\nb c .\n' >doc.txt
	rst-extract -s doc.txt doc.dis >out
	[ "$(cat out)" = '# sent_id = doc-2
( Root (span 1 1) (leaf 1) (text _!b c ._!) )' ]
	[ "$(numbers -s doc.txt doc.dis)" = '1 0 2 1 1 0 0 0 0 ' ]
}

@test "parentheses and quotes in texts, <P>, //TT_ERR" {
	{
		echo '( Root (span 1 3)'
		leaf Nucleus 1 list 'A heading (1)<P>'
		echo '( Nucleus (span 2 3) (rel2par list) //TT_ERR'
		leaf Nucleus 2 span '"Yes" ) ( Root ( said'
		echo '( Satellite (leaf 3) (rel2par attribution) (text _!he ("she").<P>_!) )//TT_ERR'
		echo ')//TT_ERR )//TT_ERR'
	} >wsj_1.out.dis
	says 0 '# sent_id = wsj_1-1
( Root (span 1 1) (leaf 1) (text _!A heading (1)_!) )

# sent_id = wsj_1-2
( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!"Yes" ) ( Root ( said_!) )
  ( Satellite (leaf 2) (rel2par Attribution) (text _!he ("she")._!) )
)' rst-extract wsj_1.out.dis
}

@test "names of files that cannot be written" {
	tree >$'x\n( Root.dis'
	tree >$'\xff.dis'
	for name in $'x\n( Root.dis' $'\xff.dis'; do
		run -1 rst-extract "$name"
		[[ "$output" == *":1: the file's name is the document's, but has control characters or invalid UTF-8" ]]
		rst-extract - <"$name" | grep -q '^# sent_id = stdin-1$'
	done
	tree >'Ein Büch.dis'
	rst-extract 'Ein Büch.dis' | grep -q '^# sent_id = Ein Büch-2$'
}

@test "n-ary nodes, same-unit with satellites, several satellites of one nucleus" {
	{
		echo '( Root (span 1 4)'
		leaf Nucleus 1 Same-Unit a
		leaf Satellite 2 example-e b
		leaf Nucleus 3 Same-Unit c
		leaf Nucleus 4 Same-Unit 'd .'
		echo ')'
	} >doc.dis
	says 0 '# sent_id = doc-1
( Root (span 1 4)
  ( Nucleus (span 1 2) (rel2par Same-Unit)
    ( Nucleus (leaf 1) (rel2par span) (text _!a_!) )
    ( Satellite (leaf 2) (rel2par Elaboration) (text _!b_!) )
  )
  ( Nucleus (span 3 4) (rel2par Same-Unit)
    ( Nucleus (leaf 3) (rel2par Same-Unit) (text _!c_!) )
    ( Nucleus (leaf 4) (rel2par Same-Unit) (text _!d ._!) )
  )
)' rst-extract doc.dis
	rst-extract --nary --labels=none doc.dis >nary
	grep -q '^  ( Satellite (leaf 2) (rel2par example-e) (text _!b_!) )$' nary
	rst-extract --nary "$examples/library.rs3" >nary
	grep -q '^  ( Satellite (leaf 1) (rel2par Contrast)' nary
	grep -q '^  ( Satellite (leaf 3) (rel2par Explanation)' nary
}

@test "a document of one EDU" {
	echo '( Root (span 1 1) (leaf 1) (text _!Stop !_!) )' >one.dis
	[ "$(rst-extract one.dis | tail -n 2 | head -n 1)" = '( Root (span 1 1) (leaf 1) (text _!Stop !_!) )' ]
	echo '<rst><body><segment id="1">Stop !</segment></body></rst>' >one.rs3
	rst-extract one.dis >dis
	rst-extract one.rs3 | cmp - dis
	[ -z "$(rst-extract --min-edus=2 one.rs3)" ]
	[ "$(numbers one.dis one.rs3)" = '2 0 2 2 2 0 0 0 0 ' ]
}

@test "relations missing from the map" {
	tree | sed 's/reason/whim/' >doc.dis
	fails "doc.dis:11: the relation 'whim' is not in $HP_MAP_PATH/rst-dt.csv; --labels names another map, or none" rst-extract doc.dis
	printf 'relation,class\nlist,Joint\n*,Other\n' >map.csv
	rst-extract --labels=map.csv doc.dis | grep -q 'rel2par Other'
	rst-extract --labels=none doc.dis | grep -q 'rel2par purpose'
	fails "no relation map 'map' in $HP_MAP_PATH (HP_MAP_PATH names the folder); the name of a file must hold a '/' or end in .csv" \
		rst-extract -l map doc.dis
	fails './map: No such file or directory' rst-extract -l ./map doc.dis
	printf 'list,Joint\nlist\n' >map.csv
	fails 'map.csv:2: expected two fields, relation and class' rst-extract -l map.csv doc.dis
}

@test "the shipped maps" {
	[ "$(cut -d , -f 2 "$srcdir/maps/rst-dt.csv" | grep -v -e '^class$' -e '^#' -e ' ' | sort -u | wc -l)" -eq 18 ]
	[ "$(cut -d , -f 2 "$srcdir/maps/gum.csv" | grep -v -e '^class$' -e '^#' -e ' ' | sort -u | wc -l)" -eq 15 ]
	for pair in elaboration-object-attribute-e:Elaboration TextualOrganization:Textual-Organization Inverted-Sequence:Temporal \
		problem-solution-n:Topic-Comment evaluation-s-e:Evaluation manner:Manner-Means; do
		tree | sed "s/purpose/${pair%:*}/" >doc.dis
		rst-extract doc.dis | grep -q "(rel2par ${pair#*:})"
	done
	tree | sed 's/list/joint-list/; s/purpose/purpose-goal/; s/reason/same-unit/' >doc.dis
	rst-extract -l gum doc.dis | grep -q '(rel2par purpose)'
}

@test ".rs3 in iso-8859-1, windows-1252 and UTF-16" {
	sed 1d "$examples/library.rs3" | iconv -f windows-1252 -t UTF-8 >body
	rst-extract "$examples/library.rs3" >expected
	grep -q 'café' expected
	for encoding in UTF-8 ISO-8859-1 iso-8859-15 windows-1252 UTF-16; do
		{ echo "<?xml version=\"1.0\" encoding=\"$encoding\"?>"; cat body; } | iconv -f UTF-8 -t "$encoding" >library.rs3
		rst-extract library.rs3 | cmp - expected
	done
	{ echo '<?xml version="1.0" encoding="x-none"?>'; cat body; } >bad.rs3
	fails 'bad.rs3:1: XML: unknown encoding' rst-extract bad.rs3
}

@test "relations declared but unused, used but undeclared; nodes out of order" {
	rst-extract "$examples/library.rs3" >expected
	LC_ALL=C grep -av '<rel ' "$examples/library.rs3" >library.rs3
	rst-extract library.rs3 | cmp - expected
	# groups first, the last one first; the segments' order is the text's
	{
		sed '/<body>/q' "$examples/library.rs3"
		grep -a '<group' "$examples/library.rs3" | tac
		grep -a '<segment' "$examples/library.rs3"
		echo '</body></rst>'
	} >library.rs3
	rst-extract library.rs3 | cmp - expected
	# whatever their ids
	sed 's/\(id\|parent\)="\([0-9]*\)"/\1="9\2"/g; s/"91"/"1"/g; s/"92"/"91"/g; s/"1"/"92"/g' library.rs3 >renamed.rs3
	! cmp -s library.rs3 renamed.rs3
	rst-extract renamed.rs3 | sed 's/renamed/library/' | cmp - expected
}

@test "bad .dis: every message names its line" {
	tree | sed 's/leaf 3/leaf 4/' >bad.dis
	fails 'bad.dis:7: leaf 4, expected leaf 3' rst-extract bad.dis
	tree | head -n 6 >bad.dis
	fails 'bad.dis:1: the tree that begins here has no end: 4 of its nodes are open' rst-extract bad.dis
	tree | sed 's/to be true ._!/to be true ./' >bad.dis
	fails 'bad.dis:7: the text of leaf 3 holds _!, expected it only at its end' rst-extract bad.dis
	tree | sed 's/said/s\xe9/' >bad.dis
	fails 'bad.dis:11: invalid UTF-8' rst-extract bad.dis
	tree | sed 's/Root/Tree/' >bad.dis
	fails "bad.dis:1: 'Tree', expected Root" rst-extract bad.dis
	fails 'none.dis: No such file or directory' rst-extract none.dis
	head -c 70000000 /dev/zero | tr '\0' '\n' >bad.dis
	fails 'bad.dis:1: comments and blank lines of more than 64 MiB' rst-extract bad.dis
	{ tree | head -n 3; head -c 70000000 /dev/zero | tr '\0' '\n'; } >bad.dis
	fails 'bad.dis:1: a tree of more than 64 MiB' rst-extract bad.dis
	# an empty file holds no trees, which is no error
	run rst-extract /dev/null
	[ "$status" -eq 0 ] && [ -z "$output" ]
}

@test "spans that contradict the leaves: a warning, and the leaves count" {
	tree >doc.dis
	rst-extract doc.dis >expected
	tree | sed 's/(span 2 3)/(span 1 3)/; s/(span 1 5)/(span 1 7)/' >doc.dis
	rst-extract doc.dis >out 2>messages
	cmp expected out
	[ "$(cat messages)" = 'rst-extract: doc.dis:5: span 1 3 of a node whose leaves are 2 to 3: the leaves count, as they do for 1 more node of this tree' ]
}

@test "sentence marks and texts of the Instructional corpus" {
	cat >doc.dis <<-'END'
	( Root (span 1 3)
	  ( Nucleus (leaf 1) (rel2par textualOrganization) (text <s><EDU> The lock </EDU></s>) )
	  ( Satellite (span 2 3) (rel2par textualOrganization)
	    ( Nucleus (leaf 2) (rel2par act:goal) (text <s><EDU>Turn the key (see page 3)</EDU>) )
	    ( Satellite (leaf 3) (rel2par act:goal) (text <EDU>to open it.</EDU></s>) ) ) )
	END
	says 0 '# sent_id = doc-1
( Root (span 1 1) (leaf 1) (text _!The lock_!) )

# sent_id = doc-2
( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!Turn the key (see page 3)_!) )
  ( Satellite (leaf 2) (rel2par act:goal) (text _!to open it._!) )
)' rst-extract -l none doc.dis
}

@test "# newdoc_id names documents, in sentences and in trees" {
	{ echo '# newdoc id = b'; tree; } >trees.dis
	{
		echo '# newdoc_id = a'
		printf '1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n'
		echo '# newdoc_id = b'
		printf 'One .\nTwo , to be true .\nThree , as was said .\n' |
			awk '{ for (i = 1; i <= NF; i++) { printf "%d\t%s", i, $i; for (c = 3; c <= 10; c++) { printf "\t_" } print "" } print "" }'
	} >all.conllu
	rst-extract -s all.conllu trees.dis >out
	[ "$(sed -n 's/^# sent_id = //p' out | tr '\n' ' ')" = 'b-1 b-2 ' ]
}

@test "--keep-going leaves out what is bad" {
	tree >good.dis
	{ tree | sed 's/leaf 3/leaf 4/'; echo; tree; } >mixed.dis
	fails 'mixed.dis:7: leaf 4, expected leaf 3' rst-extract -k mixed.dis good.dis
	[ "$(grep -c '^# sent_id' out)" -eq 4 ]
	fails 'mixed.dis:7: leaf 4, expected leaf 3' rst-extract mixed.dis good.dis
	[ ! -s out ]
	rst-extract -kS mixed.dis good.dis >stats 2>/dev/null || [ $? -eq 1 ]
	[ "$(sed -n 's/.*,\([0-9]*\)$/\1/p' stats | tr '\n' ' ')" = '2 1 10 6 2 4 2 2 0 ' ]
}

@test "--keep-going with sentences that are known by their order only" {
	for text in x z y; do
		printf '# sent_id = %s\n( Root (leaf 1) (text _!%s_!))\n\n' $text $text
	done >three.dis
	printf 'x\nq\ny\n' >three.txt
	fails "three.dis:5: EDU 1 has 'z' where three.txt:2 has 'q'$advice
rst-extract: three.txt names no documents: where the next one's sentences begin is not known" \
		rst-extract -k -s three.txt three.dis three.dis
	[ "$(grep '^#' out)" = '# sent_id = x-1' ]
	# with names the third one is reached
	for text in x q y; do
		printf '# newdoc id = %s\n1\t%s\t_\t_\t_\t_\t_\t_\t_\t_\n\n' ${text/q/z} $text
	done >three.conllu
	fails "three.dis:5: EDU 1 has 'z' where three.conllu:5 has 'q'$advice" rst-extract -k -s three.conllu three.dis
	[ "$(grep -c '^# sent_id = [xy]-1$' out)" -eq 2 ]
	# so it is when the relations of one are at fault, but not its text
	{ tree | sed s/reason/whim/; tree; } >doc.dis
	printf 'One .\nTwo , to be true .\nThree , as was said .\n%.0s' 1 2 >doc.txt
	fails "doc.dis:11: the relation 'whim' is not in $HP_MAP_PATH/rst-dt.csv; --labels names another map, or none" rst-extract -k -s doc.txt doc.dis
	[ "$(grep -c '^# sent_id = doc.2-' out)" -eq 2 ]
}

@test "an unfinished tree leaves the next one its comments" {
	{ tree | head -n 6; printf '\n# more\n# sent_id = doc2\n'; tree; } >mixed.dis
	fails 'mixed.dis:1: the tree that begins here has no end before the next one begins: 4 of its nodes are open' \
		rst-extract -k mixed.dis
	[ "$(sed -n 's/^# sent_id = //p' out | tr '\n' ' ')" = 'doc2-1 doc2-2 ' ]
}

@test "brackets nest as deep as they like" {
	{
		printf '( Root '
		printf '( Nucleus (rel2par list) %.0s' {1..20000}
		printf '(leaf 1) (text _!a ._!)'
		printf ')%.0s' {1..20000}
		echo ')'
	} >deep.dis
	[ "$(rst-extract deep.dis | grep -c 'leaf 1')" -eq 1 ]
	printf '( Root %.0s' {1..20000} >deep.dis
	run -1 rst-extract deep.dis
	printf '( Root' >deep.dis
	printf '( Nucleus %.0s' {1..20000} >>deep.dis
	fails 'deep.dis:1: the tree that begins here has no end: 20001 of its nodes are open' rst-extract deep.dis
}

@test "wrong usage, a full disk, a reader that goes away" {
	tree >doc.dis
	for option in --min-edus=0 --differences=-1 --min-edus=x --no-such; do
		run -2 rst-extract $option doc.dis
	done
	run rst-extract --min-edus=0 doc.dis
	[ "${lines[0]}" = "rst-extract: --min-edus: '0' is not a whole number from 1 to 2147483647" ]
	says 1 'rst-extract: standard output: No space left on device' bash -c 'rst-extract doc.dis >/dev/full'
	for _ in {1..2000}; do cat doc.dis; done >many.dis
	bash -c 'rst-extract many.dis 2>messages | head -n 1 >first'
	[ ! -s messages ]
	grep -q '^# sent_id = many-1$' first
}

@test ".rs3: a line end in a name" {
	printf '<rst>\n<body><segment id="1&#10;2">a</segment></body></rst>\n' >name.rs3
	fails "name.rs3:2: a line end in the name '1\\x0A2'" rst-extract name.rs3
}

@test "packed documents and sentences are found by the names of what is packed" {
	tree >doc.dis
	gzip doc.dis
	rst-extract -l none doc.dis.gz >out
	[ "$(grep '^# sent_id' out | head -n 1)" = '# sent_id = doc-1' ]
	mkdir folder
	printf 'One .\nTwo , to be true . Three , as was said .\n' | gzip >folder/doc.txt.gz
	rst-extract -l none -s folder doc.dis.gz | grep -c '^# sent_id'
}

@test "a single document's sentences serve whatever its name" {
	tree >doc.dis
	{ echo '# newdoc id = other'; n=0
		for word in One . ; do n=$((n + 1)); printf '%s\t%s\t_\t_\t_\t_\t_\t_\t_\t_\n' $n $word; done
		echo; n=0
		for word in Two , to be true . Three , as was said . ; do
			n=$((n + 1)); printf '%s\t%s\t_\t_\t_\t_\t_\t_\t_\t_\n' $n $word
		done
		echo; } >one.conllu
	rst-extract -l none -s one.conllu doc.dis >out
	grep -qx '# sent_id = doc-1' out
}
