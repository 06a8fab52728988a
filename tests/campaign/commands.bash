# shellcheck shell=bash
# Short command lines that together use most of the programs' code, for campaigns that starve them: command NUMBER runs
# one of $commands, after a prefix: command 3 env X=Y.
# shellcheck source=tests/campaign/lib.bash
. "${srcdir:?}/tests/campaign/lib.bash"
models
streams
bank 8 >bank.conllu
sed 's/\t1\td/\t1\te/' bank.conllu >system.conllu
units bank.conllu 3 >bank.units
{ echo '# newdoc id = d'; sed 's/Seg=B-seg/&|Span=1/; 2s/$/,5,3/' bank.units; } >bank.spans
"$plain/bin/hp-embed" -m ./models/documents.safetensors --constraints --input=conllu bank.spans | "$plain/bin/hp-encode" >rst.fixed
trees >bank.dis
printf 'The dog barks. She  reads\na book!\n\n\tOne.\n' >raw.txt
cp "$plain/tests/models/en-tok.safetensors" models/tokenizer.safetensors
cp "$plain/tests/models/en-tag.safetensors" models/tagger.safetensors
"$plain/bin/hp-tokenize" -m ./models/tokenizer.safetensors raw.txt >raw.conllu
printf 'the 0.5 0.25 0.125 1\ndog 1 2 3 4\nother -1 0 1 0\n' >vectors.txt
"$plain/bin/hp-eval" --csv bank.conllu system.conllu >one.csv
sizes=(-s hidden=4 -s layers=1 -s label_mlp=4 -s word_dim=4 -s char_dim=4 -s char_filters=4 -s batch=4)
sizes_dep=("${sizes[@]}" -s decoder_hidden=4 -s decoder_input=4 -s arc_mlp=4 -s pos_dim=4)
# shellcheck disable=SC2034 # for the campaigns
commands=34

command() {
	local number=$1
	shift
	case $number in
	0) "$@" "$plain/bin/hp-embed" -m ./models/tiny.safetensors text.conllu ;;
	1) "$@" "$plain/bin/hp-encode" dep.embed ;;
	2) "$@" "$plain/bin/hp-decode" --beam=3 dep.encode ;;
	3) "$@" "$plain/bin/hp-label" --scores dep.decode ;;
	4) "$@" "$plain/bin/hp-embed" -m ./models/discourse.safetensors text.edus ;;
	5) "$@" "$plain/bin/hp-encode" rst.embed ;;
	6) "$@" "$plain/bin/hp-decode" --text rst.encode ;;
	7) "$@" "$plain/bin/hp-label" rst.decode ;;
	8) "$@" "$plain/bin/hp-embed" --elmo=models/elmo.safetensors --carry text.edus ;;
	9) "$@" "$plain/bin/hp-cat" --json --values dep.decode ;;
	10) "$@" "$plain/bin/hp-eval" --by=length,relation bank.conllu system.conllu ;;
	11) "$@" "$plain/bin/hp-eval" --compare --samples=20 bank.conllu system.conllu bank.conllu ;;
	12) "$@" "$plain/bin/hp-eval" --by=edus bank.dis bank.dis ;;
	13) "$@" "$plain/bin/hp-eval" --summarize one.csv one.csv ;;
	14) "$@" "$plain/bin/rst-extract" bank.dis ;;
	15) "$@" "$plain/bin/hp-cat" models/tiny.safetensors ;;
	16) "$@" "$plain/bin/hp-train" -q -j 2 -e 1 -t bank.conllu -d bank.conllu -v vectors.txt -o new.safetensors -c new.checkpoint \
		-r -l new.csv "${sizes_dep[@]}" ;;
	17) "$@" "$plain/bin/hp-train" -q -j 1 -e 1 --task=rst -t bank.dis -d bank.dis -o new.safetensors "${sizes[@]}" ;;
	18) "$@" "$plain/bin/hp-encode" --int8 -j 2 dep.embed ;;
	19) "$@" "$plain/bin/hp-tokenize" -m ./models/tokenizer.safetensors raw.txt ;;
	20) "$@" "$plain/bin/hp-tokenize" --undo raw.conllu ;;
	21) "$@" "$plain/bin/hp-tag" -m ./models/tagger.safetensors text.conllu ;;
	22) "$@" "$plain/bin/hp-train" -q -j 1 -e 1 --task=tokenize -t raw.conllu -d raw.conllu -o new.safetensors ;;
	23) "$@" "$plain/bin/hp-train" -q -j 2 -e 1 --task=tag -t bank.conllu -d bank.conllu -o new.safetensors "${sizes[@]:0:4}" ;;
	24) "$@" "$plain/bin/hp-draw" --gold=system.conllu bank.conllu ;;
	25) "$@" "$plain/bin/hp-draw" --svg bank.conllu ;;
	26) "$@" "$plain/bin/hp-draw" --html bank.dis ;;
	27) "$@" "$plain/bin/hp-segment" -m ./models/segmenter.safetensors --scores bank.units ;;
	28) "$@" "$plain/bin/hp-train" -q -j 2 -e 1 --task=segment -t bank.units -d bank.units -o new.safetensors -s trees=yes "${sizes[@]:0:4}" ;;
	29) "$@" "$plain/bin/hp-train" -q -j 1 -e 1 --task=segment -t bank.dis -d bank.units -o new.safetensors "${sizes[@]:0:4}" ;;
	30) "$@" "$plain/bin/hp-eval" --task=segment --by=genre bank.units bank.units ;;
	31) "$@" "$plain/bin/hp-embed" -m ./models/documents.safetensors --constraints --input=conllu bank.spans ;;
	32) "$@" "$plain/bin/hp-decode" --beam=3 rst.fixed ;;
	33) "$@" "$plain/bin/rst-convert" --join=joint --to=rs4 "$srcdir/tests/fuzz/seeds/convert/forest" ;;
	esac
}

# expected NUMBER: what it gives when nothing fails, in expected.NUMBER, with new.safetensors behind it.
expected() {
	rm -f new.*
	command "$1" >"expected.$1" 2>/dev/null || { finding "command $1 fails"; return 1; }
	[ ! -e new.safetensors ] || cat new.safetensors >>"expected.$1"
}

# as_expected NUMBER WHAT: after it survived: an output that is complete, or status 1; no half model.
as_expected() {
	[ ! -e new.safetensors ] || "$plain/bin/hp-cat" --check new.safetensors >said 2>&1 || finding "$2: a broken model" new.safetensors
	[ "$status" -eq 0 ] || return
	[ ! -e new.safetensors ] || cat new.safetensors >>out
	cmp -s out "expected.$1" || finding "$2: status 0 and another output" out "expected.$1"
}
