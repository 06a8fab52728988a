#!/usr/bin/env bats
# hp-tag: CoNLL-U with other tags and lemmas, and all else as it was.
bats_require_minimum_version 1.5.0
load filters

# The first six columns, but for the lemmas that are met once: those the tagger of the tests cannot know.
known_lemmas() { cut -f1-6 | sed -E 's/\tmarried\t[^\t]*/\tmarried\t?/; s/^(2\tare|3\thas)\t[^\t]*/\1\t?/'; }

setup() {
	enter
	unset HP_MODEL
	export HP_MODEL_PATH=$builddir/tests/models
	sample=$srcdir/examples/sample.conllu
	known_lemmas <"$sample" >expected
	sed -E "/^[0-9]/s/^([^\t]*\t[^\t]*)\t[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*/\1\t_\t_\t_\t_/" "$sample" >bare
}

@test "the columns are filled, and nothing else is touched" {
	hp-tag bare >out
	known_lemmas <out | cmp - expected
	cut -f1,2,7- out | cmp - <(cut -f1,2,7- "$sample")
}

@test "what was there is replaced, or kept" {
	hp-tag "$sample" | known_lemmas | cmp - expected
	hp-tag --keep "$sample" | cmp - "$sample"
	# Only what is missing, sentence by sentence: tags stay, also wrong ones.
	sed -E '/^[0-9]/s/^([^\t]*\t[^\t]*)\t[^\t]*\t[^\t]*/\1\t_\tX/' "$sample" >wrong
	hp-tag --keep wrong >out
	[ "$(grep -c "^[0-9]" out)" -eq "$(cut -f4 out | grep -cx X)" ]
	! grep -qP '^1\t\S+\t_' out
}

@test "comments, ranges, empty nodes and other columns pass" {
	cat >in <<-EOF
		# sent_id = a
		# text = don't
		1-2${TAB}don't${TAB}_${TAB}_${TAB}_${TAB}_${TAB}_${TAB}_${TAB}_${TAB}SpaceAfter=No
		1${TAB}do${TAB}_${TAB}_${TAB}_${TAB}_${TAB}_${TAB}_${TAB}_${TAB}A=b
		1.1${TAB}x${TAB}_${TAB}_${TAB}_${TAB}_${TAB}_${TAB}_${TAB}0:exroot${TAB}_
		2${TAB}n't${TAB}_${TAB}_${TAB}_${TAB}_${TAB}_${TAB}_${TAB}_${TAB}_

		# only a comment

	EOF
	hp-tag in >out
	cmp <(cut -f1,2,7- in) <(cut -f1,2,7- out)
	cmp <(grep -P '^(#|1-2|1\.1)' in) <(grep -P '^(#|1-2|1\.1)' out)
	[ "$(cut -f4 out | grep -cE '^[A-Z]+$')" -eq 2 ]
}

@test "probabilities in MISC, also of a second run" {
	hp-tag --scores bare >once
	[ "$(grep -cP '\tUPOSProb=[01]\.\d{4}\|XPOSProb=[01]\.\d{4}\|FeatsProb=[01]\.\d{4}\|LemmaProb=[01]\.\d{4}$' once)" -gt 50 ]
	grep -qP '\tSpaceAfter=No\|UPOSProb=' once
	hp-tag -s once | cmp - once
	hp-tag -s --keep "$sample" | cmp - "$sample"
}

@test "tokens, other formats" {
	hp-tag -i tokens <<<"In Ramadi , there was a big demonstration ." >out
	cmp <(head -n 2 out) <(printf '# sent_id = 1\n# text = In Ramadi , there was a big demonstration .\n')
	cmp <(grep '^[0-9]' out | cut -f2-6) <(sed -n '/^1/,/^$/p;/^$/q' expected | grep '^[0-9]' | cut -f2-6)
	printf '# global.columns = ID UPOS FORM\n1\t_\tIn\n2\t_\tRamadi\n\n' >plus
	hp-tag plus | cmp - <(printf '# global.columns = ID UPOS FORM\n1\tADP\tIn\n2\tPROPN\tRamadi\n\n')
	# No MISC, and CoNLL-X, whose last columns are another tree.
	hp-tag -s plus | cmp - <(printf '# global.columns = ID UPOS FORM\n1\tADP\tIn\n2\tPROPN\tRamadi\n\n')
	printf '1\tIn\t_\t_\t_\t_\t0\tROOT\t0\tROOT\n\n' | hp-tag -s >x
	cmp x <(printf '1\tIn\tin\tADP\tIN\t_\t0\tROOT\t0\tROOT\n\n')
}

@test "the same bytes whatever the batches and threads" {
	for i in {1..30}; do cat "$sample"; done >many
	hp-tag many >whole
	hp-tag -j 2 many | cmp - whole
	awk -v RS= '{ print $0 "\n" > sprintf("s%02d", ++n) }' "$sample"
	for file in s??; do hp-tag "$file"; done >single
	hp-tag "$sample" | cmp - single
	hp-tag - "$sample" <"$sample" | cmp - <(cat single; echo "# newdoc id = $sample"; cat single) # where a document ends
	hp-tag --int8 many >rounded
	[ "$(diff rounded whole | grep -c '^<')" -lt 100 ]
}

@test "what was typed is tagged at once" {
	mkfifo in
	hp-tag <in >out &
	exec 9>in
	printf '1\tIn\t_\t_\t_\t_\t_\t_\t_\t_\n\n' >&9
	for i in {1..100}; do
		[ -s out ] && break
		sleep 0.1
	done
	cmp out <(printf '1\tIn\tin\tADP\tIN\t_\t_\t_\t_\t_\n\n')
	exec 9>&-
	wait
}

@test "texts and models that are none" {
	printf '1\ttwo\tcolumns\n' >bad
	says 1 "hp-tag: bad:1: ..." hp-tag bad
	cat bare bad bare >mixed
	run -1 --separate-stderr hp-tag -k mixed
	[ "$(grep -c sent_id <<<"$output")" -eq 24 ]
	grep -q "two${TAB}columns" <<<"$output"
	says 1 "hp-tag: ...: a model for the task 'dep', expected tag" hp-tag -m "$builddir/tests/models/en-dep.safetensors" bare
	says 1 "hp-embed: ...: a model for the task 'tag', expected dep or rst" \
		messages hp-embed -m "$builddir/tests/models/en-tag.safetensors" "$sample"
	says 1 "hp-tag: no model 'xx' (xx.safetensors, xx-tag.safetensors) in ..." hp-tag -m xx bare
	head -c 9000 "$HP_MODEL_PATH/en-tag.safetensors" >cut.safetensors
	says 1 "hp-tag: ...cut.safetensors: ..." hp-tag -m cut.safetensors bare
	cp "$HP_MODEL_PATH/en-tag.safetensors" model.safetensors
	says 1 "hp-tag: ...: model and output are the same file" hp-tag -m ./model.safetensors -o model.safetensors bare
	says 2 "hp-tag: --input: ..." hp-tag -i edus bare
}

# sets FILE: the tags that words have together there.
sets() { awk -F'\t' -v OFS='\t' '/^[0-9]+\t/ { print $4, $5, $6 }' "$1" | sort -u; }

@test "UPOS, XPOS and FEATS go together as in the treebank, also with a column that is kept" {
	small=(--set hidden=4 --set layers=1 --set word_dim=4 --set char_dim=4 --set char_filters=4 --set batch=4 --set warmup=1)
	hp-train --task=tag -q -e 2 -t "$sample" -d "$sample" -o m.safetensors "${small[@]}"
	sets "$sample" >known
	[ "$(hp-cat m.safetensors | sed -En 's/^ *tag.set I32 \[([0-9]+)\].*/\1/p')" -eq $((3 * $(wc -l <known))) ]
	hp-tag -m m.safetensors bare >out
	[ -z "$(comm -13 known <(sets out))" ]
	# It is far from knowing the text: tags of its own choice, and others that fit those of the text.
	! cmp -s <(cut -f4 out) <(cut -f4 "$sample")
	sed -E '/^[0-9]/s/^([^\t]*\t[^\t]*\t[^\t]*\t[^\t]*)\t[^\t]*\t[^\t]*/\1\t_\t_/' "$sample" >upos
	hp-tag -m m.safetensors --keep upos >kept
	cmp <(cut -f4 kept) <(cut -f4 "$sample")
	[ -z "$(comm -13 known <(sets kept))" ]
	# Words without XPOS allow no sets but those of the others; a word whose tags no other has may have any.
	sed -E '/^2\t/s/^([^\t]*\t[^\t]*\t[^\t]*\t[^\t]*)\t[^\t]*/\1\t_/' "$sample" >some
	hp-train --task=tag -q -e 2 -t some -d some -o s.safetensors "${small[@]}"
	awk -F'\t' -v OFS='\t' '/^[0-9]+\t/ { set[$4, $5, $6]; if ($5 != "_") closed[$4, $6] } END {
		for (s in set) { split(s, t, SUBSEP); n += t[2] != "_" || !((t[1], t[3]) in closed) } print 3 * n }' some >numbers
	[ "$(hp-cat s.safetensors | sed -En 's/^ *tag.set I32 \[([0-9]+)\].*/\1/p')" -eq "$(cat numbers)" ]
	[ "$(cat numbers)" -lt $((3 * $(sets some | wc -l))) ]
	hp-tag -m s.safetensors bare >out
	! grep -qP '^\d+\t[^\t]*\t[^\t]*\t[^\t]*\t_\t' out
}

@test "sets of tags that the metadata do not have" {
	sed -E 's/"tag.set":\{"dtype":"I32"/"tag.set":{"dtype":"F32"/' "$HP_MODEL_PATH/en-tag.safetensors" >m.safetensors
	says 1 "hp-tag: $PWD/m.safetensors: tensor 'tag.set' has ... numbers of type F32: expected 3 for each set, I32" \
		hp-tag -m ./m.safetensors bare
	# The first number of the second set, which is one of UPOS.
	cp "$HP_MODEL_PATH/en-tag.safetensors" m.safetensors
	header=$(od -An -tu8 -N8 m.safetensors)
	begin=$(head -c $((8 + header)) m.safetensors | grep -aoP '"tag.set":\{[^}]*"data_offsets":\[\K\d+')
	printf '\xe7\x03\0\0' | dd of=m.safetensors bs=1 seek=$((8 + header + begin + 12)) conv=notrunc status=none
	says 1 "hp-tag: $PWD/m.safetensors: tensor 'tag.set', set 2: there is no value 999 of upos" hp-tag -m ./m.safetensors bare
}

@test "training: columns that the treebank does not have are not learnt" {
	sed -E '/^[0-9]/s/^([^\t]*\t[^\t]*\t)[^\t]*\t([^\t]*)\t[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*/\1_\t\2\t_\t_\t_\t_/' "$sample" | cut -f1-10 >upos
	sed -i -E "/^[0-9]/s/^([^\t]*\t[^\t]*)\t[^\t]*/\1\t_/" upos
	small=(--set hidden=4 --set layers=1 --set word_dim=4 --set char_dim=4 --set char_filters=4 --set batch=4 --set warmup=1)
	hp-train --task=tag -q -e 2 -t upos -d upos -o upos.safetensors --test upos "${small[@]}" >said 2>&1
	grep -q "test UPOS" said
	# Nor are they told of, or counted.
	! grep 'XPOS\|Feats\|Lemmas' said
	[ "$(hp-cat upos.safetensors | grep -o '^  dev\.[a-z]*' | xargs)" = "dev.upos dev.mean" ]
	sed -E '/^[0-9]/s/^([^\t]*\t[^\t]*\t[^\t]*\t)[^\t]*/\1_/' "$sample" >no-upos
	hp-train --task=tag -e 1 -t no-upos -d no-upos -o x.safetensors -c x.ckpt -l x.csv "${small[@]}" >said 2>&1
	hp-train --task=tag -e 2 -t no-upos -d no-upos -o x.safetensors -c x.ckpt -l x.csv --resume "${small[@]}" >>said 2>&1
	! grep 'UPOS\|nan' said x.csv
	grep -q '^best: dev Mean [0-9]' said
	hp-tag -m upos.safetensors "$sample" >out
	cmp <(cut -f1-3,5- "$sample") <(cut -f1-3,5- out)
	sed -E '/^[0-9]/s/^([^\t]*\t[^\t]*\t)[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*/\1_\t_\t_\t_/' "$sample" >none
	says 1 "hp-train: none: no column with anything to learn" hp-train --task=tag -q -e 1 -t none -d none -o n.safetensors
}

@test "training: lemmas of words that the treebank has once" {
	row() { printf '1\t%s\t%s\tNOUN\t_\t_\t0\troot\t_\t_\n\n' "$@"; }
	# Two cut the s off, two keep it; "mice" alone becomes "mouse".
	{ row cats cat; row hats hat; row gas gas; row bus bus; row mice mouse; } >once
	hp-train --task=tag -q -e 1 -t once -d once -o once.safetensors --set hidden=4 --set layers=1 --set word_dim=4 --set char_dim=4 \
		--set char_filters=4 --set batch=4 --set warmup=1
	# The tags are given: of these words there is no doubt, of another one and of a way that was met once there is.
	{ row cats _; row gas _; row mice _; row rats _; } | hp-tag -m ./once.safetensors --keep --scores >out
	[ "$(grep -P '\tLemmaProb=1\.0000$' out | cut -f 2,3 | xargs)" = "cats cat gas gas" ]
	[ "$(grep -cP '\tLemmaProb=0\.' out)" -eq 2 ]
}

@test "training: the same bytes again, with two threads, and taken up" {
	small=(--set hidden=4 --set word_dim=4 --set char_dim=4 --set char_filters=4 --set batch=4 --set warmup=1 --set ema=0.9)
	train() { hp-train --task=tag -q -t "$sample" -t "$sample" -d "$sample" "${small[@]}" "$@" 2>/dev/null; }
	train -e 3 -j 1 -o a.safetensors -l a.csv
	train -e 3 -j 2 -o b.safetensors
	cmp a.safetensors b.safetensors
	head -n 1 a.csv | grep -q '^epoch,batches,loss,tag_loss,lemma_loss,dev_upos,dev_xpos,dev_feats,dev_lemmas,dev_mean,best,'
	train -e 1 -c c -o c.safetensors
	train -e 2 -c c -r -o c.safetensors
	hp-cat c.safetensors | grep -q 'train.epochs = [12]$'
	says 1 "hp-train: --init is for parsers" hp-train --task=tag -q -t "$sample" -d "$sample" -o d.safetensors -i a.safetensors
	says 2 "hp-train: --set: fusion: not a hyper-parameter of the task tag" hp-train --task=tag --set fusion=P
}
