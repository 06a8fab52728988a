#!/usr/bin/env bats
# hp-train --task=rst from the outside.
bats_require_minimum_version 1.5.0
load filters

# A parser that trains in a second or two.
small() {
	hp-train --task=rst --train train.dis --set hidden=12 --set layers=2 --set label_mlp=8 --set word_dim=12 \
		--set char_filters=6 --set char_dim=6 --set batch=8 --set learning_rate=0.01 --set drop_input=0.1 --set drop_encoder=0.1 \
		--set drop_decoder=0.1 --set drop_classifier=0.1 -q "$@"
}

# sentences FIRST LAST: trees whose connectives tell relation and shape.
sentences() {
	local i a b c
	local who=(she he it they) what=(sings waits sleeps reads)
	for i in $(seq "$1" "$2"); do
		a="${who[i % 4]} ${what[i / 4 % 4]}" b="${who[(i / 2) % 4]} ${what[(i / 3) % 4]}" c="${who[(i / 5) % 4]} ${what[i % 4]}"
		echo "# sent_id = made-$i"
		case $((i % 3)) in
		0) echo "( Root (span 1 3) ( Satellite (leaf 1) (rel2par Background) (text _!when ${a} ,_!) )
( Nucleus (span 2 3) (rel2par span) ( Nucleus (leaf 2) (rel2par Joint) (text _!${b}_!) )
( Nucleus (leaf 3) (rel2par Joint) (text _!and $c ._!) ) ) )" ;;
		1) echo "( Root (span 1 3) ( Nucleus (span 1 2) (rel2par Joint) ( Nucleus (leaf 1) (rel2par span) (text _!${a}_!) )
( Satellite (leaf 2) (rel2par Explanation) (text _!because ${b}_!) ) )
( Nucleus (leaf 3) (rel2par Joint) (text _!and $c ._!) ) )" ;;
		2) echo "( Root (span 1 2) ( Nucleus (leaf 1) (rel2par span) (text _!${a}_!) )
( Satellite (leaf 2) (rel2par Explanation) (text _!because $b ._!) ) )" ;;
		esac
		echo
	done
}

setup() {
	srcdir=$(cd "${srcdir:-$BATS_TEST_DIRNAME/..}" && pwd)
	cd "$BATS_TEST_TMPDIR" || return
	sentences 1 48 >train.dis
	sentences 49 60 >dev.dis
}

@test "spans that contradict the leaves: a warning, and the leaves count" {
	small --dev dev.dis -e 1 -o expected.safetensors
	sed -i '0,/(span 2 3)/s//(span 2 4)/' dev.dis
	small --dev dev.dis -e 1 -o m.safetensors 2>messages
	grep -qx 'hp-train: dev.dis:[0-9]*: span 2 4 of a node whose leaves are 2 to 3: the leaves count' messages
	[ "$(hp-cat expected.safetensors | grep 'dev\.')" = "$(hp-cat m.safetensors | grep 'dev\.')" ]
}

@test "learns; dev scores are those of hp-eval on what the pipe parses" {
	small --dev dev.dis -e 12 -o span.safetensors --output-relation=relation.safetensors -l log.csv
	[ "$(wc -l <log.csv)" -eq 13 ]
	[ "$(head -n 1 log.csv | cut -d, -f1-9)" = epoch,batches,loss,structure_loss,label_loss,dev_span,dev_nuclearity,dev_relation,best ]
	sed -n 2p log.csv | grep -q ',span relation,'
	# Better than the first epoch, and good: the connectives tell everything.
	awk -F, 'NR == 2 { first = $3 } NR > 1 { last = $3; if ($6 > span) span = $6; if ($8 > relation) relation = $8 }
		END { exit !(last < first / 2 && span > 90 && relation > 85) }' log.csv
	for kind in span relation; do
		hp-parse -m ./$kind.safetensors --input=dis dev.dis >$kind.dis
		said=$(hp-cat $kind.safetensors | sed -n "s/^ *dev\.$kind = //p")
		found=$(hp-eval --csv --task=rst dev.dis $kind.dis |
			awk -F, -v kind=$kind 'tolower($8) == kind && $9 == "f1" { printf "%.2f", $10 }')
		echo "$kind: said $said, found $found"
		[ "$said" = "$found" ]
		# The best of the log.
		column=$([ $kind = span ] && echo 6 || echo 8)
		[ "$said" = "$(awk -F, -v c=$column 'NR > 1 && $c > m { m = $c } END { printf "%.2f", m }' log.csv)" ]
	done
}

@test "of equal Spans the best Relation is kept, of equal Relations the best Span; also by --resume" {
	# Two EDUs can only be split in one way.
	sentences 49 99 | awk -v RS= -v ORS='\n\n' '!/span 1 3/' >dev.dis
	small --dev dev.dis -e 10 -o a.safetensors --output-relation=ra.safetensors -l log.csv
	cut -d, -f6-9 log.csv
	awk -F, 'NR > 1 && $6 != 100 { exit 1 }' log.csv
	# best names span as often as Relation, or for the same Relation Nuclearity, rises.
	awk -F, 'NR > 1 { up = NR == 2 || $8 > r || ($8 == r && $7 > n); if (($9 ~ /span/) != up) exit 1
		if (up) { r = $8; n = $7; times++ } } END { exit times < 2 }' log.csv
	[ "$(hp-cat a.safetensors | sed -n 's/^ *dev.relation = //p')" = "$(awk -F, 'NR > 1 && $8 > m { m = $8 } END { printf "%.2f", m }' log.csv)" ]
	for stop in 1 3 6; do
		small --dev dev.dis -e $stop -o c.safetensors --output-relation=rc.safetensors -c point
		small --dev dev.dis -e 10 -o c.safetensors --output-relation=rc.safetensors -c point --resume
		hp-cat --values a.safetensors | grep -v 'train.plan\|model_id\|checksum' >a
		hp-cat --values c.safetensors | grep -v 'train.plan\|model_id\|checksum' | sed 's/^c\./a./' | cmp a -
		rm point
	done
	# With relations that nobody can find, Relation is the same all the time.
	sentences 49 70 | sed 's/rel2par [A-Za-z]*/rel2par Surprise/g; s/Satellite/Nucleus/g' >dev.dis
	small --dev dev.dis --set learning_rate=0.001 -e 12 -o b.safetensors --output-relation=rb.safetensors -l log.csv
	cut -d, -f6-9 log.csv
	awk -F, 'NR > 1 { up = NR == 2 || $6 > s; if ($8 != 0 || ($9 ~ /relation/) != up) exit 1
		if (up) { s = $6; times++ } } END { exit times < 2 }' log.csv
}

@test "same seed, same bytes, whatever the threads, interrupted or not" {
	small --dev dev.dis -e 3 -j 1 -o a.safetensors --output-relation=ra.safetensors
	small --dev dev.dis -e 3 -j 2 -o b.safetensors --output-relation=rb.safetensors
	cmp a.safetensors b.safetensors
	cmp ra.safetensors rb.safetensors
	small --dev dev.dis -e 1 -o c.safetensors --output-relation=rc.safetensors -c point --set schedule=constant
	small --dev dev.dis -e 3 -o c.safetensors --output-relation=rc.safetensors -c point --resume
	# The metadata tell of the plan, which was made in two steps; the parameters are the same.
	hp-cat --values a.safetensors | grep -v 'train.plan\|model_id\|checksum' >a
	hp-cat --values c.safetensors | grep -v 'train.plan\|model_id\|checksum' | sed 's/^c\./a./' >c
	sed 's/^c\.safetensors/a.safetensors/' c | cmp a -
	small --dev dev.dis -e 3 -S 2 -o d.safetensors
	run -1 cmp -s a.safetensors d.safetensors
	# A checkpoint wants the model of the best Relation back as well.
	rm rc.safetensors
	says 1 "...point: the best model so far should be in rc.safetensors..." small --dev dev.dis -e 4 -o c.safetensors --output-relation=rc.safetensors -c point --resume
}

@test "a tenth of the training data is dev where none is given" {
	small -e 2 -o a.safetensors -l a.csv
	small -e 2 -o b.safetensors -l b.csv
	cmp a.safetensors b.safetensors
	small -e 2 -o c.safetensors -S 5
	hp-train --task=rst --train train.dis --set hidden=4 --set layers=1 --set batch=48 -e 1 -o d.safetensors 2>said
	[ "$(head -n 1 said)" = "held out as dev: 4 of 48 sentences" ]
	# 48 sentences: 4 are held out, 44 make 6 batches of 8.
	[ "$(sed -n 2p a.csv | cut -d, -f2)" = 6 ]
	printf '( Root (span 1 2) ( Nucleus (leaf 1) (rel2par span) (text _!a_!) ) ( Satellite (leaf 2) (rel2par X) (text _!b_!) ) )\n' >train.dis
	says 1 "hp-train: train.dis: a single sentence of several EDUs, of which none can be held out as dev" small -e 1 -o m.safetensors
}

@test "a relation of _ is not learnt" {
	sed 's/Background/_/' train.dis >open.dis
	hp-train --task=rst --train open.dis --dev dev.dis --set hidden=12 --set layers=2 --set label_mlp=8 -e 1 -o m.safetensors 2>err
	grep -x 'hp-train: open.dis: 16 splits without a relation ("_"), of which only the place in the tree is learnt' err
	[ "$(hp-cat -T -t vocab.label m.safetensors | LC_ALL=C sort | xargs)" = "Explanation_NS Joint_NN" ]
}

@test "relations that training has not seen; words that only the vectors know" {
	sed 's/rel2par Explanation/rel2par Surprise/' dev.dis >other.dis
	run -0 --separate-stderr small --dev other.dis -e 1 -o m.safetensors
	[ -z "$stderr" ]
	sed 's/rel2par [A-Z][a-z]*/rel2par Surprise/g' dev.dis >all.dis
	says 0 "hp-train: all.dis: no relation that the training data has" small --dev all.dis -e 1 -o m.safetensors
	printf 'sings 1 0 0 0 0 0 0 0 0 0 0 0\nhums 1 0 0 0 0 0 0 0 0 0 0 0.5\n' >vectors
	small --dev other.dis -e 1 -o m.safetensors -v vectors
	printf 'she hums\nbecause he sings\n' | hp-parse -m ./m.safetensors --brackets | grep -q '^(1:'
	hp-cat m.safetensors | grep -q 'input = words'
}

@test "an EDU that looks like a comment is an EDU" {
	printf '( Root (span 1 2) ( Nucleus (leaf 1) (rel2par Joint) (text _!# sent_id = x_!) ) ( Nucleus (leaf 2) (rel2par Joint) (text _!y_!) ) )\n' >odd.dis
	small --dev odd.dis -e 1 -o m.safetensors -l log.csv
	# Two EDUs can only be split in one way.
	[ "$(sed -n 2p log.csv | cut -d, -f6)" = 100.000 ]
}

@test "--init goes on from a model, on other sentences" {
	small --dev dev.dis -e 8 -o first.safetensors
	sentences 49 90 >train.dis
	small --dev dev.dis -e 1 -o fresh.safetensors -l fresh.csv
	small --dev dev.dis -e 1 -o second.safetensors -l second.csv --init first.safetensors
	says 1 "hp-train: first.safetensors: the model differs in hidden (8 here), fusion (T here): expected --set hidden=12 --set fusion=PST" small --dev dev.dis -e 1 -o third.safetensors --init first.safetensors --fusion=T --set hidden=8
	awk -F, 'FNR == 2 { loss[FILENAME] = $3 } END { print loss["fresh.csv"], loss["second.csv"]; exit !(loss["second.csv"] < 0.9 * loss["fresh.csv"]) }' fresh.csv second.csv
}

# tagged FIRST LAST: trees, in NAME.dis, and NAME.conllu: the words say nothing, the first one's tag the relation.
# Between them are sentences that have no tree.  With a word B the second word is that one and the number.
tagged() { # NAME FIRST LAST [B]
	local i tag rest
	for i in $(seq "$2" "$3"); do
		if [ $((i * i % 7 % 2)) -eq 0 ]; then
			tag=NOUN rest='Nucleus (leaf 2) (rel2par Joint)'
		else
			tag=VERB rest='Satellite (leaf 2) (rel2par Background)'
		fi
		[[ $rest == N* ]] && first=Joint || first=span
		printf '# sent_id = %s-%d\n( Root (span 1 2) ( Nucleus (leaf 1) (rel2par %s) (text _!a %s_!) ) ( %s (text _!c d._!) ) )\n\n' \
			"$1" "$i" $first "${4:-b}${4:+$i}" "$rest" >&3
		printf '# sent_id = %s-%d\n1\ta\t_\t%s\tx\t_\t_\t_\t_\tBeginSeg=Yes\n2\t%s\t_\tX\tx\t_\t_\t_\t_\t_\n' "$1" "$i" $tag "${4:-b}${4:+$i}"
		printf '3\tc\t_\tX\tx\t_\t_\t_\t_\tBeginSeg=Yes\n4\td\t_\tX\tx\t_\t_\t_\t_\t_\n5\t.\t_\t_\tx\t_\t_\t_\t_\t_\n\n'
		[ $((i % 3)) -ne 0 ] || printf '1\ta\t_\tX\tx\t_\t_\t_\t_\t_\n\n'
	done 3>"$1.dis" >"$1.conllu"
}

@test "tags: from CoNLL-U beside the trees, in the model, and from CoNLL-U again" {
	tagged train 1 60
	tagged dev 61 85
	small --dev dev.dis --pos=upos --train-tags=train.conllu --dev-tags=dev.conllu --set pos_dim=6 --set tag_drop=0.1 -e 10 \
		-o tags.safetensors -l log.csv
	hp-cat tags.safetensors >said
	for meta in pos=upos pos_dim=6 tags=5 input_dim=24 train.pos=upos train.pos_dim=6 train.tag_drop=0.1 train.tag_noise=0.01; do
		grep -q " ${meta%%=*} = ${meta#*=}\$" said
	done
	# <root>, <unk>, NOUN, VERB, X: the full stop's _ is no tag.
	grep -q 'vocab.tag ' said
	grep -q 'embed.pos F32 \[5, 6\]' said
	# Only the tags tell the relation: it is found by them on dev, and by the pipe that has them.
	awk -F, 'NR > 1 && $8 > most { most = $8 } END { exit !(most > 95) }' log.csv
	score() { hp-parse -m ./tags.safetensors "$@" >out.dis; hp-eval --csv --task=rst dev.dis out.dis | awk -F, '$8 == "Relation" && $9 == "f1" { printf "%.2f", $10 }'; }
	awk '/^1\ta\t_\tX/ { getline; next } 1' dev.conllu >trees.conllu
	[ "$(score --input=conllu trees.conllu)" = "$(sed -n 's/^ *dev\.relation = //p' said)" ]
	[ "$(score --input=dis dev.dis | cut -d. -f1)" -lt 80 ]
	# A column that tells nothing.
	small --dev dev.dis --pos=xpos --train-tags=train.conllu --dev-tags=dev.conllu -e 10 -o x.safetensors -l x.csv
	awk -F, 'NR > 1 && $8 > 80 { exit 1 }' x.csv
	# Held-out sentences keep their tags.
	small --pos=upos --train-tags=train.conllu -e 14 -o a.safetensors -l a.csv
	awk -F, 'NR > 1 && $8 > most { most = $8 } END { exit !(most > 95) }' a.csv
	# The training goes on with the same tags, and with those only.
	small --dev dev.dis --pos=upos --train-tags=train.conllu --dev-tags=dev.conllu -e 1 -o b.safetensors -c point
	sed 's/VERB/NOUN/' dev.conllu >other.conllu
	says 1 "hp-train: point: ... another treebank, stream, tags, ..." small --dev dev.dis --pos=upos --train-tags=train.conllu --dev-tags=other.conllu -e 2 -o b.safetensors -c point -r
	small --dev dev.dis --pos=upos --train-tags=train.conllu --dev-tags=dev.conllu -e 2 -o b.safetensors -c point -r
}

@test "tags with places in dependency trees: where a head is tells the relation" {
	tagged train 1 60
	tagged dev 61 85
	# All words are of one kind; the first one's head is in its EDU, or in the next one.
	for name in train dev; do
		awk -F'\t' -v OFS='\t' 'NF == 10 { $7 = $1 == 1 ? ($4 == "NOUN" ? 2 : 3) : $1 == 2 ? 3 : $1 == 3 ? 0 : "_"; $4 = "X"; $8 = "dep:" $1 } 1' \
			$name.conllu >$name.trees
	done
	on() { small --dev dev.dis --train-tags=train.trees --dev-tags=dev.trees --set pos_dim=6 --set tag_drop=0.1 "$@"; }
	on --pos=tree -e 10 -o trees.safetensors -l log.csv
	hp-cat trees.safetensors >said
	# <root>, <unk>, X, "X dep", "X dep+" and "X dep0".
	for meta in pos=tree tags=6 train.pos=tree; do
		grep -q " ${meta%%=*} = ${meta#*=}\$" said
	done
	awk -F, 'NR > 1 && $8 > most { most = $8 } END { exit !(most > 95) }' log.csv
	score() { hp-parse -m ./trees.safetensors "$@" >out.dis; hp-eval --csv --task=rst dev.dis out.dis | awk -F, '$8 == "Relation" && $9 == "f1" { printf "%.2f", $10 }'; }
	awk '/^1\ta\t_\tX\tx\t_\t2\tdep:1\t_\t_$/ { getline; next } 1' dev.trees >trees.conllu
	awk -F'\t' -v OFS='\t' 'NF == 10 { $7 = $8 = "_" } 1' trees.conllu >none.conllu
	[ "$(score --input=conllu trees.conllu)" = "$(sed -n 's/^ *dev\.relation = //p' said)" ]
	[ "$(score --input=conllu none.conllu | cut -d. -f1)" -lt 80 ]
	says 0 "hp-embed: none.conllu: no dependency trees in HEAD and DEPREL, which ... reads to make better trees: hp-parse -m en-dep finds them" \
		hp-embed -m ./trees.safetensors -i conllu none.conllu -o x
	# The tags alone tell nothing.
	on --pos=upos -e 10 -o tags.safetensors -l tags.csv
	awk -F, 'NR > 1 && $8 > 80 { exit 1 }' tags.csv
	# Another tree is another treebank; the same goes on, to the same model.
	on --pos=tree -e 1 -o a.safetensors -c point
	sed 's/dep:1/obj/' train.trees >other.trees
	says 1 "hp-train: point: ... another treebank, stream, tags, ..." small --dev dev.dis --train-tags=other.trees --dev-tags=dev.trees \
		--set pos_dim=6 --set tag_drop=0.1 --pos=tree -e 2 -o a.safetensors -c point -r
	on --pos=tree -e 2 -o a.safetensors -c point -r
	says 2 "hp-train: --pos=tree is for --task=rst" hp-train -t dev.conllu -d dev.conllu -o c.safetensors --pos=tree
}

@test "tags that do not fit are refused" {
	tagged train 1 10 b
	tagged dev 11 15 b
	refused() { # MESSAGE ARGUMENT...
		run -1 --separate-stderr small -o m.safetensors --pos=upos "${@:2}"
		echo "$stderr"
		[ "$stderr" = "hp-train: $1" ]
		[ ! -e m.safetensors ]
	}
	sed '28s/d/D/' train.conllu >bad.conllu
	refused "train.dis:11: EDU 2 has 'd.' where bad.conllu:28 has 'D'" --train-tags=bad.conllu
	head -n 14 train.conllu >short.conllu
	refused "train.dis:8: a tree after the last sentence of short.conllu" --train-tags=short.conllu
	refused "dev.dis:2: EDU 1 has '1' where short.conllu:4 has 'c'" --train-tags=train.conllu --dev=dev.dis --dev-tags=short.conllu
	sed 's/NOUN\|VERB\|X/_/' train.conllu >none.conllu
	refused "none.conllu: no tags, expected CoNLL-U that has some in column UPOS" --train-tags=none.conllu
	echo 'a b c d .' >text
	refused "text: no tags, expected CoNLL-U that has some in column UPOS" --train-tags=text
	sed '3s/b/\xff/' train.conllu >bad.conllu
	refused "bad.conllu:3: invalid UTF-8: byte \\xFF at position 3 of the line" --train-tags=bad.conllu
	refused "none: No such file or directory" --train-tags=none
	cp train.conllu m
	says 1 "hp-train: --train-tags and --output are the same file: ./m" small -o ./m --pos=upos --train-tags=m
	usage() { # MESSAGE ARGUMENT...
		run -2 --separate-stderr hp-train --train train.dis -o m.safetensors "${@:2}"
		echo "$stderr"
		[ "${stderr%%$'\n'*}" = "hp-train: $1" ]
	}
	usage 'with --task=rst, tags (--pos) need --train-tags' --task=rst --pos=xpos
	usage '--train-tags needs --pos=upos, --pos=xpos or --pos=tree' --task=rst --train-tags=train.conllu
	usage '--train-tags and --dev need --dev-tags' --task=rst --pos=upos --train-tags=train.conllu --dev=dev.dis
	usage '--dev-tags needs --dev' --task=rst --pos=upos --train-tags=train.conllu --dev-tags=dev.conllu
	usage '--dev-tags needs --train-tags' --task=rst --pos=upos --dev=dev.dis --dev-tags=dev.conllu
	usage '--train-tags and --dev-tags are for --task=rst' --dev=dev.dis --train-tags=train.conllu --dev-tags=dev.conllu
	usage 'only one of --train-tags and --train-stream can be given' --task=rst --pos=upos --train-tags=train.conllu --train-stream=x
}

@test "what is refused" {
	refused() { # MESSAGE ARGUMENT...
		run -1 --separate-stderr small -o m.safetensors "${@:2}"
		echo "$stderr"
		[[ $stderr == "hp-train: $1"* ]]
		[ ! -e m.safetensors ]
	}
	printf '( Root (span 1 2) ( Nucleus (leaf 1) (rel2par span) (text _!a_!) )\n' >bad.dis
	refused bad.dis: --dev bad.dis
	printf '( Root (leaf 1) (text _!a_!) )\n' >one.dis
	refused 'one.dis: no sentences of several EDUs' --dev one.dis
	refused 'train.dis:' --max-words 3
	refused '--output and --output-relation are the same file' --output-relation=m.safetensors
	says 1 "hp-train: train.dis: rhetorical trees, expected CoNLL-U: they need --task=rst" hp-train --train train.dis --dev dev.dis -o m.safetensors
	says 2 "...drop_mlp: not a hyper-parameter of the task rst..." small -o m --set drop_mlp=0.1
	says 2 "...drop_input: not a hyper-parameter of the task dep..." hp-train --set drop_input=0.1 --print-hyper
	run -2 hp-train --task=chess --print-hyper
	run -2 hp-train --train a --dev b -o c --output-relation=d
	run -2 hp-train --task=rst --train train.dis
}

@test "the paper's table holds the initial values" {
	hp-train --task=rst --print-hyper >initial.csv
	hp-train --hyper "$srcdir/examples/rst.csv" --task=rst --print-hyper | cmp - initial.csv
	for row in layers=5 hidden=64 label_mlp=64 drop_input=0.5 drop_encoder=0.4 drop_decoder=0.6 drop_classifier=0.5 \
		learning_rate=0.001 l2=0.0005 batch=64; do
		grep -q ",${row#*=},${row%=*}\$" initial.csv
	done
	grep -q '"(0.9, 0.95)",betas$' initial.csv
	run -1 grep -q 'arc_mlp' initial.csv
}

@test "several treebanks with their tags are one; a test set of several" {
	both() { hp-train --task=rst -q --pos=upos -s hidden=12 -s layers=2 -s label_mlp=8 -s word_dim=12 -s char_filters=6 -s char_dim=6 \
		-s batch=8 -s learning_rate=0.01 -e 3 --dev=dev.dis --dev-tags=dev.conllu "$@"; }
	tagged a 1 20 b
	tagged b 21 40 b
	tagged dev 41 50 b
	tagged c 51 57 b
	tagged d 58 60 b
	cat a.dis b.dis >train.dis
	cat a.conllu b.conllu >train.conllu
	both -t train.dis --train-tags train.conllu -o whole.safetensors
	both -t a.dis -t b.dis --train-tags a.conllu --train-tags b.conllu -o m.safetensors --output-relation=r.safetensors -l log.csv \
		--test c.dis --test-tags c.conllu --test d.dis --test-tags d.conllu >out
	for m in whole m; do hp-cat -v $m.safetensors | grep -v "train.data\|model_id\|checksum\|^$m" >$m; done
	cmp whole m
	cat c.dis d.dis >test.dis
	cat c.conllu d.conllu | awk '/^1\ta\t_\tX/ { getline; next } 1' >test.conllu
	for m in m r; do
		hp-parse -m ./$m.safetensors --input=conllu test.conllu >parsed.dis
		hp-eval --csv --task=rst test.dis parsed.dis |
			awk -F, -v m=$m '$9 == "f1" { f[$8] = sprintf("%.2f", $10) } END { print m ".safetensors: test Span " f["Span"] " Nuclearity " f["Nuclearity"] " Relation " f["Relation"] }'
	done >expected
	diff expected out
	[ "$(tail -n 2 log.csv | cut -d, -f1,9)" = $'test,span\ntest,relation' ]
	says 2 "hp-train: 1 file of --train-tags, 2 of --train: expected one for each, in the same order" both -t a.dis -t b.dis --train-tags a.conllu -o m
	says 2 "hp-train: 2 files of --train-tags, 1 of --train: expected one for each, in the same order" both -t a.dis --train-tags a.conllu --train-tags b.conllu -o m
	says 2 "hp-train: --train-tags and --test need --test-tags" both -t a.dis --train-tags a.conllu -o m --test c.dis
	says 2 "hp-train: --test-tags needs --test" both -t a.dis --train-tags a.conllu -o m --test-tags c.conllu
}
