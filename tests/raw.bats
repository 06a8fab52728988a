#!/usr/bin/env bats
# Raw text to trees: hp-parse --input=text, and which models go together.
bats_require_minimum_version 1.5.0
load filters

setup_file() {
	# A language of tiny models; its parser asks for tags, that of "bare" does not.
	models=$BATS_FILE_TMPDIR/models
	mkdir -p "$models"
	for model in tok tag; do
		ln -s "${builddir:-$PWD}/tests/models/en-$model.safetensors" "$models/en-$model.safetensors"
	done
	"$make_model" "$models/en-dep.safetensors"
	"$make_model" -r "$models/en-rst.safetensors"
	ln -s en-tok.safetensors "$models/bare-tok.safetensors"
	"$make_model" -p "$models/bare-dep.safetensors"
	export models
}

setup() {
	enter
	unset HP_MODEL
	export HP_MODEL_PATH=$models
	printf "She gave her brother a book. It isn't new.\n\nThe dog barks (loudly).\n" >text
}

# raw FILE...: the pipe of six.
raw() {
	(set -o pipefail; hp-tokenize "$@" | hp-tag -q | hp-embed | hp-encode | hp-decode | hp-label)
}

@test "the same as the pipe" {
	raw text >out
	grep -q '^1	She	.*	[A-Z]*	' out
	hp-parse -i text text | cmp - out
	hp-parse --input=text <text | cmp - <(raw <text)
	raw text - <text | cmp - <(hp-parse -i text text - <text)
	hp-tokenize --undo out | cmp - text
	check_trees out
}

@test "each option reaches its stages" {
	raw --lines --ranges --max-words=4 -j2 text | cmp - <(hp-parse -i text --lines --ranges -w 4 -j 2 text)
	hp-tokenize text | hp-tag -q | hp-embed | hp-encode | hp-decode -b 3 | hp-label -s | cmp - <(hp-parse -i text -b3 -s text)
	hp-tokenize text | hp-tag -q | hp-embed | hp-encode | hp-decode -t | cmp - <(hp-parse -i text -t text)
	hp-tokenize text | hp-tag -q --int8 | hp-embed | hp-encode --int8 | hp-decode --int8 | hp-label --int8 |
		cmp - <(hp-parse -i text --int8 text)
}

@test "wrong usage" {
	says 2 "hp-parse: --lines is for --input=text" hp-parse --lines text
	says 2 "hp-parse: --ranges is for --input=text" hp-parse -i tokens --ranges text
	says 2 "hp-parse: --elmo with --input=text, ..." hp-parse -i text -e elmo text
	says 1 "hp-label: --brackets is for discourse models, but ..." hp-parse -i text -m en-dep --brackets text
	says 2 "hp-parse: --max-words=20001 with --input=text, expected at most 20000" hp-parse -i text -w 20001 text
}

@test "what was typed is parsed at once" {
	mkfifo in
	hp-parse -i text <in >out &
	exec 9>in
	for line in "The dog barks." "She reads."; do
		echo "$line" >&9
		for i in {1..100}; do
			! grep -qF "# text = $line" out || break
			sleep 0.1
		done
		grep -qF "# text = $line" out
	done
	check_trees out
	exec 9>&-
	wait
}

@test "trouble with the text: what came before is parsed, but no file is made" {
	printf 'The dog barks.\n\nShe \xff' >bad
	run -1 --separate-stderr hp-parse -i text bad
	[ "$stderr" = "hp-tokenize: bad:3: invalid UTF-8, byte 21 of the text: iconv -f LATIN1 -t UTF-8 converts Latin-1" ]
	grep -qx "# text = The dog barks." <<<"$output"
	run -1 hp-parse -i text -o out bad
	[ ! -e out ]
	echo old >out
	run -1 hp-parse -i text -k -o out bad
	[ "$(cat out)" = old ]
	[ -z "$(find . -name '.out*')" ]
	says 1 "hp-tokenize: missing: No such file or directory" hp-parse -i text -o out missing
	hp-parse -i text -o out text
	hp-parse -i text text | cmp - out
	says 1 "hp-parse: text: input and output are the same file" hp-parse -i text -o text text
	says 1 "hp-parse: none: No such file or directory" hp-parse -i text -o none/out text
	says 1 "...No space left on device" hp-parse -i text -o /dev/full text
	for model in tok tag dep; do cp "$models/en-$model.safetensors" .; done
	for model in tok tag dep; do
		says 1 "hp-parse: $PWD/en-$model.safetensors: model and output are the same file" \
			hp-parse -i text -m ./en -o en-$model.safetensors text
	done
	mkfifo in
	hp-parse -i text -o out <in 3>&- &
	exec 9>in
	kill -TERM $!
	status=0
	wait $! || status=$?
	exec 9>&-
	[ "$status" -eq 143 ]
	for i in {1..100}; do # the last stage ends after hp-parse has
		[ -n "$(find . -name '.out*')" ] || break
		sleep 0.1
	done
	[ -z "$(find . -name '.out*')" ]
}

@test "an empty HP_MODEL is none" {
	hp-parse -i text text >out
	HP_MODEL='' hp-parse -i text text | cmp - out
}

@test "models of one language, by a name, a path, or one of them" {
	hp-parse -i text text >out
	for model in en en-dep en-tok "$models/en" "$models/en-dep.safetensors"; do
		hp-parse -i text -m "$model" text | cmp - out
		HP_MODEL=$model hp-parse -i text text | cmp - out
		HP_MODEL=$model raw text | cmp - out
	done
	(cd "$models" && hp-parse -i text -m en-tag.safetensors "$OLDPWD/text") | tail -n +2 | cmp - <(tail -n +2 out)
	# A parser of which no language can be told is none of a tagger's business.
	cp "$models/en-dep.safetensors" my.safetensors
	HP_MODEL=./my.safetensors raw text | cmp - out
	says 1 "hp-parse: raw text needs a tokeniser, and none goes with $PWD/my.safetensors, as X-tok..." hp-parse -i text -m ./my.safetensors text
	cp my.safetensors my-dep.safetensors
	says 1 "hp-parse: raw text needs a tokeniser: ./my-tok.safetensors: No such file or directory" \
		hp-parse -i text -m ./my-dep.safetensors text
	says 1 "hp-tag: ./my-tag.safetensors: No such file or directory" env HP_MODEL=./my-dep.safetensors hp-tag /dev/null
	cp "$models/en-tok.safetensors" my-tok.safetensors
	says 1 "hp-parse: raw text needs a tagger: ./my-tag.safetensors: No such file or directory" \
		hp-parse -i text -m ./my-dep.safetensors text
	says 1 "hp-parse: no model 'xx' (xx.safetensors, xx-dep.safetensors) in ..." hp-parse -i text -m xx text
	says 1 "hp-parse: raw text needs a segmenter: no model 'en-edu' (en-edu.safetensors, ...) in ..." \
		hp-parse -i text -m en-rst text
	says 1 "hp-parse: raw text needs a parser, but ...my-dep.safetensors is none" \
		bash -c "cp '$models/en-tok.safetensors' my-dep.safetensors; hp-parse -i text -m ./my-dep.safetensors text"
}

@test "a parser that asks for no tags needs no tagger, but uses one" {
	hp-tokenize -m bare text | hp-embed -m bare | hp-encode | hp-decode | hp-label >out
	hp-parse -i text -m bare text | cmp - out
	mkdir more
	cp "$models/bare-tok.safetensors" "$models/bare-dep.safetensors" more
	cp "$models/en-tag.safetensors" more/bare-tag.safetensors
	hp-parse -i text -m more/bare text >tagged
	cmp <(cut -f1,2,7-10 out) <(cut -f1,2,7-10 tagged)
	grep -q '	DET	' tagged
}

@test "EDUs that are raw text: --tokenize" {
	"$make_model" -D "$models/doc-rst.safetensors"
	for model in tok tag; do
		ln -sf en-$model.safetensors "$models/doc-$model.safetensors"
	done
	printf "# newdoc id = d\nShe isn't new,\nbut barks.<P>\n\nThe dog can't (loudly)\n" >edus.txt
	marked() {
		(set -o pipefail; hp-tokenize --edus "$@" | hp-tag -q --int8 | hp-embed -m doc-rst -i conllu | hp-encode | hp-decode | hp-label)
	}
	marked edus.txt >out
	grep -o '_!.*_!' out >got
	printf '_!%s_!\n' "She is n't new ," 'but barks .<P>' "The dog ca n't ( loudly )" | diff - got
	hp-parse -m doc-rst -i edus --tokenize edus.txt | cmp - out
	hp-parse -m doc-rst --tokenize <edus.txt | cmp - out
	marked edus.txt - <edus.txt | cmp - <(hp-parse -m doc-rst --tokenize -j2 edus.txt - <edus.txt)
	# The same EDUs as trees, which say nothing of sentences.
	hp-parse -m doc-rst -i edus -q edus.txt 2>/dev/null | grep -v '^# sent_ends' >raw.dis
	rst-convert --to=edus --sentences raw.dis | marked >out
	hp-parse -m doc-rst -i dis --tokenize raw.dis | cmp - out
	rst-convert -o raw.rs3 raw.dis
	rst-convert --to=edus --sentences --join=joint raw.rs3 | marked >out
	hp-parse -m doc-rst -i rs3 --tokenize raw.rs3 | cmp - out
	# EDUs that look like names are EDUs.
	{
		printf '<rst><header><relations><rel name="list" type="multinuc"/></relations></header><body>\n'
		printf '<segment id="%s" parent="9" relname="list">%s</segment>\n' 1 'first one.' 2 '# sent_id = 5' 3 x. 4 '# newdoc id = Z' 5 y.
		echo '<group id="9" type="multinuc"/></body></rst>'
	} >odd.rs3
	hp-parse -m doc-rst -q -i rs3 --tokenize odd.rs3 | grep -c '(leaf' | grep -qx 5
	hp-parse -m doc-rst -q -i rs3 odd.rs3 | grep -c '(leaf' | grep -qx 5
	printf '# newdoc id = A\n # sent_id = q\nbarks.\n\nShe,\nshe.\n' | hp-parse -m doc-rst -q --tokenize | grep -c '(leaf' | grep -qx 4
	# A sentence's tree behind a document's is a tree.
	printf '# %s\n( Root (leaf 1) (text _!She barks._!) )\n\n' 'newdoc id = A' 'sent_id = s' 'newdoc id = B' >mix.dis
	hp-parse -m doc-rst -q -i dis --tokenize mix.dis | grep '^# newdoc' | diff - <(printf '# newdoc id = %s\n' A s B)
	printf 'She <P>\nbarks\n' | hp-parse -m doc-rst -q --tokenize | grep -c Root | grep -qx 1
	printf '# newdoc id = A\nShe\nbarks\n\nbad\xff\n\nShe\n' >bad
	run -1 --separate-stderr hp-parse -m doc-rst -q -k --tokenize bad
	[ "$stderr" = "hp-tokenize: bad:5: invalid UTF-8" ]
	[ "$(grep -c '(leaf' <<<"$output")" -eq 3 ]
	says 1 "hp-tokenize: <stdin>:2: invalid UTF-8" bash -c 'printf "I\na\xff\n" | hp-parse -m doc-rst --tokenize -o none'
	[ ! -e none ]
	says 1 "hp-parse: EDUs are for discourse models, but $models/en-dep.safetensors is none" hp-parse -m en-dep --tokenize edus.txt
	says 2 "hp-parse: --tokenize with --input=text, expected edus, dis or rs3" hp-parse -m doc-rst --tokenize -i text
	says 2 "hp-parse: --constraints with --input=edus, expected conllu, dis or rs3" hp-parse -m doc-rst --tokenize --constraints
	# A tree that is half done stays, and gets its texts back.
	{
		printf '<rst><header><relations><rel name="list" type="multinuc"/></relations></header><body>\n'
		printf '<segment id="1">She isn\047t new,</segment>\n<segment id="2" parent="9" relname="list">but barks</segment>\n'
		printf '<segment id="3" parent="9" relname="list">The dog can\047t.</segment>\n<segment id="4">(loudly)</segment>\n'
		echo '<group id="9" type="multinuc"/></body></rst>'
	} >half.rs3
	hp-parse -m doc-rst -i rs3 --tokenize --constraints half.rs3 >parsed
	grep -x ' *( [A-Z][a-z]* (span 2 3) .*' parsed
	grep -F "_!The dog ca n't ._!" parsed
	rst-convert --keep=half.rs3 -t rs3 parsed >whole.rs3
	grep -o '>[^<>]*</segment>' half.rs3 | diff - <(grep -o '>[^<>]*</segment>' whole.rs3)
	rst-convert whole.rs3 | grep -x ' *( Nucleus (leaf 2) (rel2par list) (text _!but barks_!) )'
}

@test "texts that the models do not know are told of once" {
	yes 'чет вот бук' | head -n 30 >strange
	says 0 "hp-embed: ...en-dep.safetensors does not know the letters of 90 of 90 words: is the text in a script ..." \
		messages hp-parse -i text strange
	says 0 "" messages hp-parse -i text text
	# Text in place of CoNLL-U.
	says 1 "hp-embed: text:1: plain text, expected ten columns separated by tabs (CoNLL-U); hp-parse --input=text reads text" hp-parse text
	says 1 "hp-tag: text:1: plain text, ..." hp-tag text
}

@test "by the library, from C and from Python" {
	parse_text=${builddir:-.}/examples/parse_text
	[ -x "$parse_text" ] || skip "examples/parse_text is not built"
	hp-parse -i text text | grep -P '^\d+\t' | cut -f1-4,7,8 >expected
	"$parse_text" en <text >out
	grep -P '^\d+\t' out | cmp - expected
	grep -qx '# 0-28' out
	says 1 "parse_text: raw text is for dependency models, but ...en-rst.safetensors is none" "$parse_text" en-rst </dev/null
	says 1 "parse_text: no model 'xx' (xx.safetensors, ...) in ..." "$parse_text" xx </dev/null
	says 1 "parse_text: text:1: invalid UTF-8, byte 3 of the text: iconv -f LATIN1 -t UTF-8 converts Latin-1" "$parse_text" en <<<$'a \xff'
	command -v python3 >/dev/null || skip "no python3"
	[ -e "${builddir:-.}/.libs/libhp.so.0" ] || skip "no shared library was built"
	! nm "${builddir:-.}/.libs/libhp.so.0" 2>/dev/null | grep -q __asan_init || skip "the sanitizer's library must be first"
	export LIBHP=${builddir:-.}/.libs/libhp.so.0
	python3 "$srcdir/examples/parse_text.py" en <text | cmp - out
	says 1 "parse_text.py: none.so: ...: expected LIBHP=/path/to/libhp.so.0" env LIBHP=none.so python3 "$srcdir/examples/parse_text.py" </dev/null
	says 1 "parse_text.py: no model 'xx' (xx.safetensors, ...) in ..." python3 "$srcdir/examples/parse_text.py" xx </dev/null
}

# What is right about these sentences, by the treebanks' guidelines.
@test "French and Italian, as they come" {
	export HP_MODEL_PATH=$srcdir/models
	[ -e "$srcdir/models/fr-dep.safetensors" ] || skip "no French model is there"
	parses() { # parses LANGUAGE TEXT: to the tree on standard input
		printf '%s\n' "$2" >"text.$1"
		hp-parse -m "$1" -i text "text.$1" >out
		hp-tokenize --undo out | cmp - "text.$1"
		diff - <(awk -F '\t' '$1 ~ /^[0-9]/ { print $1, $2, $4, $7, $8 }' out)
	}
	parses fr 'Le maire du village regarde la maison.' <<-'END'
		1 Le DET 2 det
		2 maire NOUN 6 nsubj
		3-4 du _ _ _
		3 de ADP 5 case
		4 le DET 5 det
		5 village NOUN 2 nmod
		6 regarde VERB 0 root
		7 la DET 8 det
		8 maison NOUN 6 obj
		9 . PUNCT 6 punct
	END
	parses it 'Il Parlamento approva la relazione della commissione.' <<-'END'
		1 Il DET 2 det
		2 Parlamento NOUN 3 nsubj
		3 approva VERB 0 root
		4 la DET 5 det
		5 relazione NOUN 3 obj
		6-7 della _ _ _
		6 di ADP 8 case
		7 la DET 8 det
		8 commissione NOUN 5 nmod
		9 . PUNCT 3 punct
	END
	# Apostrophes as books have them, which neither treebank has.
	for language in fr it; do
		[ $language = fr ] && text="L'eau qu'il boit n'est pas de l'eau du village." || text="L'acqua dell'isola, disse l'uomo, non c'è."
		echo "$text" | hp-parse -m $language -i text >typed
		grep -q "^1	L'	" typed
		echo "${text//\'/’}" | hp-parse -m $language -i text | sed "s/’/'/g" | diff typed -
	done
}
