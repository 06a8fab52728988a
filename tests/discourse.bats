#!/usr/bin/env bats
# Discourse models through the filters.
bats_require_minimum_version 1.5.0
load filters

setup_file() {
	make_models
	"$make_model" -r "$models/disc.safetensors"
	"$make_model" -r -s 2 "$models/disc2.safetensors"
	"$make_model" -L 3 "$models/layers.safetensors"
	"$make_model" -L 1 "$models/flat.safetensors"
	export HP_MODEL=$models/disc.safetensors
}

setup() {
	enter
	printf '# sent_id = doc-1\nThe dog barks\nwhen  she reads\na book .\n\nShe reads .\n\nthe dog ,\na book\n' >edus.txt
}

# The same without relations and roles: what does not depend on the model's random weights.
texts() {
	grep -o '(text _!.*_!)' "$@"
}

@test "a record of mere text is remarks, or its tree is missing" {
	mere() {
		printf "$1" >text
		local size
		size=$(stat -c %s text)
		{ first_record; record '{"text":{"dtype":"U8","shape":['"$size"'],"data_offsets":[0,'"$size"']}}' text; last_record 1; } >mere
	}
	mere 'she left\nto read\n'
	run -1 --separate-stderr hp-label mere
	[ "$output" = '' ]
	[ "$stderr" = 'hp-label: mere: sentence 1: `text` has EDUs, but the record has no other tensor' ]
	says 1 'hp-decode: mere: sentence 1: `text` has EDUs, but the record has no other tensor' hp-decode --text mere
	mere '# newdoc id = a\n# nothing here\n'
	[ "$(hp-label mere)" = '# newdoc id = a
# nothing here' ]
}

@test "EDUs come out as trees that can be read again" {
	pipe edus.txt >out.dis 2>messages
	[ ! -s messages ]
	[ "$(grep -c '^( Root' out.dis)" -eq 3 ]
	[ "$(head -n 1 out.dis)" = "# sent_id = doc-1" ]
	[ "$(texts out.dis)" = "(text _!The dog barks_!)
(text _!when she reads_!)
(text _!a book ._!)
(text _!She reads ._!)
(text _!the dog ,_!)
(text _!a book_!)" ]
	# A sentence of one EDU is a leaf.
	grep -qx '( Root (span 1 1) (leaf 1) (text _!She reads ._!) )' out.dis
	# A tree's structure is ignored when it is parsed: the same comes out.
	pipe --input=dis out.dis | cmp - out.dis
	hp-eval out.dis out.dis >/dev/null
	# hp-parse is the same.
	hp-parse edus.txt | cmp - out.dis
	hp-parse --input=dis out.dis | cmp - out.dis
	# What the input says of structure does not matter, so it need not name relations.
	sed 's/(rel2par [^)]*) //' out.dis >unlabelled.dis
	hp-parse --input=dis unlabelled.dis | cmp - out.dis
	says 1 'hp-eval: unlabelled.dis:...: a node without rel2par' hp-eval out.dis unlabelled.dis
	# However it is batched and arrives.
	head -n 4 edus.txt >one
	{ cat one; sleep 0.3; tail -n +5 edus.txt; } | pipe | cmp - out.dis
	pipe -j2 edus.txt | cmp - out.dis
}

@test "spans that contradict the leaves: a warning, and the leaves count" {
	pipe edus.txt >out.dis
	sed 's/(span 1 3)/(span 1 4)/' out.dis >other.dis
	hp-embed --input=dis other.dis 2>messages | hp-encode | hp-decode | hp-label | cmp - out.dis
	[ "$(cat messages)" = 'hp-embed: other.dis:2: span 1 4 of a node whose leaves are 1 to 3: the leaves count' ]
}

@test "CoNLL-U whose MISC marks where EDUs begin" {
	{
		printf '# newdoc\n# sent_id = doc-1\n'
		w 1 The DET _ _ _ 'Discourse=elaboration:1->2:0'
		w 2 dog
		w 3 barks
		w 4 when SCONJ _ _ _ 'SpaceAfter=No|Seg=B-seg'
		w 5 she
		w 6 reads
		w 7 a DET _ _ _ 'BeginSeg=Yes'
		w 8 book
		w 9 . PUNCT _ _ _ 'Seg=O'
		echo
	} >in.conllu
	hp-parse --input=conllu in.conllu >out.dis
	[ "$(texts out.dis)" = "(text _!The dog barks_!)
(text _!when she reads_!)
(text _!a book ._!)" ]
	[ "$(head -n 1 out.dis)" = "# sent_id = doc-1" ]
}

@test "a mark on a multiword token is its first word's" {
	range() { # ID MISC
		printf '%s\twanna\t_\t_\t_\t_\t_\t_\t_\t%s\n' "$@"
	}
	{ range 1-2 Seg=B-seg; w 1 want; w 2 to; range 3-4 'SpaceAfter=No|BeginSeg=Yes'; w 3 want; w 4 to; range 5-6 _; w 5 want; w 6 to
		w 7 and; echo; } >in.conllu
	hp-parse --input=conllu in.conllu >out.dis 2>messages
	[ "$(texts out.dis)" = "(text _!want to_!)
(text _!want to want to and_!)" ]
	[ ! -s messages ]
	# What is before the row of another word is not its range.
	{ w 1 a; range 2-3 Seg=B-seg; w 2 b; w 3 c; w 4 d; echo; } >in.conllu
	[ "$(hp-parse --input=conllu in.conllu | texts)" = "(text _!a_!)
(text _!b c d_!)" ]
}

@test "CoNLL-U without any mark" {
	{ w 1 a; w 2 b; echo; w 1 c; echo; } >in.conllu
	run -0 --separate-stderr hp-parse --input=conllu --brackets in.conllu
	[ "$output" = "NONE
NONE" ]
	[ "$stderr" = "hp-embed: in.conllu: no word is marked as the first one of an EDU (Discourse=, Seg=B-seg or BeginSeg=Yes in MISC): every sentence is taken for one EDU" ]
	{ w 1 d _ _ _ _ Seg=B-seg; echo; } >>in.conllu
	run -0 --separate-stderr hp-parse --input=conllu in.conllu
	[ -z "$stderr" ]
	echo '# only a comment' >in.conllu
	run -0 --separate-stderr hp-parse --input=conllu in.conllu
	[ -z "$stderr" ]
}

@test "a first EDU that reads like an id is an EDU, in trees and in CoNLL-U" {
	printf '( Root (span 1 2) ( Nucleus (leaf 1) (rel2par Joint) (text _!# sent_id = x_!) ) ( Nucleus (leaf 2) (rel2par Joint) (text _!y_!) ) )\n' >in.dis
	hp-parse --input=dis in.dis >out.dis
	[ "$(texts out.dis)" = "(text _!# sent_id = x_!)
(text _!y_!)" ]
	[ "$(head -c 6 out.dis)" = "( Root" ]
	{ w 1 ' #' _; w 2 sent_id _; w 3 = _; w 4 x _; w 5 y _ _ _ _ Seg=B-seg; echo; } >in.conllu
	hp-parse --input=conllu in.conllu | cmp - out.dis
	# As lines: behind a blank.
	printf ' # sent_id = x\ny\n' | hp-parse | cmp - out.dis
	# A tree of a single such EDU.
	printf '( Root (span 1 1) (leaf 1) (text _!# sent_id = x_!) )\n' | hp-parse --input=dis >out.dis
	[ "$(texts out.dis)" = "(text _!# sent_id = x_!)" ]
	says 1 "hp-embed: in.dis:1: a sentence of more than 4 words" bash -c 'hp-embed --max-words=4 --input=dis in.dis >stream'
}

@test "tags come with CoNLL-U only" {
	# values FILE ARGUMENT...: the numbers of `x`
	values() { hp-embed "$@" | hp-cat --values | sed -n '/ x F32/,/ ends /p'; }
	conllu() { # UPOS of the first word, XPOS
		printf '1\tThe\t_\t%s\t%s\t_\t_\t_\t_\tSeg=B-seg\n2\tdog\t_\t_\t_\t_\t_\t_\t_\tSeg=B-seg\n\n' "$1" "$2" >in
		values --input=conllu in
	}
	printf 'The\ndog\n' >edus
	values edus >plain
	[ -s plain ]
	[ "$(conllu _ DET)" = "$(<plain)" ]
	[ "$(conllu STRANGE DET)" = "$(<plain)" ]
	[ "$(conllu DET _)" != "$(<plain)" ]
	[ "$(conllu NOUN _)" != "$(conllu DET _)" ]
	hp-parse edus >out.dis
	[ "$(values --input=dis out.dis)" = "$(<plain)" ]
	# In a batch each sentence has its own; blanks that are no word take no one's tag.
	{ w 1 The DET; w 2 dog NOUN; echo; } >one
	{ w 1 The NOUN; echo; } >two
	{ values --input=conllu one; values --input=conllu two; values --input=conllu one; } >apart
	cat one two one >in
	values --input=conllu in | cmp - apart
	{ w 1 The DET; w 2 ' ' NOUN; w 3 dog VERB; } >in
	values --input=conllu in >/dev/null
}

@test "--brackets" {
	hp-parse edus.txt --brackets >out
	[ "$(wc -l <out)" -eq 3 ]
	half='[0-9]:(Nucleus|Satellite)=[A-Za-z]+:[0-9]'
	sed -n 1p out | grep -Eqx "\($half,$half\) \($half,$half\)"
	[ "$(sed -n 2p out)" = NONE ]
	sed -n 3p out | grep -Eqx "\(1:(Nucleus|Satellite)=[A-Za-z]+:1,2:(Nucleus|Satellite)=[A-Za-z]+:2\)"
	refused() { # OPTION PROGRAM ARGUMENT...
		run -2 --separate-stderr "${@:2}"
		[ -z "$output" ]
		[ "${stderr%%$'\n'*}" = "$2: only one of $1 and --brackets can be given" ]
	}
	refused --scores hp-parse -s --brackets edus.txt
	refused --text hp-parse --brackets --text edus.txt
	refused --text hp-parse --brackets --text --scores edus.txt
	refused --scores hp-label --brackets -s edus.txt
	says 1 "...hp-label: --brackets is for discourse models, but ..." bash -c "w() { :; }; printf '1\tA\t_\t_\t_\t_\t_\t_\t_\t_\n\n' | hp-parse -m '$models/tiny.safetensors' --brackets"
}

@test "--rs3, --json, --rels: what rst-convert makes of the trees" {
	{ cat edus.txt; printf '\n# sent_id = x\nA\n'; } >in
	awk -v RS= '/sent_id/ { print $0 "\n" }' in >named
	hp-parse named >out.dis
	for form in json rels; do
		hp-parse --$form named >out
		rst-convert -t $form out.dis | cmp - out
		hp-embed named | hp-encode | hp-decode | hp-label --$form | cmp - out
	done
	[ "$(hp-parse --json edus.txt | wc -l)" -eq 3 ]
	# XML has one tree.
	sed -n 1,/^$/p edus.txt >one.txt
	hp-parse --rs3 -o out.rs3 one.txt
	hp-parse one.txt | rst-convert -t rs3 | cmp - out.rs3
	says 1 '<rst>...</rst>
hp-label: <stdin>: sentence 2: a second document, but rs3 holds one: rst-convert --directory writes a file for each' \
		hp-parse --rs3 edus.txt
	says 1 '...: a second document, but rs3 holds one: ...' hp-parse --rs3 -o none.rs3 edus.txt
	[ ! -e none.rs3 ]
	printf 'a\001b\nc\n' >in
	says 1 'hp-label: <stdin>: sentence 1: EDU 1 holds the character U+0001, which XML cannot' hp-parse --rs3 in
	# The last one counts.
	hp-parse --brackets --json --brackets edus.txt | cmp - <(hp-parse --brackets edus.txt)
	says 2 'hp-parse: only one of --scores and --rels can be given' hp-parse -s --rels edus.txt
	says 2 'hp-label: only one of --scores and --json can be given' hp-label --json -s
	says 1 '...hp-label: --rels is for discourse models, but ...' bash -c "printf '1\tA\t_\t_\t_\t_\t_\t_\t_\t_\n\n' | hp-parse -m '$models/tiny.safetensors' --rels"
}

@test "--scores, --text and the beam" {
	hp-parse --scores edus.txt >out
	[ "$(grep -Ec '^# split [1-3]-[1-3]-[1-3] SplitProb=[01]\.[0-9]{4} LabelProb=[01]\.[0-9]{4}$' out)" -eq 3 ]
	# Two EDUs leave nothing to choose.
	grep -q '^# split 1-1-2 SplitProb=1.0000 ' out
	grep -v -e '^# split' -e '^# score' out >plain
	hp-parse edus.txt | cmp - plain
	# Each tree's score, the sum of its splits' log-probabilities, stands before them.
	hp-embed edus.txt | hp-encode | hp-decode >decoded
	hp-cat --values decoded | awk '/^  logp / { sum = 0; if (!/ \[0\]/) { getline; for (i = 1; i <= NF; i++) sum += $i } }
		/^  score F32 \[\]/ { getline; print $1; if ($1 - sum > 1e-5 || sum - $1 > 1e-5) exit 1 }' >sums
	[ "$(wc -l <sums)" -eq 3 ]
	while read -r sum; do printf '# score = %.4f\n' "$sum"; done <sums | diff - <(grep '^# score' out)
	grep -q '^# score' <(sed -n 1p out)
	hp-parse --text --scores edus.txt | grep '^# score' | diff - <(grep '^# score' out)
	hp-parse --text edus.txt >out
	[ "$(grep -c 'rel2par _)' out)" -eq 6 ]
	hp-parse --beam=4 edus.txt >out
	[ "$(texts out)" = "$(texts plain)" ]
}

@test "the stream" {
	hp-embed edus.txt | hp-encode | hp-decode >stream
	hp-cat --values stream >out
	grep -q 'task = rst' out
	grep -q 'ends I32 \[3\]' out
	grep -q 'h F32 \[9 x 8\]' out || grep -q 'h F32 \[9, 8\]' out
	grep -q 'splits I32' out
	run grep -q ' x F32' out
	[ "$status" -ne 0 ]
}

@test "texts that are refused" {
	refuses() {
		printf "$1" >in
		run -1 --separate-stderr bash -c 'hp-embed in >stream'
		echo "$stderr"
		[ "$stderr" = "hp-embed: in:$2" ]
	}
	refuses 'a b\n( Nucleus (leaf 1) d\n' '2: part of a tree, expected an EDU a line: .dis trees need --input=dis'
	refuses '# sent_id = x\n# text = a\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n' \
		'3: ten columns, expected an EDU a line: CoNLL-U needs --input=conllu'
	refuses 'a b\n\n# sent_id = x\n\nd\n' '3: a sentence without EDUs'
	refuses 'a\n\377\n' '2: invalid UTF-8'
	printf '\037\213\b' >in
	for kind in edus dis conllu; do
		says 1 "hp-embed: in: gzip data that is cut off" bash -c "hp-embed --input=$kind in >stream"
	done
	printf 'PK\3\4' >in
	for kind in 'edus:an EDU a line' 'dis:rhetorical trees' conllu:CoNLL-U; do
		says 1 "hp-embed: in: a zip archive, expected ${kind#*:}: unpack it first (unzip)" bash -c "hp-embed --input=${kind%%:*} in >stream"
	done
	says 1 "hp-embed: edus.txt:3: a sentence of more than 3 words" bash -c 'hp-embed --max-words=3 edus.txt >stream'
	# One that does not end is given up before it fills the memory.
	says 1 "hp-embed: <stdin>:4: a sentence of more than 3 words; its sentence has over 64 MiB, cannot go on after it" bash -c 'yes a | hp-embed --max-words=3 >stream'
	says 1 "hp-embed: --input=tokens is for dependency models, but ..." bash -c 'hp-embed --input=tokens edus.txt >stream'
	says 1 "hp-embed: --input=dis is for discourse models, but ..." bash -c 'hp-embed -m "$models/tiny.safetensors" --input=dis edus.txt >stream'
	says 1 ".../flat.safetensors: a model that takes its embeddings from a stream of another program: expected --elmo, or such a stream given to hp-encode(1)" bash -c 'hp-embed -m "$models/flat.safetensors" edus.txt >stream'
}

# What ends an EDU in .dis notation, or a paragraph, is text like any other in FORMs and EDUs: a word joiner (U+2060) keeps the
# two apart, and one more joiner those that have one already.
@test "_! and <P> in texts" {
	row() { # ID FORM MISC
		printf '%s\t%s\t_\t_\t_\t_\t_\t_\t_\t%s\n' "$@"
	}
	{ row 1 _! _; row 2 ')' _; row 3 '<P>' _; row 4 $'_\u2060!' Seg=B-seg; row 5 'x<P>' _
	  row 6 y Seg=B-seg; row 7 $'< P>\u2060' _; row 8 '<P>' Seg=B-seg; row 9 __!_ _; echo; } >in
	hp-parse -i conllu in >out.dis
	texts out.dis | sed 's/^(text _!//; s/_!)$//' >got
	diff got - <<-EOF
		_$(printf '\u2060')! ) <P>$(printf '\u2060')
		_$(printf '\u2060\u2060')! x<P>$(printf '\u2060')
		y <P>$(printf '\u2060\u2060')
		<P> __$(printf '\u2060')!_
	EOF
	# Read back they are what they were.
	rst-convert --to=json out.dis | grep -o '"text":"[^"]*"' >got
	printf '"text":"%s"\n' '_! ) <P>' $'_\u2060! x<P>' $'y <P>\u2060' '<P> __!_' | diff got -
	for to in dis rs3; do
		rst-convert --to=$to out.dis >out.$to.$to
		rst-convert out.$to.$to | texts | diff - <(texts out.dis)
	done
	rst-convert --to=edus out.dis >out.edus
	hp-parse out.edus | texts | diff - <(texts out.dis)
	rst-convert --to=brackets out.dis >out.brackets
	rst-convert --edus=out.edus out.brackets | texts | diff - <(texts out.dis)
}

@test "EDU text that is written is read again, whatever it holds" {
	row() { # ID FORM MISC
		printf '%s\t%s\t_\t_\t_\t_\t_\t_\t_\t%s\n' "$@"
	}
	# the middle of a leaf, white space of ASCII in FORMs, and of Unicode behind a mark
	{ row 1 see Seg=B-seg; row 2 '(text' Seg=B-seg; row 3 _! _; row 4 '( Root' Seg=B-seg; row 5 $'<P>\f' _
	  row 6 $'b\v<P>' Seg=B-seg; row 7 $'<P>\u00a0' Seg=B-seg; echo; } >in
	hp-parse -i conllu in >out.dis
	rst-convert --to=edus out.dis >out.edus
	hp-parse out.edus | texts | diff - <(texts out.dis)
	[ "$(texts out.dis | wc -l)" -eq 5 ]
	rst-convert --to=json out.dis | grep -o '"text":"[^"]*"' | diff - <(printf '"text":"%s"\n' see '(text _!' '(Root <P>' 'b<P>' $'<P>\u00a0')
	says 1 'hp-embed: <stdin>:2: an EDU without tokens' bash -c "{ echo '# sent_id = x'; printf '1\t\f\t_\t_\t_\t_\t_\t_\t_\t_\n\n'; } | hp-embed -i conllu >stream"
}

@test "--keep-going passes them" {
	printf 'the dog\nbarks .\n\na\n (Nucleus(leaf 2) c\n\nShe\nreads\n' >in
	says 1 '...hp-embed: in:5: part of a tree, expected an EDU a line...' hp-parse --keep-going in
	[ "$(grep -c '^( Root' <<<"$output")" -eq 2 ]
	# What is no tree comes out as comments, which no reader of trees stops at, or takes for the next tree's.
	hp-parse --keep-going in >out 2>/dev/null || true
	sed -n '/^#/,/^$/p' out | diff - <(printf '%s\n' '# unparsed = in:5: part of a tree, expected an EDU a line: .dis trees need --input=dis' '# a' '#  (Nucleus(leaf 2) c' '')
	[ "$(grep -c '^#' out)" -eq 3 ]
	printf 'the dog\nbarks .\n\nShe\nreads\n' | hp-parse | cmp - <(hp-parse -i dis out)
	run -0 --separate-stderr hp-eval out out
	[ -z "$stderr" ]
	# ... whatever bytes it has.
	printf 'a \xff\0b\n\nShe\nreads\n' >odd
	hp-parse --keep-going odd 2>/dev/null >out || true
	grep -qxF '# a \xff\x00b' out
	hp-draw out >drawn
	# Rows with their tree are none of this kind.
	{ w 1 ' ' X 0 root; echo; w 1 b X 0 root; echo; } >rows
	hp-parse --keep-going -i conllu rows 2>/dev/null >out || true
	[ "$(grep -c '^# 1' out)" -eq 1 ]
	hp-draw out >drawn
	# A tree that came in is told from those that were made.
	printf '( Root (span 1 1) (leaf 1) (text _!a_!) )\n\n( Root (span 1 1) (leaf 1) (text _! _!) )\n' >in
	run -1 --separate-stderr hp-parse --keep-going --input=dis in
	[ "$(grep -c '^# unparsed = in:3: ' <<<"$output")" -eq 1 ]
	[ "$(grep -c '^( Root' <<<"$output")" -eq 2 ]
	# ... also where an empty line parts it from its comments, and only once when it passes twice.
	printf '# sent_id = x\n\n( Root (span 1 2) (Nucleus (leaf 1) (text _!a b_!)) (Nucleus (leaf 2) (text _!c_!)) )\n' >in
	hp-parse --keep-going -i dis -w 2 in >out 2>/dev/null || true
	diff out <(sed '2a # unparsed = in:3: a sentence of more than 2 words' in; echo)
	hp-parse --keep-going -i dis -w 2 out >again 2>/dev/null || true
	diff again <(sed 's/= in:3/= out:4/' out)
}

# foreign LAYERS ENDS SPLITS: a stream of one sentence of three words in two EDUs, as another program might write it.
foreign() {
	python3 - "$@" <<'END'
import json, struct, sys
def record(metadata, tensors):
    header, data = {}, b""
    if metadata:
        header["__metadata__"] = metadata
    for name, (dtype, shape, code, values) in tensors.items():
        raw = values if dtype == "U8" else struct.pack("<%d%s" % (len(values), code), *values)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text) + len(data)) % 8)
    sys.stdout.buffer.write(struct.pack("<Q", len(text)) + text + data)
layers, ends = int(sys.argv[1]), [int(e) for e in sys.argv[2].split(",")]
shape = [3, 6] if layers == 0 else [layers, 3, 6]
n = 18 * max(layers, 1)
tensors = {"x": ("F32", shape, "f", [(i * 7 % 11 - 5) / 5 for i in range(n)]), "ends": ("I32", [len(ends)], "i", ends)}
if len(sys.argv) > 3:
    splits = [int(s) for s in sys.argv[3].split(",")]
    tensors = {"h": ("F32", [3, 8], "f", [0.1] * 24), "ends": tensors["ends"],
               "splits": ("I32", [len(splits) // 3, 3], "i", splits)}
tensors["text"] = ("U8", [len(b"the dog\nbarks\n")], "", b"the dog\nbarks\n")
record({"hp_stream": "1"}, {})
record(None, tensors)
record({"end": "1", "sentences": "1"}, {})
END
}

@test "embeddings of another program" {
	command -v python3 || skip "no python3"
	foreign 3 1,2 | hp-encode -m "$models/layers.safetensors" | hp-decode | hp-label >out
	[ "$(texts out)" = "(text _!the dog_!)
(text _!barks_!)" ]
	foreign 0 1,2 | hp-encode -m "$models/flat.safetensors" | hp-decode | hp-label >out
	grep -q 'Root (span 1 2)' out
	foreign 1 1,2 | hp-encode -m "$models/flat.safetensors" | hp-decode | hp-label | cmp - out
	bad() { # MODEL MESSAGE ARGUMENT...
		foreign "${@:3}" >stream
		run -1 --separate-stderr bash -c "hp-encode -m '$models/$1.safetensors' stream >/dev/null"
		echo "$stderr"
		[[ $stderr == "hp-encode: stream: sentence 1: $2"* ]]
	}
	bad layers '`x` is [2 x 3 x 6], expected [3 x 3 x 6]' 2 1,2
	bad layers '`x` is [3 x 6], expected [3 x 3 x 6]' 0 1,2
	bad flat '`x` is [3 x 3 x 6], expected [1 x 3 x 6]' 3 1,2
	bad flat '`ends` is not a list of rising positions of words up to the last one, 2' 0 1
	bad flat '`ends` is not a list of rising' 0 2,2
	bad flat '`ends` is not a list of rising' 0 -1,2
	bad flat '`ends` has 4 EDUs, expected 1 to 3' 0 0,1,2,3
	bad disc '`x` is [3 x 6], expected [3 x 13]' 0 1,2
}

@test "embeddings of another program, and no model named" {
	command -v python3 || skip "no python3"
	unset HP_MODEL
	foreign 3 1,2 >stream
	says="hp-encode: stream: for discourse models, but no model is named: expected --model"
	says 1 "$says" bash -c 'hp-encode stream >out'
	# The same where the task is known before any sentence.
	{ first_record '"task":"rst"'; last_record 0; } >stream
	hp-encode stream | hp-cat | grep -q 'task = rst'
	{ first_record '"task":"rst"'; foreign 3 1,2 | tail -c +49; } >stream
	says 1 "$says" bash -c 'hp-encode stream >out'
}

@test "splits of another program" {
	command -v python3 || skip "no python3"
	foreign 0 1,2 0,0,1 | hp-label -m "$models/disc.safetensors" >out
	grep -q 'Root (span 1 2)' out
	bad() {
		foreign 0 "$1" "$2" >stream
		run -1 --separate-stderr bash -c "hp-label -m '$models/disc.safetensors' stream"
		echo "$stderr"
		[[ $stderr == "hp-label: stream: sentence 1: $3"* ]]
	}
	bad 1,2 0,1,1 '`splits` is no binary tree of 2 EDUs'
	bad 1,2 0,0,2 '`splits` is no binary tree of 2 EDUs'
	bad 1,2 0,0,1,0,0,1 '`splits` is [2 x 3], expected [1 x 3]'
	bad 0,2 0,0,1 'the EDUs of `text` do not have as many words as `ends` says'
	bad 0,1,2 0,0,2,1,1,2 '`text` has 2 EDUs, `ends` has 3'
}

@test "models and streams that do not belong together" {
	hp-embed edus.txt >stream
	says 1 "hp-encode: stream: the stream was made with model disc-1..." bash -c 'hp-encode -m "$models/disc2.safetensors" stream >/dev/null'
	says 1 "hp-encode: stream: a stream for the task 'rst', but model tiny-1..." bash -c 'hp-encode -m "$models/tiny.safetensors" stream >/dev/null'
}

@test "the one-call interface finds what the pipe finds" {
	parse_edus=${builddir:-.}/examples/parse_edus
	[ -x "$parse_edus" ] || skip "examples/parse_edus is not built"
	model=$models/disc.safetensors
	# same EDU...: splits, nuclearity, relation and probabilities as the pipe has them
	same() {
		"$parse_edus" "$model" "$@" >parsed
		printf '%s\n' "$@" >edus
		hp-parse --brackets edus | tr -d '()' | tr ' ' '\n' | sed -n 's/^[0-9]*:\(.\)[a-z]*=\(.*\):[0-9]*,[0-9]*:\(.\)[a-z]*=\(.*\):[0-9]*$/\1\3 \2 \4/p' |
			awk '{ print $1, $1 == "NS" ? $3 : $2 }' >labels
		hp-parse --scores edus | sed -n 's/^# split \(.*\) SplitProb=\(.*\) LabelProb=\(.*\)/\1 \2 \3/p' >splits
		[ "$(wc -l <splits)" -eq $(($# - 1)) ]
		paste -d ' ' splits labels | awk '{ print $1, $4, $5, $2, $3 }' | diff - parsed
	}
	same 'The dog barks' 'when  she reads' 'a book .'
	same 'The dog' barks
	same 'She reads .'
	same $'caf\xc3\xa9' a b 'c d' e 'f g h' i k 'l m n' o . .
	# No EDU is taken for a comment.
	[ "$("$parse_edus" "$model" '# sent_id = x' 'a b' | wc -l)" -eq 1 ]
	bad() { # MESSAGE ARGUMENT...
		run -1 "$parse_edus" "${@:2}"
		echo "$output"
		[ "$output" = "parse_edus: $1" ]
	}
	bad 'EDU:2: an EDU without tokens' "$model" a ' ' b
	bad 'EDU:1: invalid UTF-8' "$model" $'a\xff'
	bad 'EDU:3: a newline' "$model" a b $'c\nd'
	bad "$models/tiny.safetensors: a dependency model (task dep), expected a discourse model" "$models/tiny.safetensors" a b
	bad "$models/layers.safetensors: a discourse model for the embeddings of another program: it cannot read words" \
		"$models/layers.safetensors" a b
	says 1 "parse: $model: a discourse model (task rst), expected a dependency model" "${builddir:-.}/examples/parse" "$model" a b
}

@test "models that make no sense" {
	refused() {
		run -1 --separate-stderr bash -c 'hp-parse -m ./m edus.txt'
		echo "$stderr"
		[[ $stderr == *"$PWD/m: $1"* ]]
	}
	"$make_model" -r -d input m
	refused "no 'input' in the metadata"
	"$make_model" -r -m input=ears m
	refused 'metadata `input` is ears: expected words or stream'
	"$make_model" -r -m input_dim=12 m
	refused 'input_dim is 12: expected word_dim + char_filters + pos_dim = 13'
	"$make_model" -r -m gate=sgate m
	refused 'gate `sgate` in a discourse model: expected none'
	"$make_model" -r -t vocab.label=Elaboration_NS,Contrast,Attribution_SN,Joint_NN m
	refused "tensor 'vocab.label', entry 2: not a class with _NS, _SN or _NN behind it"
	"$make_model" -r -t 'vocab.label=Elaboration_NS,Con)_NN,Attribution_SN,Joint_NN' m
	refused "tensor 'vocab.label', entry 2: a class that holds a blank, a bracket or _!, begins with // or is not UTF-8"
	"$make_model" -r -t 'vocab.label=Elaboration_NS,//Con_NN,Attribution_SN,Joint_NN' m
	refused "tensor 'vocab.label', entry 2: a class that holds a blank, a bracket or _!, begins with // or is not UTF-8"
	for key in hidden layers label_mlp labels words chars stream_layers; do
		if [ $key = stream_layers ]; then "$make_model" -L 3 -m $key=9999 m; else "$make_model" -r -m $key=99 m; fi
		says 1 "...$PWD/m: ..." bash -c 'hp-embed -m ./m edus.txt | hp-encode -m ./m | hp-decode -m ./m | hp-label -m ./m'
	done
}
