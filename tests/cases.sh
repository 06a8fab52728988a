#!/bin/bash
# Inputs that people stumbled over, tests/cases/, and what each must come to.  A case is one block:
#
#	try 'what it is' STATUS COMMAND... <<'END'
#	lines of standard output
#	! lines of standard error
#	END
#
# Commands run in a copy of tests/cases/.  What a model decides (HEAD, DEPREL, relations) is left to other tests.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"

cp -r "$srcdir/tests/cases" "$work/in" && chmod -R u+w "$work/in" && cd "$work/in" || exit 1

# lines TEXT...: each that is not empty, with a newline.
lines() {
	local text
	for text; do [ -z "$text" ] || printf '%s\n' "$text"; done
}

try() {
	local name=$1 status=$2 expected got
	shift 2
	expected=$(cat)
	"$@" >../out 2>../messages
	got=$?
	diff <(lines "$expected" "status $status") \
		<(lines "$(cat ../out)" "$(sed 's/^/! /' ../messages)" "status $got") >"$work/why"
	point $? "$name"
}

extract() { rst-extract -l none "$@"; }

# trained NAME OPTION...: a tiny model's vocabulary of that name, after what training has to say.
trained() {
	local vocabulary=$1 status=0
	shift
	hp-train --set hidden=4 --set layers=1 --set decoder_hidden=4 --set decoder_input=4 --set arc_mlp=4 --set label_mlp=4 \
		--set char_filters=4 --set warmup=1 --pos=none -e 1 -d dev.conllu -o m.safetensors "$@" 2>notes || status=$?
	grep -v -e '^epoch ' -e '^best: ' -e ' batches are few ' -e '^for [0-9]* sentences, ' notes >&2
	[ "$status" -ne 0 ] || hp-cat -T -t "vocab.$vocabulary" m.safetensors
	return "$status"
}
printf '%s\t%s\t_\t_\t_\t_\t%s\t%s\t_\t_\n' 1 Birds 2 nsubj 2 sing 0 root >dev.conllu
echo >>dev.conllu
cat dev.conllu dev.conllu >train.conllu
sed -i 's/Birds/Bells/; s/sing/ring/' train.conllu

try '01: the order of the text is that of the file, not of the ids' 0 extract -n 01-rs3-order.rs3 <<'END'
# sent_id = 01-rs3-order-1
( Root (span 1 3)
  ( Nucleus (leaf 1) (rel2par span) (text _!The road was closed_!) )
  ( Satellite (leaf 2) (rel2par cause) (text _!because snow had fallen_!) )
  ( Satellite (leaf 3) (rel2par elaboration) (text _!and nobody had cleared it._!) )
)
END

try '02: a headline that hangs nowhere' 0 extract -n 02-rs3-headline.rs3 <<'END'
# sent_id = 02-rs3-headline-1
( Root (span 1 1) (leaf 1) (text _!Winter service_!) )

# sent_id = 02-rs3-headline-2
( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!The road was closed_!) )
  ( Satellite (leaf 2) (rel2par cause) (text _!because snow had fallen._!) )
)
END

sentences() { extract -S "$1" | sed -n 's/^sentences,//p'; }
try '03: an ideographic full stop ends a sentence' 0 sentences 03-cjk-stop.dis <<<2
for stop in ？ ！ ． ｡ ؟ ۔ । ։ ።; do
	sed "s/ 。/ $stop/" 03-cjk-stop.dis >stop.dis
	try "03: so does $stop" 0 sentences stop.dis <<<2
done

try '04: several nuclei under a group of type span' 0 extract 04-rs3-multinuc-typed-span.rs3 <<'END'
# sent_id = 04-rs3-multinuc-typed-span-1
( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par joint) (text _!The road was closed_!) )
  ( Nucleus (leaf 2) (rel2par joint) (text _!and snow had fallen._!) )
)
END

try '05: a relation declared without a type' 0 extract 05-rs3-rel-without-type.rs3 <<'END'
# sent_id = 05-rs3-rel-without-type-1
( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par List) (text _!Snow had fallen,_!) )
  ( Nucleus (leaf 2) (rel2par List) (text _!the road was closed._!) )
)
END

try '06: parent 0 is none' 0 extract 06-rs3-parent-0.rs3 <<'END'
# sent_id = 06-rs3-parent-0-1
( Root (span 1 2)
  ( Satellite (leaf 1) (rel2par cause) (text _!Because snow had fallen_!) )
  ( Nucleus (leaf 2) (rel2par span) (text _!the road was closed._!) )
)
END

try '07: an empty segment that hangs nowhere' 0 extract 07-rs3-empty-segment.rs3 <<'END'
# sent_id = 07-rs3-empty-segment-1
( Root (span 1 2)
  ( Satellite (leaf 1) (rel2par cause) (text _!Because snow had fallen_!) )
  ( Nucleus (leaf 2) (rel2par span) (text _!the road was closed._!) )
)
END

try '08: Latin-1 without a declaration' 1 extract 08-rs3-latin1-undeclared.rs3 <<'END'
! rst-extract: 08-rs3-latin1-undeclared.rs3:2: bytes that are not UTF-8, and no encoding is declared; expected a first line such as <?xml version="1.0" encoding="windows-1252"?>
END

try '09: "# newdoc_id" names a document too' 0 extract -s 09-newdoc_id/s.conllu 09-newdoc_id/b.dis <<'END'
# sent_id = b-1
( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!Doors open_!) )
  ( Satellite (leaf 2) (rel2par cause) (text _!because it rains ._!) )
)
END

try '10: a footer that the sentences lack' 0 extract -s 10-footer/foot.txt 10-footer/foot.dis <<'END'
# sent_id = foot-1
( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!Rates fell_!) )
  ( Satellite (leaf 2) (rel2par cause) (text _!because banks agreed ._!) )
)
! rst-extract: left out: 1 EDU of 1 document that the sentences lack
END

try '11: &amp; is the character that it stands for' 0 extract -d 8 -s 11-amp/amp.txt 11-amp/amp.dis <<'END'
# sent_id = amp-1
( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!AT&T gained_!) )
  ( Satellite (leaf 2) (rel2par cause) (text _!as it snowed ._!) )
)
END

try '11: --differences forgives characters that one side lacks' 0 extract -d 8 -s 11-amp/gt.txt 11-amp/gt.dis <<'END'
# sent_id = gt-1
( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!He -- gained_!) )
  ( Satellite (leaf 2) (rel2par cause) (text _!as it snowed ..._!) )
)
END

try '12: EDU marks inside the text' 0 extract 12-dis-edu-marks.dis <<'END'
# sent_id = 12-dis-edu-marks-1
( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!Turn the key_!) )
  ( Satellite (leaf 2) (rel2par purpose) (text _!to open it._!) )
)
END

try '13: DEPREL _ is no relation' 0 trained label -t 13-deprel-underscore.conllu <<'END'
root
! hp-train: 13-deprel-underscore.conllu: 2 words without a relation ("_"), of which only the place in the tree is learnt
END

try '14: vectors of words that end in numbers' 0 trained word -t train.conllu -v 14-vectors-number-in-word.txt --set word_dim=3 <<'END'
<root>
<unk>
bells
ring
zqa
0800 555
zqb
END

try '15: vectors without a word' 0 trained word -t train.conllu -v 15-vectors-newline-word.txt --set word_dim=3 <<'END'
<root>
<unk>
bells
ring
zqa
zqb
! hp-train: 15-vectors-newline-word.txt: left out: 0 vectors whose word is not UTF-8, 1 without a word
END

try '16: a zip archive' 1 trained word -t train.conllu -v 16-vectors.zip <<'END'
! hp-train: 16-vectors.zip: a zip archive, expected word vectors: unpack it first (unzip)
END

try '16: xz data' 1 hp-parse 16-parsed.conllu.xz <<'END'
! hp-embed: 16-parsed.conllu.xz: xz data, expected CoNLL-U: unpack it first (unxz)
END

try '17: a Git LFS pointer' 1 trained word -t train.conllu -v 17-lfs-pointer.txt <<'END'
! hp-train: 17-lfs-pointer.txt: a Git LFS pointer, not the file itself, expected word vectors: git lfs pull fetches it
END

try '18: a fastText model' 1 trained word -t train.conllu -v 18-fasttext.bin <<'END'
! hp-train: 18-fasttext.bin: a fastText binary model, expected word vectors: its .vec file is the text form
END

try '19: metadata null' 0 hp-cat 19-metadata-null.safetensors <<'END'
19-metadata-null.safetensors: safetensors
  w F32 [1]
END

try '20: four bits a number' 0 hp-cat 20-f4.safetensors <<'END'
20-f4.safetensors: safetensors
  w F4 [2, 4]
END

try '20: eight bits of exponent' 0 hp-cat 20-f8_e8m0.safetensors <<'END'
20-f8_e8m0.safetensors: safetensors
  w F8_E8M0 [4]
END

# columns N,... FILE: the parse without those columns, which the model fills.
columns() { hp-parse "$2" | cut -f "$1" --complement; }
for case in 7,8:21-eight-columns.conll 7,8:22-conllu-plus.cupt 9-12:23-conll2009.txt; do
	file=${case#*:}
	try "${file%%-*}: ${file#*-} comes out as it came" 0 columns "${case%:*}" "$file" < <(cut -f "${case%:*}" --complement "$file")
done

# Their trees are the model's; it must be one of rhetorical trees.
trees() { hp-parse -m ./tiny-rst.safetensors "$@" | grep -c '^( Root'; }
"$builddir/tests/make-model" -r tiny-rst.safetensors
try '24: a text masked by underscores' 0 trees -i conllu 24-masked.conllu <<'END'
1
! hp-embed: 24-masked.conllu: 5 of 5 words are underscores only: the text seems to be masked
END

"$builddir/tests/make-model" tiny.safetensors
piped() {
	local status=0
	hp-parse -m <(cat tiny.safetensors) "$@" 2>notes || status=$?
	sed 's/[0-9]*: not/N: not/' notes >&2
	return "$status"
}
try '25: a model from a pipe' 1 piped -i tokens 25-tokens.txt <<'END'
! hp-embed: /dev/fd/N: not a regular file, which a model must be
END

plan
