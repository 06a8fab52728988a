#!/usr/bin/env bats
# hp-segment: marks of elementary discourse units, and all else as it was.
bats_require_minimum_version 1.5.0
load filters

setup() {
	enter
	unset HP_MODEL
	export HP_MODEL_PATH=$builddir/tests/models
	gold=$srcdir/tests/data/segment/clauses.conllu # the segmenter knows it by heart
	bare=$srcdir/examples/sample.conllu
	small=(--task=segment -q --set hidden=4 --set word_dim=4 --set char_dim=4 --set char_filters=4 --set pos_dim=4
		--set batch=4 --set warmup=1 --set ema=0.9)
}

@test "first words are marked, and nothing else is touched" {
	hp-segment "$bare" | cmp - "$gold"
	hp-segment "$gold" | cmp - "$gold"
	sed 's/Seg=B-seg/BeginSeg=Yes/' "$gold" | hp-segment | cmp - "$gold"
	sed 's/Seg=B-seg/Discourse=joint-list:1->2/' "$gold" | hp-segment | cmp - "$gold"
	# Marks at wrong places are replaced.
	sed -E 's/^(2\t.*)\t_$/\1\tSeg=B-seg/' "$bare" | hp-segment | cmp - "$gold"
}

@test "--keep: sentences that have marks stay as they are" {
	# The first one's are at wrong places, the others have none.
	awk -v FS='\t' -v OFS='\t' '/^$/ { n++ } !n && /^2\t/ { $10 = "Discourse=joint-list:1->2" } 1' "$bare" >mixed
	awk '/^$/ { n++ } !n' mixed >first
	hp-segment --keep mixed >out
	cmp <(awk '/^$/ { n++ } !n' out) first
	cmp <(awk '/^$/ { n++ } n' out) <(awk '/^$/ { n++ } n' "$gold")
	hp-segment -K "$gold" | cmp - "$gold"
	# Spans that are fixed are no marks, and stay.
	sed 's/Seg=B-seg/Span=1|&/' "$gold" >spans
	[ "$(grep -c Span=1 spans)" -gt 3 ]
	hp-segment -K spans | cmp - spans
	hp-segment spans 2>/dev/null | cmp - spans
	sed 's/|Seg=B-seg//' spans | hp-segment -K 2>/dev/null | cmp - spans
	# Where EDUs are found anew, spans count these; of three sentences one has marks.
	n=$(grep -c '^1	' spans)
	[ -z "$(messages hp-segment -K spans)" ]
	[ "$(messages hp-segment spans)" = "hp-segment: spans: $n sentences with Span=, whose EDUs were found anew: their spans count those" ]
	sed '/^$/,$s/|Seg=B-seg//' spans >partly
	[[ "$(messages hp-segment -K partly)" == "hp-segment: partly: $((n - 1)) sentence"*" with Span=, "* ]]
	[ -z "$(messages hp-segment -qK partly)" ]
	[ -z "$(messages hp-segment -Ke partly)" ]
	hp-segment -K -e mixed >out
	[ "$(sed -n '/^$/q; p' out | grep -vc '^#')" -eq 2 ]
	sed -n '/^$/,$p' out | cmp - <(hp-segment -e "$bare" | sed -n '/^$/,$p')
}

@test "EDU text" {
	hp-segment --edus "$bare" >out
	[ "$(grep -vc '^#\|^$' out)" -eq "$(grep -c B-seg "$gold")" ]
	[ "$(grep -cx '' out)" -eq "$(grep -c '^1	' "$gold")" ]
	cmp <(grep -v '^#' out | tr -s ' \n' '\n') <(grep '^[0-9]' "$bare" | cut -f2)
	printf '# newdoc id = a\n1\t#\t_\t_\t_\t_\t_\t_\t_\t_\n\n# newdoc\n1\ta b\t_\t_\t_\t_\t_\t_\t_\t_\n\n' | hp-segment -e >out
	cmp out <(printf '# newdoc id = a\n #\n\n# newdoc id = document\nab\n\n')
	says 2 "hp-segment: --edus has no place for --scores" hp-segment -e -s "$bare"
}

@test "probabilities, also of a second run" {
	hp-segment -s "$bare" >once
	[ "$(grep -cP 'SegProb=[01]\.\d{4}$' once)" -eq "$(grep -cP '^\d+\t' once)" ]
	[ "$(grep -cP '^1\t.*Seg=B-seg\|SegProb=1\.0000$' once)" -eq "$(grep -c '^1	' "$gold")" ]
	hp-segment -s once | cmp - once
	hp-segment once | cmp - "$gold"
}

@test "the same bytes whatever the batches and threads" {
	for i in {1..20}; do cat "$bare"; done >many
	hp-segment many >whole
	hp-segment -j 2 many | cmp - whole
	awk -v RS= '{ print $0 "\n" > sprintf("s%02d", ++n) }' "$bare"
	for file in s??; do hp-segment "$file"; done | cmp - "$gold"
	hp-segment --int8 many >rounded
	[ "$(diff rounded whole | grep -c '^<')" -lt 40 ]
}

@test "texts and models that are none" {
	printf '1\ttwo\tcolumns\n\n' >bad
	says 1 "hp-segment: bad:1: ..." hp-segment bad
	cat "$bare" bad "$bare" >mixed
	run -1 --separate-stderr hp-segment -k mixed
	[ "$(grep -c B-seg <<<"$output")" -eq "$((2 * $(grep -c B-seg "$gold")))" ]
	printf '1\tIn\t_\t_\t_\t_\t0\tROOT\t0\tROOT\n\n' >x
	says 1 "hp-segment: x:1: no column MISC to mark EDUs in, ..." hp-segment x
	hp-segment -e x | cmp - <(printf 'In\n\n')
	# Trees that are none are not looked at.
	sed -E 's/^([0-9]+\t.*\t)[0-9]+(\t[^\t]*\t[^\t]*\t[^\t]*)$/\177\2/' "$bare" | hp-segment | grep -q 'Seg=B-seg'
	says 1 "hp-segment: ...: a model for the task 'tag', expected segment" hp-segment -m "$HP_MODEL_PATH/en-tag.safetensors" "$bare"
	says 1 "hp-segment: no model 'xx' (xx.safetensors, xx-edu.safetensors) in ..." hp-segment -m xx "$bare"
	head -c 9000 "$HP_MODEL_PATH/en-edu.safetensors" >cut.safetensors
	says 1 "hp-segment: ...cut.safetensors: ..." hp-segment -m cut.safetensors "$bare"
}

@test "training: with trees and without, the same bytes again, taken up" {
	train() { hp-train "${small[@]}" -t "$gold" -d "$gold" "$@" >said 2>&1; }
	train -e 3 -j 1 -o a.safetensors -l a.csv --set trees=yes --test "$gold"
	grep -q 'test Precision .* Recall .* Inside .* F1 [0-9]' said
	train -e 3 -j 2 -o b.safetensors --set trees=yes
	cmp a.safetensors b.safetensors
	head -n 1 a.csv | grep -q ',dev_precision,dev_recall,dev_inside,dev_f1,'
	train -e 2 -c c -o c.safetensors
	hp-cat c.safetensors | grep -q 'tags_each = 2$'
	hp-cat a.safetensors | grep -q 'tags_each = 6$'
	# Without trees they are not looked at.
	cmp <(hp-segment -s -m c.safetensors "$bare" | cut -f10) <(sed -E 's/^([0-9]+\t.*\t)[0-9]+(\t[^\t]*\t[^\t]*\t[^\t]*)$/\1_\2/' "$bare" |
		hp-segment -s -m c.safetensors | cut -f10)
	says 1 "hp-train: no word of the training data is marked as the first one of an EDU ..." \
		hp-train "${small[@]}" -t "$bare" -d "$gold" -o d.safetensors
	says 2 "hp-train: --set: fusion: not a hyper-parameter of the task segment" hp-train --task=segment --set fusion=P
}

@test "scores on dev count beginnings of sentences, and those inside alone" {
	# Nothing is learnt at a rate of 0 but that sentences begin EDUs.
	hp-train "${small[@]}" -t "$gold" -d "$gold" -e 1 --set learning_rate=0 -o a.safetensors -l a.csv 2>said
	hp-segment -m a.safetensors "$bare" >system
	right=$(paste "$gold" system | grep -cP '^\d.*B-seg.*\t.*B-seg')
	read -r f1 < <(awk -v g="$(grep -c B-seg "$gold")" -v s="$(grep -c B-seg system)" -v r="$right" \
		'BEGIN { printf "%.2f\n", 200 * r / (g + s) }')
	sed -n 2p a.csv | grep -q ",$f1"
}

@test "training on rhetorical trees: their sentences, as if they were CoNLL-U" {
	cat >doc.dis <<'END'
# newdoc id = d
# sent_ends = 2 3
( Root (span 1 3)
  ( Nucleus (span 1 2) (rel2par Joint)
    ( Satellite (leaf 1) (rel2par Temporal) (text _!When it rained ,_!) )
    ( Nucleus (leaf 2) (rel2par span) (text _!we left ._!) ) )
  ( Nucleus (leaf 3) (rel2par Joint) (text _!He stayed ._!) )
)
END
	cat >sent.dis <<'END'
( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!Stay_!) )
  ( Satellite (leaf 2) (rel2par Condition) (text _!if you like_!) )
)
END
	rows() {
		local i=0 word
		for word; do
			i=$((i + 1))
			case $word in
			"|"*) printf "$i\t${word#|}\t_\t_\t_\t_\t_\t_\t_\tSeg=B-seg\n" ;;
			*) printf "$i\t$word\t_\t_\t_\t_\t_\t_\t_\t_\n" ;;
			esac
		done
		echo
	}
	{ rows "|When" it rained , "|we" left .; rows "|He" stayed .; rows "|Stay" "|if" you like; } >same.conllu
	train() { hp-train "${small[@]}" -e 2 -j 1 "$@" >said 2>&1; }
	train -t doc.dis -t sent.dis -d sent.dis -o a.safetensors --test doc.dis -l a.csv
	train -t same.conllu -d sent.dis -o b.safetensors -l b.csv
	cmp a.safetensors b.safetensors
	head -n 1 a.csv | grep -q '^epoch,batches,loss,dev_precision,dev_recall,dev_inside,dev_f1,best,'
	cmp <(grep -v ^test a.csv | cut -d, -f1-8) <(cut -d, -f1-8 b.csv)
	hp-train --task=segment -t doc.dis -t sent.dis --print-hyper >derived
	hp-train --task=segment -t same.conllu --print-hyper | cmp - derived
	# What cannot be learnt from.
	says 1 "hp-train: doc.dis: rhetorical trees, without the dependency trees that trees=yes asks for" \
		hp-train "${small[@]}" --set trees=yes -t doc.dis -d same.conllu -o c.safetensors
	sed 2d doc.dis >unknown.dis
	says 1 "hp-train: unknown.dis:2: a document whose sentences are not known, expected # sent_ends = (rst-extract --documents)" \
		hp-train "${small[@]}" -t unknown.dis -d same.conllu -o c.safetensors
	says 1 "hp-train: doc.dis: rhetorical trees, expected CoNLL-U: they need --task=rst" \
		hp-train --task=tag -t doc.dis -d same.conllu -o c.safetensors
	head -n 5 doc.dis >cut.dis
	says 1 "hp-train: cut.dis:..." hp-train "${small[@]}" -t cut.dis -d same.conllu -o c.safetensors
	says 1 "hp-train: doc.dis:..." hp-train "${small[@]}" -w 3 -t doc.dis -d same.conllu -o c.safetensors
}

@test "a document ends with its file" {
	grep -v newdoc "$bare" >plain
	{ echo "# newdoc id = d"; cat plain; } >a
	{ echo "# only comments"; echo; cat plain; } >b
	for program in hp-segment hp-tag; do
		# The line stands before the first sentence of b alone, and only where a document is open.
		{ "$program" a; "$program" plain | { echo "# only comments"; echo; echo "# newdoc id = b"; cat; }; "$program" a; } >expected
		"$program" a b a | cmp - expected
		[ "$("$program" plain b | grep -c newdoc)" -eq 0 ]
		"$program" a - <b | grep -qx '# newdoc id = document'
		# Where the file begins one later, both are there.
		[ "$("$program" a <(cat plain a) | grep -c newdoc)" -eq 3 ]
	done
	[ "$(hp-segment -e a b a | grep newdoc)" = "# newdoc id = d
# newdoc id = b
# newdoc id = d" ]
	# Also before a sentence that --keep leaves as it is.
	[ "$(hp-segment -K a <(grep -v newdoc "$gold") | grep -c newdoc)" -eq 2 ]
}
