#!/usr/bin/env bats
# Models that know documents: training, and three kinds of text through the filters.
bats_require_minimum_version 1.5.0
load filters

# document NAME WORD WORD: a tree over three sentences, of two EDUs, one and two.
document() {
	cat <<-EOF
	# newdoc id = $1
	# sent_ends = 2 3 5
	( Root (span 1 5)
	  ( Nucleus (span 1 3) (rel2par span)
	    ( Nucleus (span 1 2) (rel2par Joint)
	      ( Nucleus (leaf 1) (rel2par span) (text _!she $2_!) )
	      ( Satellite (leaf 2) (rel2par Explanation) (text _!because he $3 ._!) )
	    )
	    ( Nucleus (leaf 3) (rel2par Joint) (text _!they $2 ._!) )
	  )
	  ( Satellite (span 4 5) (rel2par Elaboration)
	    ( Satellite (leaf 4) (rel2par Background) (text _!when it $3 ,_!) )
	    ( Nucleus (leaf 5) (rel2par span) (text _!we $2 ._!) )
	  )
	)

	EOF
}

documents() {
	local i what=(sings waits sleeps reads leaves)
	for i in $(seq "$1" "$2"); do
		document "made-$i" "${what[i % 5]}" "${what[i / 5 % 5]}"
	done
}

small() {
	hp-train --task=rst -t train.dis -d dev.dis --set hidden=12 --set layers=2 --set label_mlp=8 --set word_dim=12 \
		--set char_filters=6 --set char_dim=6 --set batch=4 --set learning_rate=0.01 --set drop_input=0.1 \
		--set drop_encoder=0.1 --set drop_decoder=0.1 --set drop_classifier=0.1 --fusion P -q "$@"
}

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	documents 0 19 >train.dis
	documents 20 24 >dev.dis
	small --set document_layers=1 --set split_mlp=10 --set label_halves=1 -e 8 -o doc.safetensors
	small -e 1 -o sent.safetensors
	# A language; its dependency parser is one of random numbers.
	mkdir models sentences
	ln -s ../doc.safetensors models/en-rst.safetensors
	for kind in tok tag edu; do
		ln -s "${builddir:-$PWD}/tests/models/en-$kind.safetensors" "models/en-$kind.safetensors"
	done
	"$make_model" models/en-dep.safetensors
	cp -d models/* sentences
	ln -sf ../sent.safetensors sentences/en-rst.safetensors
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
	unset HP_MODEL
	export HP_MODEL_PATH=$BATS_FILE_TMPDIR/models
}

# The texts of EDUs of dev.dis: their documents as EDU text, and as CoNLL-U.
edus() {
	awk '/^# newdoc/ { print; n = 0 }
		match($0, /_!.*_!/) { if (n == 2 || n == 3) print ""; print substr($0, RSTART + 2, RLENGTH - 4); if (++n == 5) print "" }' dev.dis
}

conllu() {
	edus | awk '/^# newdoc/ { print; next } /^$/ { if (i) print ""; i = 0; next }
		{ for (k = 1; k <= NF; k++) printf "%d\t%s\t_\t_\t_\t_\t_\t_\t_\t%s\n", ++i, $k, k == 1 ? "Seg=B-seg" : "_" }'
}

@test "a model notes its document layers, one for sentences nothing" {
	hp-cat doc.safetensors | grep -q 'document_layers = 1'
	hp-cat doc.safetensors | grep -q 'document\.0\.bwd\.w_ih'
	hp-cat doc.safetensors | grep -q 'pointer\.g2\.w .*\[10, 24\]'
	hp-cat doc.safetensors | grep -q 'label\.g1\.w .*\[8, 36\]'
	! hp-cat sent.safetensors | grep -e document -e split_mlp -e label_halves -e pointer
}

@test "learns documents; dev scores are those of hp-eval" {
	hp-parse -m ./doc.safetensors --input=dis dev.dis >out.dis
	[ "$(grep '^#' out.dis)" = "$(grep '^#' dev.dis)" ]
	said=$(hp-cat doc.safetensors | sed -n 's/^ *dev\.span = //p')
	found=$(hp-eval --csv --task=rst dev.dis out.dis | awk -F, '/Span/ { printf "%.2f", $NF; exit }')
	echo "said $said, found $found"
	[ "${said%.*}" -ge 80 ]
}

@test "trees, EDU text and CoNLL-U give the same trees, at any number of threads and documents at a time" {
	hp-parse -m ./doc.safetensors --input=dis dev.dis >dis
	[ "$(grep -c Root dis)" -eq 5 ]
	edus >edus.txt
	hp-parse -m ./doc.safetensors --input=edus edus.txt | cmp - dis
	conllu >marked.conllu
	hp-parse -m ./doc.safetensors --input=conllu marked.conllu | cmp - dis
	hp-parse -m ./doc.safetensors --input=edus -j3 -b 3 edus.txt >beam
	for i in 20 21 22 23 24; do
		edus | sed -n "/made-$i/,/^we/p" | hp-parse -m ./doc.safetensors --input=edus -b 3
	done | cmp - beam
	hp-embed -m ./doc.safetensors --input=edus edus.txt | hp-encode | hp-decode --text | grep -c 'sent_ends = 2 3 5' | grep -qx 5
	hp-embed -m ./doc.safetensors --input=edus edus.txt | hp-cat | grep -c sent_end | grep -qx 5
}

@test "a sentence outside of documents is one of its own" {
	printf '# sent_id = a\nshe sings\nbecause he waits .\n\nthey sing .\n\n# newdoc id = d\nshe sings\n\nthey wait .\n' >mixed
	hp-parse -m ./doc.safetensors --input=edus mixed >out
	[ "$(grep -c Root out)" -eq 3 ]
	[ "$(grep '^#' out)" = '# sent_id = a
# newdoc id = d
# sent_ends = 1 2' ]
	# where its sentences end matters
	printf '# newdoc id = d\nshe sings\nthey wait .\n' | hp-embed -m ./doc.safetensors --input=edus | hp-encode >one
	printf '# newdoc id = d\nshe sings\n\nthey wait .\n' | hp-embed -m ./doc.safetensors --input=edus | hp-encode >two
	! cmp -s one two
}

@test "a model for sentences says so" {
	run -0 --separate-stderr hp-parse -m ./sent.safetensors --input=dis dev.dis
	[[ $stderr == 'hp-embed: dev.dis: 5 documents of several sentences, each parsed as if it were one sentence: model '* ]]
	# whose trees are documents' all the same
	[ "$(grep '^#' <<<"$output")" = "$(grep '^#' dev.dis)" ]
	run -0 --separate-stderr hp-parse -m ./doc.safetensors --input=dis dev.dis
	[ "$stderr" = '' ]
	edus >edus.txt
	conllu >marked
	says 0 'hp-embed: edus.txt: 5 documents, whose sentences get a tree each: model ... is for sentences, expected one that was trained with document_layers' \
		messages hp-parse -m ./sent.safetensors --input=edus edus.txt
	says 0 'hp-embed: marked: 5 documents, whose sentences get a tree each: ...' messages hp-parse -m ./sent.safetensors --input=conllu marked
	hp-parse -m ./sent.safetensors --input=edus edus.txt 2>&1 >/dev/null | grep -q "model $PWD/sent.safetensors is"
	printf '# newdoc id = a\nshe sings\n\n# newdoc id = b\nhe waits\n' | says 0 '' messages hp-parse -m ./sent.safetensors --input=edus
}

@test "a model for documents says so" {
	printf 'she sings\n\nhe waits\nand sleeps\n' >edus.txt
	said="2 sentences in no document, each parsed as one of its own: model ... is for documents, expected a line '# newdoc id = NAME' before their sentences"
	says 0 "hp-embed: edus.txt: $said" messages hp-parse -m ./doc.safetensors --input=edus edus.txt
	printf '# sent_id = a\n( Root (leaf 1) (text _!a_!) )\n# sent_id = b\n( Root (leaf 1) (text _!a_!) )\n' >in.dis
	says 0 "hp-embed: in.dis: $said" messages hp-parse -m ./doc.safetensors --input=dis in.dis
	conllu | grep -v '^#' | head -n 8 >marked
	says 0 "hp-embed: marked: $said" messages hp-parse -m ./doc.safetensors --input=conllu marked
	# a single one is a small document
	head -n 1 edus.txt | says 0 '' messages hp-parse -m ./doc.safetensors --input=edus
}

@test "trees of several sentences without their ends, comments where they are text" {
	sed 's/_!they/_!They/; s/_!when/_!When/' dev.dis >known.dis
	sed '/^# sent_ends/d' known.dis >ends.dis
	says 0 "hp-embed: ends.dis: 5 documents without '# sent_ends', parsed as one sentence although several seem to end in it: rst-convert --sentences adds the ends" \
		messages hp-parse -m ./doc.safetensors -i dis ends.dis
	rst-convert --sentences ends.dis | cmp - <(rst-convert known.dis)
	# sentences by name, and a single one, say nothing
	sed 's/newdoc id/sent_id/' ends.dis | sed '/^# sent_id = made-21/,$d' | says 0 '' messages hp-parse -m ./doc.safetensors -i dis
	printf '# newdoc id = a\n( Root (span 1 2) ( Nucleus (leaf 1) (rel2par l) (text _!she sings_!) ) ( Nucleus (leaf 2) (rel2par l) (text _!and waits ._!) ) )\n' |
		says 0 '' messages hp-parse -m ./doc.safetensors -i dis
	says 1 'hp-embed: ends.dis:2: 5 EDUs in which no sentence ends, more than 4 (--max-edus); rst-convert --sentences adds ends' \
		messages hp-parse -m ./doc.safetensors -i dis --max-edus=4 ends.dis
	said="line... like a comment among EDUs, taken for an EDU: only '# newdoc id = NAME' and '# sent_id = NAME' before the first one are comments"
	printf '# newdoc id = a\n# sent_id = 1\nshe sings\n\n# sent_id = 2\n# 1 text\nhe waits\n' >text
	says 0 '' messages hp-parse -m ./doc.safetensors -i edus text
	printf '# newdoc id = a\nshe sings\n# sent_id = 2\nhe waits\n\n# text = they sing\nthey sing\n# newdoc\n' >text
	says 0 "hp-embed: text:3: 3 $said" messages hp-parse -m ./doc.safetensors -i edus text
	printf '# sent_id = a\n# newdoc id = a\nshe sings\n' >text
	says 0 "hp-embed: text:2: 1 $said" messages hp-parse -m ./sent.safetensors -i edus text
}

@test "documents that are too long are refused, with the line; others pass with --keep-going" {
	{ edus; echo '# newdoc id = long'; yes 'she sings' | head -n 1001; echo; edus; } >long.txt
	line=$(grep -n 'id = long' long.txt | cut -d : -f 1)
	"$make_model" dependencies.safetensors
	says 1 "hp-embed: --max-edus is for discourse models, but ...dependencies.safetensors is for the task dep" \
		messages hp-embed -m ./dependencies.safetensors --max-edus=5 /dev/null
	said="document long: 1001 EDUs, more than 1000; --max-edus cuts it at paragraphs"
	says 1 "hp-embed: long.txt:$line: $said" messages hp-parse -m ./doc.safetensors --input=edus long.txt
	run -1 --separate-stderr hp-parse -m ./doc.safetensors --input=edus -k long.txt
	[ "$stderr" = "hp-embed: long.txt:$line: $said" ]
	[ "$(grep -c Root <<<"$output")" -eq 10 ]
	[ "$(grep -cx '# she sings' <<<"$output")" -eq 1001 ]
	grep -qx "# unparsed = long.txt:$line: $said" <<<"$output"
	[ "$(hp-parse -m ./doc.safetensors -i dis <<<"$output" | grep -c Root)" -eq 10 ]
	hp-draw <<<"$output" >drawn
	rst-convert -t rels <<<"$output" >drawn
	{ echo '( Root (span 1 1001)'; seq -f '( Nucleus (leaf %g) (rel2par list) (text _!she_!) )' 1001; echo ')'; } >long.dis
	says 1 "hp-embed: long.dis:1: document: 1001 EDUs, more than 1000; --max-edus cuts it at paragraphs" \
		hp-parse -m ./doc.safetensors --input=dis long.dis
	edus >edus.txt
	says 1 'hp-embed: edus.txt:8: a document of more than 14 words' \
		hp-parse -m ./doc.safetensors --input=edus --max-words=14 edus.txt
	{ edus | head -n 9; printf '# newdoc id = long\na\nb\nc\nd\ne\nf\n\n'; edus | tail -n 9; } >some
	run -1 --separate-stderr hp-parse -m ./doc.safetensors --input=edus --max-edus=5 -k some
	[ "$stderr" = 'hp-embed: some:10: 6 EDUs in which no sentence ends, more than 5 (--max-edus)' ]
	[ "$(grep -c Root <<<"$output")" -eq 2 ]
	grep -qx '# # newdoc id = long' <<<"$output"
	grep -qx '# f' <<<"$output"
	{ first=$(edus | head -n 9); printf '%s\n\n( Nucleus (span 1 2) b\n\n' "$first"; } >bad
	says 1 'hp-embed: bad:10: part of a tree, expected an EDU a line: .dis trees need --input=dis' \
		hp-parse -m ./doc.safetensors --input=edus bad
}

# A document of ten sentences, of one word each but the fourth, which has two EDUs; paragraphs begin with 1, 4 and 6.
ten() {
	echo '# newdoc id = x.txt'
	for i in 1 2 3 4 5 6 7 8 9 10; do
		case $i in (1 | 4 | 6) echo '# newpar' ;; esac
		printf '# sent_id = %d\n1\tw%d\t_\t_\t_\t_\t_\t_\t_\tSeg=B-seg\n' $i $i
		[ $i -ne 4 ] || printf '2\tx\t_\t_\t_\t_\t_\t_\t_\tSeg=B-seg\n'
		echo
	done
}

# The EDUs of each part.
parts() {
	grep -o '^# newdoc.*\|^# sent_ends.*\|_!.*_!' | sed 's/^# newdoc id =/;/; s/^# sent_ends =/:/; s/_!//g' | tr '\n' ' ' | sed 's/ $//'
}

@test "where a paragraph ends makes a difference" {
	edus | head -n 9 >one.txt
	sed '3s/$/<P>/' one.txt >two.txt
	grep -q '^because.*<P>$' two.txt
	sed 's/\.$/.<P>/' one.txt >three.txt
	for i in one two three; do
		hp-embed -m ./doc.safetensors -i edus $i.txt >$i.stream
		hp-encode <$i.stream | hp-cat --csv -t h >$i.h
	done
	[ "$(hp-cat --csv -t paragraph two.stream)" = 0,1,0,0,0 ]
	! cmp -s one.h two.h
	! cmp -s two.h three.h
	# for a model of sentences it is no text either, and nothing more
	sed 's/<P>//' two.txt | cmp - one.txt
	# nor in .rs3, which has no place for it
	[ -z "$(hp-parse -m ./doc.safetensors -i edus --rs3 two.txt | grep 'P&gt;')" ]
	cmp <(hp-parse -m ./sent.safetensors -i edus <(sed 1d one.txt)) <(hp-parse -m ./sent.safetensors -i edus <(sed 1d two.txt))
}

@test "--max-edus: cut at paragraphs, or else at sentences" {
	ten >ten.conllu
	edus() { ten | hp-segment --keep --edus | sed 's/^w[35]$/&<P>/'; }
	edus >ten.txt
	{ printf '# newdoc id = x.txt\n# sent_ends = 1 2 3 5 6 7 8 9 10 11\n( Root (span 1 11)\n'
		grep -v '^#\|^$' ten.txt | awk '{ printf "( Nucleus (leaf %d) (rel2par list) (text _!%s_!) )\n", NR, $0 }'; echo ')'; } >ten.dis
	for kind in conllu edus dis; do
		file=ten.${kind/edus/txt}
		split_at() { hp-parse -m ./doc.safetensors -i $kind --max-edus="$1" $file 2>messages | parts; }
		# 3 and 3 EDUs, then sentences without paragraphs: 4 and 1
		[ "$(split_at 4)" = '; x.txt : 1 2 3 w1 w2 w3<P> ; x.txt.2 : 2 3 w4 x w5<P> ; x.txt.3 : 1 2 3 4 w6 w7 w8 w9 ; x.txt.4 w10' ]
		[ "$(cat messages)" = "hp-embed: $file: 1 document of more than 4 EDUs (--max-edus), cut into 4 parts" ]
		# two paragraphs have room together, and 5 EDUs behind them
		[ "$(split_at 6)" = '; x.txt : 1 2 3 5 6 w1 w2 w3<P> w4 x w5<P> ; x.txt.2 : 1 2 3 4 5 w6 w7 w8 w9 w10' ]
		[ "$(split_at 11)" = '; x.txt : 1 2 3 5 6 7 8 9 10 11 w1 w2 w3<P> w4 x w5<P> w6 w7 w8 w9 w10' ]
		[ ! -s messages ]
		[ "$(split_at 2)" = '; x.txt : 1 2 w1 w2 ; x.txt.2 w3<P> ; x.txt.3 w4 x ; x.txt.4 w5<P> ; x.txt.5 : 1 2 w6 w7 ; x.txt.6 : 1 2 w8 w9 ; x.txt.7 w10' ]
		# sentence 4 has no room; what comes before it is written
		[[ $(split_at 1) == '; x.txt w1 ; x.txt.2 w2 ; x.txt.3 w3'* ]]
		grep -q "^hp-embed: $file:[0-9]*: 2 EDUs in which no sentence ends, more than 1 (--max-edus)\$" messages
	done
	# The line is right behind a cut.
	sed 's/^w9$/( Satellite (leaf 9)/' ten.txt >bad.txt
	says 1 "hp-embed: bad.txt:$(grep -n 'leaf 9' bad.txt | cut -d : -f 1): part of a tree, ..." messages hp-parse -m ./doc.safetensors --max-edus=4 -i edus bad.txt
	yes x | head -n 60 | tr '\n' ' ' | sed 's/ $/\n/' >words
	{ sed '/^w9$/,$d' ten.txt; cat words; } >bad.txt
	says 1 "hp-embed: bad.txt:$(wc -l <bad.txt): a document of more than 50 words" \
		messages hp-parse -m ./doc.safetensors --max-edus=4 --max-words=50 -i edus bad.txt
	# Two documents: parts are numbered anew.
	{ ten; ten | sed 's/x.txt/y.txt/'; } >two
	[ "$(hp-parse -m ./doc.safetensors -i conllu --max-edus=6 two 2>messages | grep '# newdoc' | tr '\n' ';')" = '# newdoc id = x.txt;# newdoc id = x.txt.2;# newdoc id = y.txt;# newdoc id = y.txt.2;' ]
	[ "$(cat messages)" = 'hp-embed: two: 2 documents of more than 6 EDUs (--max-edus), cut into 4 parts' ]
	# Raw text.
	for i in 1 2 3; do printf 'She sings.\n\n'; done >raw.txt
	hp-parse -m en-rst -i text --max-edus=2 raw.txt 2>messages | grep -c Root | grep -qx 2
	[ "$(cat messages)" = 'hp-embed: <stdin>: 1 document of more than 2 EDUs (--max-edus), cut into 2 parts' ]
}

# ten SED: that document with spans that are fixed.
spanned() {
	ten | sed "$1"
}

@test "spans that are fixed, over sentences and cuts" {
	held() { hp-embed -m ./doc.safetensors -i conllu --constraints "$@" 2>messages | hp-cat --csv -t fixed | tr '\n' ' '; }
	# EDUs 1 to 3 and 3 alone, 4 to 8 (x is the fifth), 5 and 6.
	spans='/w1\t/s/$/|Span=3/; /w3/s/$/|Span=1/; /w4/s/$/|Span=5/; /\tx\t/s/$/|Span=2/'
	spanned "$spans" >ten.conllu
	[ "$(held ten.conllu)" = '1,1,0,1,2,1,1,0,0,0,0 ' ]
	hp-parse -m ./doc.safetensors -i conllu --constraints --brackets ten.conllu >out
	for span in '(1:[^ ]*:3)' '(4:[^ ]*:8)' '(5:[^ ]*:6)'; do grep -q "$span" out; done
	hp-parse -m ./doc.safetensors -i conllu --constraints --brackets -j2 -b 5 <(cat ten.conllu ten.conllu) | sort | uniq -c | awk '$1 != 2' | diff - /dev/null
	# Cut into w1 w2 w3, w4 x w5, w6 to w9, w10: a span that is cut keeps its parts.
	[ "$(held --max-edus=4 ten.conllu)" = '1,2,0 1,0,0,0 ' ]
	[ "$(cat messages)" = 'hp-embed: ten.conllu: 1 document of more than 4 EDUs (--max-edus), cut into 4 parts' ]
	[ "$(held --max-edus=7 <(spanned '/w2/s/$/|Span=8/; /w4/s/$/|Span=6,4/'))" = '0,1,1,3,3,0 2,2,0,0,0 ' ]
	# Each part gets the same from a tree.
	word=(- w1 w2 w3 w4 x w5 w6 w7 w8 w9 w10)
	{ printf '# newdoc id = x.txt\n# sent_ends = 1 2 3 5 6 7 8 9 10 11\n( Root (span 1 11)\n'
		for i in {1..11}; do
			case $i in (1) echo '( Nucleus (rel2par l)';; (4) echo '( Nucleus (rel2par l)';; (5) echo '( Nucleus (rel2par l)'; esac
			p=; case $i in (3 | 6) p='<P>';; esac
			echo "( Nucleus (leaf $i) (rel2par l) (text _!${word[i]}${p}_!) )"
			case $i in (3 | 6 | 8) echo ')'; esac
		done; echo ')'; } >ten.dis
	[ "$(hp-embed -m ./doc.safetensors -i dis --constraints ten.dis | hp-cat --csv -t fixed)" = '2,2,1,2,3,2,2,1,1,1,0' ]
	for most in 3 4 7; do
		hp-parse -m ./doc.safetensors -i dis --constraints --max-edus=$most --brackets ten.dis 2>/dev/null |
			sed 's/^# newdoc.*/#/' | cmp - <(hp-parse -m ./doc.safetensors -i conllu --constraints --max-edus=$most --brackets ten.conllu 2>/dev/null |
			sed 's/^# newdoc.*/#/')
	done
	# A model for sentences looks at each alone.
	says 1 'hp-embed: ten.conllu:4: Span=3, but 1 EDU from here to the end of the sentence' bash -c \
		'hp-embed -m ./sent.safetensors -i conllu --constraints ten.conllu 2>&1 >/dev/null'
}

@test "spans that no document has" {
	fails() { says 1 "hp-embed: bad:$1" bash -c 'hp-embed -m ./doc.safetensors -i conllu --constraints '"$2"' bad 2>&1 >/dev/null'; }
	line() { grep -n "	$1	" bad | cut -d : -f 1; }
	spanned '/w2/s/$/|Span=5/; /w5/s/$/|Span=2/' >bad
	fails "$(line w5): Span=2, EDUs 6 to 7, crosses Span=5 in line $(line w2), EDUs 2 to 6"
	# ... also where a cut is between
	fails "$(line w5): Span=2, EDUs 6 to 7, crosses Span=5 in line $(line w2), EDUs 2 to 6" --max-edus=4
	{ spanned '/w9/s/$/|Span=4/'; ten | sed 's/x.txt/y.txt/'; } >bad
	fails "$(line w9 | head -n 1): Span=4, but 2 EDUs from here to the end of the document"
	fails "$(line w9 | head -n 1): Span=4, but 2 EDUs from here to the end of the document" --max-edus=6
	# The document passes, the other one is parsed.
	run -1 --separate-stderr hp-parse -m ./doc.safetensors -i conllu --constraints -k bad
	[ "$stderr" = "hp-embed: bad:$(line w9 | head -n 1): Span=4, but 2 EDUs from here to the end of the document" ]
	[ "$(grep -c '^# newdoc' <<<"$output")" -eq 1 ]
	grep -qx '# # newdoc id = x.txt' <<<"$output"
	grep -qx '# w9' <<<"$output"
	[ "$(hp-parse -m ./doc.safetensors -i dis <<<"$output" | grep '^# newdoc')" = '# newdoc id = y.txt' ]
	[ "$(grep -c '_!' <<<"$output")" -eq 11 ]
	# A sentence passes, the document goes on without it, and without its spans.
	spanned '/w2/s/$/|Span=x/; /w3/s/$/|Span=2/' >bad
	hp-parse -m ./doc.safetensors -i conllu --constraints -k --brackets bad >out 2>messages || :
	[ "$(cat messages)" = "hp-embed: bad:$(line w2): Span=x of word 1, expected numbers from 1 to 999999999, separated by commas" ]
	grep -q '(2:[^ ]*:3)' out
	# ... nor with those that reach over it: EDUs 2 to 6 without w4 x are 2 to 4, which nobody fixed.
	spanned '/w2/s/$/|Span=5/; /w3/s/$/|Span=1,2/; /w5/s/$/|Span=2/' | awk -v OFS='\t' -F '\t' '$2 == "w4" { $1 = 3 } 1' >bad
	at=$(line w4)
	while [ -n "$(sed -n "$((at - 1))p" bad)" ]; do at=$((at - 1)); done
	hp-embed -m ./doc.safetensors -i conllu --constraints -k bad 2>messages >stream || :
	grep -qxF "hp-embed: bad:$(line w2): Span=5 left out: it reaches over the sentence in line $at, which is refused" messages
	grep -qxF "hp-embed: bad:$(line w3): Span=2 left out: it reaches over the sentence in line $at, which is refused" messages
	[ "$(wc -l <messages)" -eq 3 ]
	# of w1 w2 w3 w5 to w10
	[ "$(hp-cat --csv -t fixed stream)" = '0,0,0,1,0,0,0,0,0' ]
	# An EDU without tokens would be no line of its document.
	{ echo '# newdoc id = d'; for form in a ' ' b; do printf '1\t%s\t_\t_\t_\t_\t_\t_\t_\t_\n\n' "$form"; done; } >bad
	fails '4: an EDU without tokens'
}

@test "a document goes on when its first sentence is refused" {
	conllu >good
	names=$(grep '^# newdoc' good)
	# The first word of each document gets a wrong number, or makes an EDU of blanks.
	for wrong in 's/^1\t/3\t/' 's/\t[^\t]*/\t /;n;s/[^\t]*$/Seg=B-seg/'; do
		sed "/^# newdoc/{n;$wrong}" good >bad
		hp-parse -m ./doc.safetensors -i conllu -k bad 2>messages >out || :
		[ "$(wc -l <messages)" -eq 5 ]
		# Each is what it is without that sentence.
		awk -v RS= -v ORS='\n\n' '/# newdoc/ { print substr($0, 1, index($0, "\n") - 1); next } 1' good |
			hp-parse -m ./doc.safetensors -i conllu | cmp - <(sed '/^# unparsed/,/^$/d' out)
	done
	edus >good
	sed '/^# newdoc/{n;s/^/( Root (span 1 9) /}' good >bad
	hp-parse -m ./doc.safetensors -i edus -k bad 2>messages >out || :
	[ "$(wc -l <messages)" -eq 5 ]
	[ "$(grep '^# newdoc' out)" = "$names" ]
	[ "$(grep -c '^( Root' out)" -eq 5 ]
	# So it does without any other.
	for bad in $'a \xff' '<P>'; do
		printf '# newdoc id = d\nshe sings\n\n%s\n\nhe waits\n' "$bad" >bad
		run -1 --separate-stderr hp-parse -m ./doc.safetensors -i edus -k bad
		[[ $stderr == 'hp-embed: bad:4: '* ]]
		[ "$(grep -v '^# unp\|^# a\|^# <\|^# *$\|^$' <<<"$output")" = "$(printf '# newdoc id = d\nshe sings\n\nhe waits\n' | hp-parse -m ./doc.safetensors -i edus | sed '$d')" ]
	done
}

@test "the EDUs of .rs3" {
	rst-convert --sentences "$srcdir/examples/library.rs3" >library.dis
	hp-parse -m ./doc.safetensors -i rs3 "$srcdir/examples/library.rs3" >out
	hp-parse -m ./doc.safetensors -i dis library.dis | cmp - out
	[ "$(head -n 1 out)" = '# newdoc id = library' ]
	hp-parse -m ./doc.safetensors -i rs3 --rs3 "$srcdir/examples/library.rs3" >again.rs3
	hp-parse -m ./doc.safetensors -i rs3 <again.rs3 | tail -n +2 | cmp - <(tail -n +2 out)
	hp-parse -m ./doc.safetensors -i rs3 -o file again.rs3
	grep -q '^# newdoc id = again' file
	# a headline that hangs nowhere is a tree of its own
	echo '<rst><header/><body><segment id="1">Title</segment><segment id="2">She sings</segment><segment id="3" parent="2" relname="r">and waits</segment></body></rst>' >forest.rs3
	[ "$(hp-parse -m ./doc.safetensors -i rs3 forest.rs3 2>messages | parts)" = '; forest : 1 3 Title She sings and waits' ]
	[ ! -s messages ]
	echo '<rst><body>' >bad.rs3
	says 1 'rst-convert: bad.rs3:2: ...' hp-parse -m ./doc.safetensors -i rs3 -o none bad.rs3
	[ ! -e none ]
	says 1 'rst-convert: none: No such file or directory' hp-parse -m ./doc.safetensors -i rs3 none
}

@test "a document is parsed when the first sentence of the next one is there" {
	edus >edus.txt
	mkfifo fifo
	hp-parse -m ./doc.safetensors --input=edus <fifo >out &
	exec 7>fifo
	head -n 13 edus.txt >&7
	for _ in $(seq 200); do
		[ -s out ] && break
		sleep 0.1
	done
	[ "$(grep -c Root out)" -eq 1 ]
	exec 7>&-
	wait
	[ "$(grep -c Root out)" -eq 2 ]
}

@test "a training of documents goes on from a checkpoint, and from its model" {
	small --set document_layers=1 --set split_mlp=10 -e 4 -o whole.safetensors
	small --set document_layers=1 --set split_mlp=10 -e 2 -o part.safetensors -c c
	small --set document_layers=1 --set split_mlp=10 -e 4 -o part.safetensors -c c --resume
	hp-parse -m ./whole.safetensors --input=dis dev.dis >whole
	hp-parse -m ./part.safetensors --input=dis dev.dis | cmp - whole
	small --init doc.safetensors -e 1 -o more.safetensors
	hp-cat more.safetensors | grep -q 'document_layers = 1'
	# Parts that one of both does not have are named.
	says 1 'hp-train: sent.safetensors: the model differs in split_mlp (7 here): expected --set split_mlp=0' \
		small --init sent.safetensors -e 1 -o none.safetensors --set split_mlp=7
	says 1 'hp-train: c: the checkpoint was made with split_mlp=10, not 0' \
		small --set document_layers=1 --set split_mlp=0 -e 5 -o part.safetensors -c c --resume
	says 1 'hp-train: c: the checkpoint was made with label_halves=0, not 1' \
		small --set document_layers=1 --set label_halves=1 -e 5 -o part.safetensors -c c --resume
	LC_ALL=C sed 's/"label_halves":"1"/"label_halves":"2"/' doc.safetensors >two.safetensors
	says 1 '...two.safetensors: label_halves is 2: expected 1' messages hp-decode -m ./two.safetensors /dev/null
}

# Two documents; where the segmenter cuts them is seen from the pipe.
texts() {
	printf 'When the bell rang, she closed the book that she was reading.\n\nShe sings. He waits because they sleep.\n' >one.txt
	printf 'They leave.\n' >two.txt
}

# The pipe of eleven but for the first two.
whole() {
	hp-embed -m en-dep "$@" | hp-encode --int8 | hp-decode --int8 | hp-label --int8 | hp-segment | hp-embed -m en-rst -i conllu | hp-encode | hp-decode | hp-label
}

@test "raw text: a tree a document" {
	texts
	hp-tokenize one.txt two.txt | hp-tag --int8 >tagged
	whole tagged >out
	hp-parse -m en-rst -i text one.txt two.txt | cmp - out
	hp-parse -m en-rst -i text -j 2 one.txt two.txt | cmp - out
	HP_MODEL=en-rst hp-parse -i text one.txt two.txt | cmp - out
	hp-parse -m models/en-rst.safetensors -i text one.txt two.txt | cmp - out
	[ "$(grep '^# newdoc' out)" = '# newdoc id = one.txt
# newdoc id = two.txt' ]
	parse_document=${builddir:-.}/examples/parse_document
	[ ! -x "$parse_document" ] || [ "$("$parse_document" en <one.txt | grep -cE '^ *([NS] )?[A-Z][a-z]+$')" -eq \
		"$(hp-parse -m en-rst -i text --brackets one.txt | tail -n 1 | grep -o '(' | wc -l)" ]
	# three sentences, the first paragraph's and the second's
	edus=$(hp-segment -m en-edu -e <(hp-embed -m en-dep tagged | hp-encode --int8 | hp-decode --int8 | hp-label --int8) | awk '/^They/ { exit } /^[^#]/ { n++ } /^$/ { printf "%s ", n }')
	grep -qx "# sent_ends = ${edus% }" out
	[ "$(grep -o '_!.*_!' out | sed 's/_!//g' | tr -d ' \n')" = "$(sed '1s/$/<P>/' one.txt two.txt | tr -d ' \n')" ]
	# Without a name; -o; other notations, for which "en" is enough
	hp-parse -m en-rst -i text <one.txt | grep -qx '# newdoc id = document-1'
	hp-parse -m en-rst -i text -o file one.txt two.txt
	cmp file out
	for form in json rels; do
		hp-parse --$form -i text one.txt two.txt | cmp - <(rst-convert -t $form out)
	done
	hp-parse --rs3 -i text one.txt | cmp - <(rst-convert -t rs3 <(sed '/two.txt/,$d' out))
	hp-parse -i text -o one.rs3 one.txt
	hp-parse --rs3 -i text one.txt | cmp - one.rs3
	hp-parse -m en-rst -i text -s -o one.json one.txt && grep -q '^( Root' one.json
	hp-parse -i text -o one.dis one.txt && grep -q '^# newdoc' one.dis
	hp-parse --brackets -i text -m en one.txt two.txt | cmp - <(rst-convert -t brackets out)
	hp-draw out >drawn
	hp-parse -m en-rst -i text one.txt two.txt | hp-draw | cmp - drawn
	hp-parse -m en-rst -i text one.txt two.txt | hp-draw --html | grep -q '<details'
	says 0 '' hp-parse -m en-rst -i text /dev/null
	hp-parse -m en-rst -i text one.txt /dev/null two.txt | cmp - out
}

@test "raw text: tags and trees that are only clues are found with 8-bit integers" {
	mkfifo slow
	hp-parse -m en-rst -i text slow >/dev/null &
	parse=$!
	exec 5>slow
	stages() { for stage in $(cat "/proc/$parse/task/$parse/children"); do tr '\0' ' ' <"/proc/$stage/cmdline"; echo; done; }
	for _ in {1..100}; do
		[ "$(stages | grep -c '^[^ ]*hp-[a-z]* ')" -lt 11 ] || break
		sleep 0.1
	done
	[ "$(stages | sed -n 's/^[^ ]*\(hp-[a-z]*\) .*--int8.*/\1/p' | xargs)" = 'hp-tag hp-encode hp-decode hp-label' ]
	exec 5>&-
	wait "$parse"
}

@test "raw text: what is missing is told" {
	texts
	for kind in tok tag edu dep; do
		what=$(case $kind in (tok) echo tokeniser ;; (tag) echo tagger ;; (edu) echo segmenter ;; (*) echo 'dependency parser as well' ;; esac)
		rm -rf less
		cp -dr models less
		rm less/en-$kind.safetensors
		HP_MODEL_PATH=less says 1 "hp-parse: raw text needs a $what: no model 'en-$kind' (en-$kind.safetensors, ...) in ..." \
			hp-parse -m en-rst -i text one.txt
	done
	says 1 "hp-parse: raw text needs a segmenter, and none goes with $PWD/doc.safetensors, as X-edu.safetensors goes with X-rst.safetensors: ..." \
		hp-parse -m ./doc.safetensors -i text one.txt
	ln -sf en-tag.safetensors less/en-edu.safetensors
	HP_MODEL_PATH=less says 1 "hp-parse: raw text needs a segmenter, but ...en-tag.safetensors is none" hp-parse -m en-rst -i text one.txt
	# A segmenter that reads no trees needs no parser of them.
	rm -rf less
	cp -dr models less
	rm less/en-dep.safetensors less/en-edu.safetensors
	hp-train --task=segment -q --set hidden=4 --set word_dim=4 --set char_dim=4 --set char_filters=4 --set pos_dim=4 --set batch=4 -e 1 \
		-t "$srcdir/tests/data/segment/clauses.conllu" -d "$srcdir/tests/data/segment/clauses.conllu" -o less/en-edu.safetensors
	HP_MODEL_PATH=less hp-parse -m en-rst -i text one.txt | cmp - <(hp-tokenize one.txt | hp-tag --int8 | HP_MODEL_PATH=less hp-segment |
		hp-embed -m en-rst -i conllu | hp-encode | hp-decode | hp-label)
	# But the rhetorical parser may read them.
	documents 0 9 >some.dis
	# each tree as one sentence of words in a chain
	awk -F_! '/Root/ && n { print ""; n = 0 }
		/_!/ { sub("<P>", "", $2); k = split($2, w, " "); for (i = 1; i <= k; i++) printf "%d\t%s\t_\tX\t_\t_\t%d\tdep\t_\t_\n", ++n, w[i], n - 1 }
		END { print "" }' some.dis >some.conllu
	hp-train --task=rst -q -t some.dis --train-tags=some.conllu --pos=tree --set document_layers=1 --set hidden=4 --set layers=1 \
		--set word_dim=4 --set char_dim=4 --set char_filters=4 --set pos_dim=2 --set label_mlp=4 -e 1 -o reads.safetensors
	ln -sf ../reads.safetensors less/en-rst.safetensors
	HP_MODEL_PATH=less says 1 "hp-parse: raw text needs a dependency parser as well: no model 'en-dep' ..." hp-parse -m en-rst -i text one.txt
	ln -s ../models/en-dep.safetensors less/en-dep.safetensors
	HP_MODEL_PATH=less hp-parse -m en-rst -i text one.txt | cmp - <(hp-tokenize one.txt | hp-tag --int8 | hp-embed -m ./models/en-dep.safetensors |
		hp-encode --int8 | hp-decode --int8 | hp-label --int8 | HP_MODEL_PATH=less hp-segment | hp-embed -m ./reads.safetensors -i conllu | hp-encode | hp-decode | hp-label)
	printf 'She \xff' >bad.txt
	says 1 'hp-tokenize: bad.txt:1: invalid UTF-8, byte 5 of the text: iconv -f LATIN1 -t UTF-8 converts Latin-1' hp-parse -m en-rst -i text -o none bad.txt
	[ ! -e none ]
}

@test "CoNLL-U: EDUs as they are marked, found where they are not" {
	conllu >marked
	hp-parse -m ./doc.safetensors -i conllu marked >expected
	hp-parse -m en-rst -i conllu marked | cmp - expected
	sed 's/Seg=B-seg/_/' marked >bare
	hp-segment bare | hp-parse -m ./doc.safetensors -i conllu >found
	hp-parse -m en-rst -i conllu bare | cmp - found
	hp-parse -m en-rst -i conllu -o out <bare
	cmp out found
	# a sentence each way
	awk -v RS= -v ORS='\n\n' 'NR % 2 { gsub("Seg=B-seg", "_") } 1' marked >mixed
	hp-segment --keep mixed | hp-parse -m ./doc.safetensors -i conllu | cmp - <(hp-parse -m en-rst -i conllu mixed)
	# without a segmenter
	run -0 --separate-stderr hp-parse -m ./doc.safetensors -i conllu bare
	[[ $stderr == 'hp-embed: bare: no word is marked as the first one of an EDU'* ]]
	# trouble
	{ cat bare; printf '1\ttwo\n\n'; } >bad
	says 1 'hp-segment: bad:...: 2 columns...' messages hp-parse -m en-rst -i conllu bad
	run -1 hp-parse -m en-rst -i conllu -o none bad
	[ ! -e none ]
	says 1 'hp-segment: none: No such file or directory' hp-parse -m en-rst -i conllu none
}

@test "raw text, a model for sentences" {
	texts
	export HP_MODEL_PATH=$BATS_FILE_TMPDIR/sentences
	hp-parse -m en-rst -i text one.txt >out 2>messages
	[ "$(grep '^#' out)" = '# sent_id = 1
# sent_id = 2
# sent_id = 3' ]
	[[ $(cat messages) == 'hp-embed: <stdin>: 1 document, whose sentences get a tree each: model '* ]]
}

@test "what is no tree is not written into JSON and tables" {
	{ printf '# a remark\n\n# newdoc id = a\n'; conllu | sed -n 2,4p; printf '\n1\ttwo\n\n# newdoc id = b\n'; conllu | sed -n 2,4p; } >in
	run -1 --separate-stderr hp-parse -m ./doc.safetensors -i conllu -k --json in
	[ "$(wc -l <<<"$output")" -eq "$(grep -c '^{"id":"[ab]"' <<<"$output")" ]
	[ "$stderr" = 'hp-embed: in:...' ] || [[ $stderr == 'hp-embed: in:'* ]]
	run -1 --separate-stderr hp-parse -m ./doc.safetensors -i conllu -k --rels in
	[[ $output != *two* ]]
}

@test "a line like a comment counts once, also where a document is cut before it" {
	printf '# newdoc id = d\na\nb\n\n# x = y\nc\n' >commented
	hp-embed -q -m ./doc.safetensors --max-edus=2 commented 2>messages >/dev/null
	[ "$(head -n 1 messages | cut -d ' ' -f 1-7)" = 'hp-embed: commented:5: 1 line like a comment' ]
}

@test "boundaries tell which spans they split" {
	small --set document_layers=1 --set split_mlp=10 --set auxiliary_splits=1 -e 2 -o reach.safetensors
	[ "$(hp-cat -k reach ./reach.safetensors)" = 1 ]
	hp-parse -m ./reach.safetensors --beam=3 -i dis dev.dis | hp-eval --task=rst dev.dis - >/dev/null
	# The same, stage by stage.
	hp-embed -m ./reach.safetensors -i dis dev.dis | hp-encode | hp-decode --beam=3 | hp-label >stages
	hp-parse -m ./reach.safetensors --beam=3 -i dis dev.dis | cmp - stages
	# A model without it learns it, one with it can leave it.
	small --init doc.safetensors --set auxiliary_splits=1 -e 1 -o more.safetensors
	[ "$(hp-cat -k reach ./more.safetensors)" = 1 ]
	small --init reach.safetensors --set auxiliary_splits=0 -e 1 -o less.safetensors
	run ! hp-cat -k reach ./less.safetensors
	says 1 '...reach, of auxiliary_splits, without split_mlp: expected a size for it, or neither' \
		small --set document_layers=1 --set auxiliary_splits=1 -e 1 -o none.safetensors
}
