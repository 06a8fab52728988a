#!/usr/bin/env bats
# examples/ud, the paper's dependency experiments, on the little treebank of examples/train.
bats_require_minimum_version 1.5.0

setup() {
	srcdir=$(cd "${srcdir:-$BATS_TEST_DIRNAME/..}" && pwd)
	cd "$BATS_TEST_TMPDIR" || return
	cp "$srcdir"/examples/ud/{Makefile,figure.gp,report.sh,table.awk} .
	mkdir UD_Own
	cp "$srcdir"/examples/train/train.conllu UD_Own/own-ud-train.conllu
	cp "$srcdir"/examples/train/dev.conllu UD_Own/own-ud-dev.conllu
	cp "$srcdir"/examples/sample.conllu UD_Own/own-ud-test.conllu
	# Lists what it is given to run.
	printf '#!/bin/sh\nbasename "$1" >>queued\nexec "$@"\n' >queue
	chmod +x queue
	make=(make -s --no-print-directory UD=UD_Own OUT=own HYPER="$srcdir"/examples/train/small.csv EPOCHS=3 SEEDS='1 2' SYSTEMS=PS-gate BEAM='1 2'
		TAGFLAGS='--set hidden=8' QUEUE=./queue)
}

# mean_sd NUMBER...: as the table has them.
mean_sd() {
	printf '%s\n' "$@" | awk '{ sum += $1; squares += $1 * $1 } END {
		mean = sum / NR; printf " %.2f ± %.2f", mean, sqrt((squares - NR * mean * mean) / (NR - 1)) }'
}

# of COLUMN METRIC OPTION...: a figure of hp-eval's.
of() {
	hp-eval --csv "${@:3}" | awk -F, -v column="$1" -v metric="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) figure = i }
		$0 ~ "," metric "," { print $figure }'
}

# Line FUSION GATE of the table below TITLE.
line() {
	awk -v title="$1" -v fusion="$2" -v gate="$3" '$0 == title { here = 1 } !$0 { here = 0 }
		here && $1 == fusion && $2 == gate' own/table.txt
}

@test "from a treebank to tables, figures and a page" {
	run -0 "${make[@]}"
	# A tagger, two systems with two seeds; a test set tagged, each model by two kinds of tags and two beams.
	[ "$(sort queued | uniq -c | xargs)" = "16 hp-parse 1 hp-tag 5 hp-train" ]
	[ "$(grep -c 'tags, beam' own/table.txt)" -eq 8 ]
	[ "$(hp-cat own/PS-gate-2.safetensors | grep -cE '^  (fusion = PS|gate = gate|train.seed = 2)$')" -eq 3 ]

	# The figures are those of the models.
	test=UD_Own/own-ud-test.conllu
	hp-tag -m own/tagger.safetensors $test >tagged
	for run in T-none-1 T-none-2 PS-gate-1 PS-gate-2; do
		hp-parse -m own/$run.safetensors $test >$run
		hp-parse -m own/$run.safetensors --beam=2 tagged >$run.tagged
	done
	for metric in UAS LAS; do
		for system in T-none PS-gate; do
			gold=$(mean_sd $(for i in 1 2; do of value $metric $test $system-$i; done))
			tagged=$(mean_sd $(for i in 1 2; do of value $metric --punct=upos $test $system-$i.tagged; done))
			[[ $(line "gold tags, beam 1, every token counted" ${system/-/ }) == *"$gold"* ]]
			[[ $(line "predicted tags, beam 2, without punctuation" ${system/-/ }) == *"$tagged"* ]]
		done
		p=$(printf ' %.4f' $(for i in 1 2; do of p $metric --compare $test T-none-$i PS-gate-$i; done))
		[[ $(line "gold tags, beam 1, every token counted" PS gate) == *"$p"* ]]
	done
	[ "$(cut -d, -f6 own/compared.csv | sort | uniq -c | xargs)" = "56 keep 1 punct 56 upos=PUNCT" ]
	grep -q '^dep,PS gate gold 1,.*,keep,depth,2,LAS,accuracy,2,' own/table.csv

	# Best epochs by LAS on dev.
	best=$(awk -F, 'NR > 1 && $7 > best { best = $7; epoch = $1 } END { printf "%d %.2f", epoch, best }' own/T-none-1.log.csv)
	[ "$(awk '$1 == "T-none-1" { print $2, $4 }' own/table.txt)" = "$best" ]

	# Seeds joined; the rest is there.
	rm queued
	run -0 "${make[@]}" JOINT=yes
	[ "$(sort queued | uniq -c | xargs)" = "8 hp-parse" ]
	for system in T-none PS-gate; do
		hp-join -o $system.safetensors own/$system-1.safetensors own/$system-2.safetensors
		hp-parse -m ./$system.safetensors --beam=2 $test >$system-joint
	done
	joined=$(line "gold tags, beam 2, every token counted, seeds joined" PS gate)
	for metric in UAS LAS; do
		[[ $joined == *$(printf ' %.2f ' "$(of value $metric $test PS-gate-joint)")* ]]
		[[ $joined == *$(printf ' %.4f' "$(of p $metric --compare $test T-none-joint PS-gate-joint)")* ]]
	done
	[[ $(line "gold tags, beam 1, every token counted" PS gate) == *"$p"* ]]

	# Nothing is done twice.
	ls -l --time-style=full-iso own >before
	run -0 "${make[@]}" JOINT=yes
	[ -z "$output" ]
	ls -l --time-style=full-iso own | cmp - before

	# But fewer seeds make another mean, and another joint parser.
	"${make[@]}" JOINT=yes SEEDS=2
	[ "$(hp-cat -k members own/PS-gate-joint.safetensors 2>&1)" = "hp-cat: no metadata 'members'" ]
	[[ $(line "gold tags, beam 1, every token counted" PS gate) == *$(printf ' %.2f ' "$(of value UAS $test PS-gate-2)")* ]]
	"${make[@]}" JOINT=yes

	# Parsers of other choices are not mixed with those that are there.
	run -2 --separate-stderr "${make[@]}" EPOCHS=4 SYSTEMS='PS-gate P-none'
	[[ $stderr == "own has parsers of other choices (HYPER="*" EPOCHS=3 VECTORS= FLAGS=): give another OUT, or make distclean"* ]]
	"${make[@]}" FLAGS=-j1

	# One system more is made.
	[ "$("${make[@]}" -n SYSTEMS='PS-gate P-none' | grep -c 'hp-train .*--fusion P --gate none')" -eq 2 ]
	[ "$("${make[@]}" -n SYSTEMS='PS-gate P-none' | grep -c 'hp-train ')" -eq 2 ]

	"${make[@]}" JOINT=yes report
	[ "$(grep -c '^PS  *gate' report.html)" -eq 16 ]
	if command -v gnuplot; then
		for by in length arc depth; do
			grep -q '</svg>' own/$by.svg
			grep -q 'PS gate' own/$by.svg
		done
		[ "$(grep -c '</svg>' report.html)" -eq 3 ]
		[ "$(grep -o "id=['\"][^'\"]*" report.html | sort | uniq -d | grep -vc gnuplot_plot)" -eq 0 ]
	fi
	make -s report
	"${make[@]}" clean
	[ "$(ls own/*.safetensors | wc -l)" -eq 7 ]
	[ ! -e own/table.csv ] && [ ! -e own/T-none-1.gold.1.csv ] && [ -e own/T-none-1.log.csv ]
	make clean
	make UD=UD_Own OUT=own distclean
	[ ! -e own ] && [ -e $test ]
}

@test "a training that was killed goes on" {
	"${make[@]}" EPOCHS=12 OUT=whole whole/PS-gate-1.safetensors
	set -m
	"${make[@]}" EPOCHS=12 FLAGS=--checkpoint-every=0 own/PS-gate-1.safetensors 3>&- &
	set +m
	for ((i = 0; i < 600; i++)); do
		! grep -qs '^3,' own/PS-gate-1.log.csv || break
		sleep 0.05
	done
	kill -9 -- -$!
	wait $! || true
	# Its training ends a moment later on a busy machine, and has its files until then.
	for ((i = 0; i < 600; i++)); do
		kill -0 -- -$! 2>/dev/null || break
		sleep 0.05
	done
	[ ! -e own/PS-gate-1.safetensors ]
	[ -e own/PS-gate-1.ckpt ]
	"${make[@]}" EPOCHS=12 FLAGS=--checkpoint-every=0 own/PS-gate-1.safetensors 2>out
	run -1 grep '^epoch 1:' out
	cmp {own,whole}/PS-gate-1.safetensors
	[ ! -e own/PS-gate-1.ckpt ]
}

@test "without a treebank" {
	run -2 --separate-stderr make -s UD=..
	[[ $stderr == "no *-ud-train.conllu, *-ud-dev.conllu and *-ud-test.conllu in UD=.."* ]]
}
