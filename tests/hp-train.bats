#!/usr/bin/env bats
# hp-train from the outside: what it writes, refuses, survives.
bats_require_minimum_version 1.5.0
load filters

# A parser that trains in a second or two.
small() {
	${before:-} hp-train --train "$train" --dev "$dev" --hyper "$srcdir/examples/train/small.csv" --set hidden=16 --set decoder_hidden=16 \
		--set layers=1 --set decoder_input=16 --set arc_mlp=16 --set label_mlp=8 --set word_dim=16 --set char_filters=8 \
		--set eval_every=1 "$@"
}

setup() {
	srcdir=$(cd "${srcdir:-$BATS_TEST_DIRNAME/..}" && pwd)
	cd "$BATS_TEST_TMPDIR" || return
	train=$srcdir/examples/train/train.conllu
	dev=$srcdir/examples/train/dev.conllu
}

# The same in the background, as process $!.
started() {
	before=exec small "$@" &
}

# A broken treebank: refused with this place, before anything is written.
refused() {
	small -o m.safetensors -l log.csv "$@" 2>err && return 1
	[ "$(wc -l <err)" -eq 1 ]
	[ ! -e m.safetensors ]
	[ ! -e log.csv ]
	cat err
}

# Waits until the log of a training has so many rows.
rows() {
	for _ in $(seq 600); do
		[ -e "$1" ] && [ "$(wc -l <"$1")" -gt "$2" ] && return
		sleep 0.05
	done
	return 1
}

@test "trains, and says so a line an epoch" {
	small -e 3 -o m.safetensors 2>err
	[ -s m.safetensors ]
	[ "$(grep -c '^epoch [123]: loss [0-9.]*, [0-9]* words/s, .*dev UAS [0-9.]* LAS [0-9.]*' err)" -eq 3 ]
	grep -q '^best: dev UAS' err
}

@test "--quiet is" {
	says 0 '' small -q -e 1 -o m.safetensors
}

@test "a bar on a terminal" {
	script -qec true /dev/null || skip "no script(1), or no pseudo-terminals"
	{ declare -f small; declare -p srcdir train dev; echo small -e 3 -o m.safetensors; } >run
	script -qec "bash run" /dev/null >out
	grep -q 'epoch 1 \[.*words/s  loss .* left' out
	grep -q 'epoch 3: loss' out
}

@test "the loss falls and trees get better" {
	hp-train -q -t "$train" -d "$dev" --hyper "$srcdir/examples/train/small.csv" -e 20 -o m.safetensors -l log.csv
	cat log.csv
	# Every word on the one before it and the commonest relation would give an LAS of about 2.
	awk -F, 'NR == 2 { loss = $3 } END { exit !(NR == 21 && $3 < 0.7 * loss && $7 > 15) }' log.csv
}

@test "dev scores are those of hp-eval on what the pipe parses" {
	small -q -e 4 -o m.safetensors -l log.csv
	hp-embed -m ./m.safetensors "$dev" | hp-encode | hp-decode | hp-label >parsed
	hp-eval --csv "$dev" parsed >scores
	best=$(awk -F, '$9 == 1 { best = $6 " " $7 } END { print best }' log.csv)
	found=$(awk -F, '$8 == "UAS" || $8 == "LAS" { printf "%s%.3f", $8 == "LAS" ? " " : "", $10 } END { print "" }' scores)
	echo "log: $best, hp-eval: $found"
	[ "$best" = "$found" ]
}

@test "of equal LAS the best UAS is kept" {
	# Relations that training has not seen.
	awk -F '\t' -v OFS='\t' 'NF == 10 && $8 != "_" { $8 = $8 ":unseen" } 1' "$dev" >other.conllu
	dev=other.conllu
	small -q -e 8 -o m.safetensors -l log.csv
	cut -d, -f6-9 log.csv
	awk -F, 'NR > 1 { up = NR == 2 || $6 > u; if ($7 != 0 || $9 != up) exit 1
		if (up) { u = $6; times++ } } END { exit times < 2 }' log.csv
	[ "$(hp-cat m.safetensors | sed -n 's/^ *dev.uas = //p')" = "$(awk -F, 'NR > 1 && $6 > m { m = $6 } END { printf "%.2f", m }' log.csv)" ]
}

@test "the log" {
	small -q -e 2 -o m.safetensors -l log.csv
	head -1 log.csv | grep -qx 'epoch,batches,loss,structure_loss,label_loss,dev_uas,dev_las,dev_las_without_tags,best,learning_rate,words_per_second,seconds,peak_memory_mb,precision,plan'
	[ "$(wc -l <log.csv)" -eq 3 ]
	# The loss is its two parts; every figure makes sense.
	awk -F, 'NR > 1 { d = $3 - $4 - $5; if (d * d > 1e-8 || $6 < $7 || $7 < 0 || $6 > 100 || $10 <= 0 || $11 <= 0 || $13 < 1) exit 1 }' log.csv
}

@test "same seed, same bytes, whatever the threads" {
	small -q -e 2 -j 1 -o 1.safetensors
	small -q -e 2 -j 2 -o 2.safetensors
	small -q -e 2 -j 3 -o 3.safetensors
	small -q -e 2 --seed 2 -o other.safetensors
	cmp 1.safetensors 2.safetensors
	cmp 1.safetensors 3.safetensors
	run ! cmp -s 1.safetensors other.safetensors
}

@test "--precision" {
	small -q -e 2 --precision=f32 -o f32.safetensors -l log.csv -c f32
	hp-cat f32.safetensors | grep -qx ' *train.precision = f32'
	[ "$(cut -d, -f14 log.csv)" = $'precision\nf32\nf32' ]
	small -q -e 2 --precision=auto -o auto.safetensors
	small -q -e 2 -o unsaid.safetensors
	cmp auto.safetensors unsaid.safetensors
	says 2 "hp-train: --precision: 'bf' is unknown, expected auto, f32 or bf16..." small -q -o m.safetensors --precision=bf
	if ! small -q -e 2 --precision=bf16 -o 1.safetensors -j 1 -l log.csv 2>err; then
		[ "$(cat err)" = "hp-train: --precision=bf16: this processor has neither AMX-BF16 nor AVX512_BF16; expected f32" ]
		[ ! -e 1.safetensors ]
		cmp f32.safetensors auto.safetensors
		skip "this processor has no products of BF16 numbers"
	fi
	hp-cat 1.safetensors | grep -qx ' *train.precision = bf16'
	[ "$(cut -d, -f14 log.csv)" = $'precision\nbf16\nbf16' ]
	run ! cmp -s f32.safetensors 1.safetensors
	small -q -e 2 --precision=bf16 -o 2.safetensors -j 2
	cmp 1.safetensors 2.safetensors
	# A pause; what is not said is the checkpoint's.
	small -q -e 20 --precision=bf16 -o whole.safetensors
	started -q -e 20 --precision=bf16 -o half.safetensors -l half.csv -c half
	rows half.csv 2
	kill -TERM $!
	wait $! || true
	cp half ck
	cp half.safetensors m.safetensors
	says 1 "hp-train: ck: the checkpoint was made with --precision=bf16, not f32" small -q -e 2 --precision=f32 -o m.safetensors -c ck --resume
	says 1 "hp-train: f32: the checkpoint was made with --precision=f32, not bf16" small -q -e 4 --precision=bf16 -o f32.safetensors -c f32 --resume
	for precision in '' --precision=bf16 --precision=auto; do
		cp half ck
		cp half.safetensors m.safetensors
		small -q -e 20 $precision -o m.safetensors -c ck --resume
		cmp whole.safetensors m.safetensors
	done
}

@test "SIGTERM in the middle of an epoch: a checkpoint, and the same bytes after --resume" {
	small -q -e 40 -o whole.safetensors -l whole.csv
	started -q -e 40 -o m.safetensors -l log.csv -c ck
	rows log.csv 2
	kill -TERM $!
	status=0
	wait $! || status=$?
	[ "$status" -eq 143 ]
	[ -s ck ]
	# A row more than there are: it is at work, and sees the signal.
	had=$(wc -l <log.csv)
	started -q -e 40 -o m.safetensors -l log.csv -c ck --resume -j 1
	rows log.csv "$had"
	kill -INT $!
	status=0
	wait $! || status=$?
	[ "$status" -eq 130 ]
	small -q -e 40 -o m.safetensors -l log.csv -c ck --resume
	cmp whole.safetensors m.safetensors
	# The log as well, but for speed, time and memory.
	diff <(cut -d, -f1-10,14,15 whole.csv) <(cut -d, -f1-10,14,15 log.csv)
}

@test "SIGINT before the first evaluation: no model, and it says so" {
	started -e 40000 -o m.safetensors --set eval_every=40000 -l log.csv 2>err
	rows log.csv 1
	kill -INT $!
	status=0
	wait $! || status=$?
	[ "$status" -eq 130 ]
	[ ! -e m.safetensors ]
	grep -qx 'stopped after [0-9]* batches, before there was a model; nothing to go on from without --checkpoint' err
}

@test "kill -9: what was there stays, --resume gives the same bytes" {
	small -q -e 15 -o whole.safetensors
	started -q -e 15 -o m.safetensors -l log.csv -c ck --checkpoint-every 0
	rows log.csv 2
	kill -KILL $!
	wait $! || true
	# Both are whole, at whatever instant it was.
	cp m.safetensors between.safetensors
	small -q -e 15 -o m.safetensors -l log.csv -c ck --resume
	cmp whole.safetensors m.safetensors
	hp-embed -m ./between.safetensors "$dev" >x
	[ "$(wc -l <log.csv)" -eq 16 ]
}

@test "--resume goes on with a log, and with no other file" {
	small -q -e 2 -o m.safetensors -l log.csv -c ck
	seq 10000 >other.csv
	cp other.csv kept.csv
	says 1 "hp-train: --log: other.csv is there already and is no log of hp-train: expected another name" small -q -e 4 -o m.safetensors -l other.csv -c ck --resume
	cmp other.csv kept.csv
	sed '1s/uas/span/' log.csv >other.csv
	cp other.csv kept.csv
	says 1 "hp-train: other.csv:1: not the heading of such a training's log, which is to be continued" small -q -e 4 -o m.safetensors -l other.csv -c ck --resume
	cmp other.csv kept.csv
	: >empty.csv
	small -q -e 4 -o m.safetensors -l empty.csv -c ck --resume
	[ "$(wc -l <empty.csv)" -eq 3 ] && head -n 1 empty.csv | cmp - <(head -n 1 log.csv)
}

@test "--resume without a checkpoint begins" {
	small -q -e 2 -o m.safetensors -c ck --resume
	small -q -e 2 -o whole.safetensors
	cmp m.safetensors whole.safetensors
	[ -s ck ]
}

@test "a finished training can go on longer" {
	small -q -e 2 -o m.safetensors -l log.csv -c ck
	small -q -e 4 -o m.safetensors -l log.csv -c ck --resume
	[ "$(tail -1 log.csv | cut -d, -f1)" -eq 4 ]
	small -q -e 4 -o m.safetensors -l log.csv -c ck --resume
	[ "$(wc -l <log.csv)" -eq 5 ]
}

@test "a checkpoint of another training is refused" {
	small -q -e 1 -o m.safetensors -c ck
	cp ck kept
	says 1 "hp-train: ck: this checkpoint is there already, expected --resume to go on from it, or another file" small -q -e 1 -o m.safetensors -c ck
	cmp ck kept
	says 1 "hp-train: ck: the checkpoint was made with clip=5, not 4" small -q -e 2 -o m.safetensors -c ck --resume --set clip=4
	says 1 "...seed 1, not 9..." small -q -e 2 -o m.safetensors -c ck --resume --seed 9
	train=$dev
	says 1 "...another treebank, stream, tags, vectors or --init..." small -q -e 2 -o m.safetensors -c ck --resume
	cp m.safetensors model
	says 1 "hp-train: model: not a checkpoint of this hp-train (metadata hp_checkpoint 2 expected)" small -q -e 2 -o m.safetensors -c model --resume
}

@test "--time ends in time and can be repeated without a clock" {
	begun=$(date +%s)
	small -e 1 -q -o m.safetensors # warm caches
	small --time 0.1 -o m.safetensors -l log.csv 2>err
	[ $(($(date +%s) - begun)) -lt 60 ]
	plan=$(sed -n 's/^to repeat this training use --plan=\([^ ]*\) .*/\1/p' err)
	[ -n "$plan" ]
	[ "$plan" = "$(cut -d, -f15- log.csv | tail -n +2 | tr -d '"' | grep . | paste -sd,)" ]
	# The learning rate has come down.
	awk -F, 'END { exit !($10 < 0.001) }' log.csv
	small -q --plan "$plan" -o again.safetensors
	# Where the only model is that of the end, the plan in it has the end as well.
	small -q --time 0.002 --set eval_every=99 -o short.safetensors
	small -q --plan "$(hp-cat -k train.plan short.safetensors)" --set eval_every=99 -o repeated.safetensors
	cmp short.safetensors repeated.safetensors
	cmp m.safetensors again.safetensors
}

@test "--time: a training that has ended stays so, unless there is more time" {
	small -q --time 0.003 -o m.safetensors -l log.csv -c ck
	cp log.csv before.csv
	cp m.safetensors before
	small -q --time 0.003 -o m.safetensors -l log.csv -c ck --resume
	small -q --time 0.002 -o m.safetensors -l log.csv -c ck --resume
	cmp log.csv before.csv
	cmp m.safetensors before
	batches() { tail -n 1 log.csv | cut -d, -f2; }
	first=$(batches)
	small -q --time 0.05 -o m.safetensors -l log.csv -c ck --resume
	[ "$(batches)" -gt "$first" ]
}

@test "--time: the log's plan repeats a training that was taken up at the end of an epoch" {
	small -q -e 1 -o m.safetensors -l log.csv -c ck
	# An estimate for a batch that the last row has told of already.
	small -q --time 0.05 -o m.safetensors -l log.csv -c ck --resume
	plan=$(cut -d, -f15- log.csv | tail -n +2 | tr -d '"' | grep . | paste -sd,)
	small -q --plan "$plan" -o again.safetensors -l again.csv
	cmp m.safetensors again.safetensors
	[ "$(tail -n 1 again.csv | cut -d, -f2)" -eq "$(tail -n 1 log.csv | cut -d, -f2)" ]
}

@test "a checkpoint or a log that another training has is refused" {
	started -q -e 10000 -o m.safetensors -l log.csv -c ck
	rows log.csv 1
	says 1 "hp-train: ck: in use by another process" small -q -e 1 -o other -c ck --resume
	says 1 "hp-train: log.csv: another training writes this log" small -q -e 1 -o other -l log.csv
	[ "$(wc -l <log.csv)" -gt 1 ]
	kill -KILL $!
	wait $! || true
	[ -e .ck.lock ]
	small -q -e 1 -o other -c ck
	[ ! -e .ck.lock ]
}

@test "what is written has a name" {
	for option in output checkpoint log; do
		says 2 "hp-train: --$option: '-' is no name of a file to write" small -q -e 1 -o m "--$option=-"
	done
	says 2 "hp-train: --output: '' is no name of a file to write" small -q -e 1 -o ''
	says 2 "hp-train: --output-relation: '-' is no name of a file to write" hp-train --task=rst -t a -o m --output-relation=-
}

@test "word vectors help words that training has not seen" {
	cut -f2 "$dev" | grep -v '^#' | grep . | tr '[:upper:]' '[:lower:]' | sort -u |
		awk '{ printf "%s", $1; for (i = 0; i < 16; i++) printf " %.3f", sin(NR * (i + 1)); print "" }' >vectors
	small -q -e 1 -v vectors -o m.safetensors
	small -q -e 1 -v vectors --set vector_limit=1 -o few.safetensors
	small -q -e 1 -v <(cat vectors) -o pipe.safetensors
	cmp m.safetensors pipe.safetensors
	[ "$(stat -c %s m.safetensors)" -gt "$(stat -c %s few.safetensors)" ]
	word=$(tail -1 vectors | cut -d' ' -f1)
	grep -aq "^$word\$" m.safetensors
	says 1 "...vectors of 16 numbers where word_dim is 8; they need word_dim=16..." small -q -e 1 -v vectors --set word_dim=8 -o bad.safetensors
}

@test "--f16 halves the model" {
	small -q -e 1 -o m.safetensors
	small -q -e 1 --f16 -o half.safetensors
	[ "$(stat -c %s half.safetensors)" -lt $(($(stat -c %s m.safetensors) * 6 / 10)) ]
	hp-embed -m ./half.safetensors "$dev" | hp-encode | hp-decode | hp-label | hp-eval "$dev" - >/dev/null
}

@test "--f8 stores matrices in a byte a number" {
	small -q -e 1 --f16 -o half.safetensors
	small -q -e 1 --f8 -o bytes.safetensors
	words=$(hp-cat half.safetensors | sed -n 's/^ *embed.word F16 \[\([0-9]*\), 16\]/\1/p')
	hp-cat bytes.safetensors | grep -qx " *embed.word F8_E4M3 \[$words, 16\]"
	hp-cat bytes.safetensors | grep -q 'encoder.0.fwd.w_ih F8_E4M3'
	hp-cat bytes.safetensors | grep -q 'encoder.0.fwd.b F16'
	[ "$(stat -c %s bytes.safetensors)" -lt $(($(stat -c %s half.safetensors) * 6 / 10)) ]
	# The nearest of the numbers that there are: 3 bits behind the first one.
	paste -d' ' <(hp-cat -v -t embed.word half.safetensors | tr -s ' \t' '\n\n' | grep -x -e '-*[0-9.e-]*') \
		<(hp-cat -v -t embed.word bytes.safetensors | tr -s ' \t' '\n\n' | grep -x -e '-*[0-9.e-]*') |
		awk '{ d = $1 - $2; a = $1 < 0 ? -$1 : $1; d = d < 0 ? -d : d; n++ } d > a / 15.9 && d > 0.001 { print; bad = 1 } END { exit bad || n < 1000 }'
	hp-parse -m ./bytes.safetensors "$dev" | hp-eval "$dev" - >/dev/null
	# Training goes on from them, of either kind.
	small -q -e 1 --f8 --init bytes.safetensors -o more.safetensors
	small -q -e 1 --init bytes.safetensors -o more.safetensors
	says 2 "...store_bytes: not a hyper-parameter of the task tokenize..." hp-train --task=tokenize --f8 -t "$train" -o no.safetensors
}

@test "all variants and tag columns" {
	for variant in "T none" "P none" "P gate" "PS gate" "PST gate" "PST sgate"; do
		small -q -e 1 -f "${variant% *}" -g "${variant#* }" -o m.safetensors
	done
	small -q -e 1 --pos xpos -o m.safetensors
	small -q -e 1 --pos none -o m.safetensors
	says 1 "...gate sgate with fusion P: expected gate none or gate, or fusion PST" small -q -e 1 -f P -g sgate -o m.safetensors
}

@test "a broken treebank is refused with its line before training" {
	word() { printf '%s\t%s\t_\t_\t_\t_\t%s\t%s\t_\t_\n' "$@"; }
	{ word 1 a 0 root; echo; word 1 a 2 x; word 2 b 1 x; word 3 c 0 root; echo; } >cycle
	{ word 1 a 0 root; word 2 b 0 root; echo; } >roots
	{ word 1 a 2 x; word 2 b 1 x; echo; } >none
	{ word 1 a 0 root; word 2 b 3 x; echo; } >range
	{ word 1 a 0 root; word 2 b _ x; echo; } >missing
	{ word 1 a 0 root; word 3 b 1 x; echo; } >order
	printf '1\ta\t_\t0\n' >columns
	printf '1\ta\t_\t_\t_\t_\t0\tro\0ot\t_\t_\n\n' >nul
	: >empty
	for bad in nul cycle roots none range missing order columns empty; do
		train=$bad refused | grep "^hp-train: $bad:"
		dev=$bad refused | grep "^hp-train: $bad:"
	done
	train=cycle refused | grep '^hp-train: cycle:[34]: '
	train=range refused | grep '^hp-train: range:2: '
	train=absent refused | grep '^hp-train: absent: '
	train=nul refused | grep -x 'hp-train: nul:1: a NUL byte, expected text'
}

@test "non-projective trees, labels and tags only in dev" {
	word() { printf '%s\t%s\t_\t%s\t_\t_\t%s\t%s\t_\t_\n' "$@"; }
	{ word 1 a X 3 x; word 2 b X 4 y; word 3 c X 0 root; word 4 d X 3 x; echo; } >train
	{ word 1 a Z 0 root; word 2 b _ 1 new; echo; word 1 é Z 0 root; } >dev
	train=train dev=dev small -q -e 2 -o m.safetensors
}

@test "a relation of _ is not learnt and never comes out" {
	awk -F '\t' -v OFS='\t' '$1 ~ /^[0-9]+$/ && ++n % 3 == 0 { $8 = "_"; m++ } 1; END { print m >"open" }' "$train" >third
	words=$(grep -c '^[0-9]*	' third)
	train=third small -e 2 -o m.safetensors 2>err
	grep -x "hp-train: third: $(cat open) words without a relation (\"_\"), of which only the place in the tree is learnt" err
	[ "$(grep -c '^hp-train.*relation' err)" -eq 1 ]
	hp-cat -T -t vocab.label m.safetensors | sort >labels
	words_of() { grep '^[0-9]*	' "$1" | cut -f "$2" | sort -u; }
	words_of third 8 | grep -vx _ | LC_ALL=C sort | diff - <(LC_ALL=C sort labels)
	hp-parse -m ./m.safetensors third >parsed
	words_of parsed 8 >found
	run -1 grep -x _ found
	# Nowhere a relation: the parser has none to give.
	cut -f 1-7 third | sed '/^[0-9]/s/$/\t_/' >all
	train=all dev=all small -q -e 1 -o all.safetensors
	[ "$(hp-cat -T -t vocab.label all.safetensors)" = _ ]
	hp-parse -m ./all.safetensors all >parsed
	[ "$(words_of parsed 8)" = _ ]
	# But for the root.
	awk -F '\t' -v OFS='\t' '$7 == "0" { $8 = "root" } 1' all >root
	train=root dev=root small -q -e 1 -o root.safetensors
	[ "$(hp-cat -T -t vocab.label root.safetensors)" = root ]
	hp-parse -m ./root.safetensors root >parsed
	[ "$(awk -F '\t' 'NF > 7 { print ($7 == 0) $8 }' parsed | sort -u | xargs)" = "0_ 1root" ]
}

@test "a model with the relation _ from before" {
	make_model=${builddir:-$PWD}/tests/make-model
	"$make_model" old.safetensors
	"$make_model" -t vocab.label=nsubj,root,_,punct,obj open.safetensors
	cut -f 8 <(hp-parse -m ./old.safetensors "$dev") >old
	cut -f 8 <(hp-parse -m ./open.safetensors "$dev") >open
	grep -qx det old
	run -1 grep -x _ open
	# Where another one was best it still is.
	paste old open | grep -v '^det' | awk -F '\t' '$1 != $2 { bad = 1 } END { exit bad }'
}

@test "a treebank whose text is masked" {
	mask() { awk -F '\t' -v OFS='\t' '$1 ~ /^[0-9]+$/ { gsub(/./, "_", $2) } 1' "$1"; }
	mask "$train" >masked
	n=$(grep -c '^[0-9]*	' masked)
	train=masked small -q -e 1 -o m.safetensors 2>err
	[ "$(cat err)" = "hp-train: masked: $n of $n words are underscores only: the text seems to be masked" ]
	{ awk -v RS= -v ORS='\n\n' 'NR < 3' masked; cat "$dev"; } >part
	n=$(grep -c '^[0-9]*	' part)
	m=$(grep -cP '^\d+\t_+\t' part)
	dev=part small -q -e 1 -o m.safetensors 2>err
	[ "$(cat err)" = "hp-train: part: $m of $n words are underscores only: the text seems to be masked" ]
	# A gap to be filled in is none.
	awk -F '\t' -v OFS='\t' '$1 == 3 { $2 = "____" } 1' "$train" >gaps
	train=gaps small -q -e 1 -o m.safetensors 2>err
	[ ! -s err ]
}

@test "sentences over the limit" {
	says 1 "hp-train: $train:..." small -q -e 1 -o m.safetensors --max-words 5
}

@test "hyper-parameters: tables, single ones, bad ones" {
	hp-train --hyper "$srcdir/examples/dep.csv" --print-hyper >table
	grep -qx 'LSTM,encoder size,512,hidden' table
	grep -qx 'Learning,"(beta1, beta2)","(0.9, 0.9)",betas' table
	hp-train --hyper table --set hidden=7 --fusion ps --print-hyper >changed
	[ "$(diff table changed | grep -c '^>')" -eq 2 ]
	printf 'Layer,Hyper-parameter,Value,Key\nLSTM,encoder size,17\0junk,hidden\n' >bad
	says 1 "hp-train: bad:2: a NUL byte, expected text" hp-train --hyper bad --print-hyper
	printf 'Layer,Hyper-parameter,Value,Key\nLSTM,encoder size,512,hiden\n' >bad
	says 1 "hp-train: bad:2: no hyper-parameter is called 'hiden': did you mean 'hidden'?" hp-train --hyper bad --print-hyper
	for pair in hiden:hidden bacth:batch Learning-Rate:learning_rate emma:ema lerning_rat:learning_rate arc-mpl:arc_mlp; do
		says 2 "hp-train: --set: no hyper-parameter is called '${pair%:*}': did you mean '${pair#*:}'?" hp-train --set "${pair%:*}=1" --print-hyper
	done
	says 2 "hp-train: --set: no hyper-parameter is called 'drop_decodr': did you mean 'drop_decoder'?" hp-train --task=rst --set drop_decodr=0 --print-hyper
	for key in '' x lr momentum "$(printf '%063d' 0)"; do
		says 2 "hp-train: --set: no hyper-parameter is called '$key'; hp-train --print-hyper shows what they are called" hp-train --set "$key=1" --print-hyper
	done
	run -2 hp-train --set hidden=none
	run -2 hp-train --set hidden
	says 2 "hp-train: --set: char_window: '65' is not a whole number from 1 to 64..." hp-train --set char_window=65
	run -1 bash -c 'hp-train --print-hyper >/dev/full'
}

# A small parser whose other hyper-parameters follow from the data.
follows() {
	hp-train --train "$train" --dev "$dev" -s hidden=8 -s layers=1 -s decoder_input=8 -s label_mlp=8 -s word_dim=8 -s char_filters=8 \
		-s char_dim=8 "$@"
}

@test "hyper-parameters follow from the data, and are told" {
	follows -e 1 -o m.safetensors 2>err
	head -n 1 err | grep -x 'for 180 sentences, 2099 words: .* batch=4 warmup=1 eval_every=1 ema=0.9'
	[ "$(hp-cat -k train.batch m.safetensors)" = 4 ]
	# What would be used, and exactly that from a table; what is set stays.
	follows -e 1 --print-hyper >table
	grep -qx 'Learning,warm-up batches,1,warmup' table
	hp-train -y table -t "$train" -d "$dev" -e 1 -o same.safetensors 2>err
	run ! grep '^for' err
	cmp m.safetensors same.safetensors
	hp-train -y table -e 100 --print-hyper -t "$train" | cmp - table
	follows -e 1 --print-hyper -s batch=7 | grep -qx 'Learning,minibatch size,7,batch'
	says 1 'hp-train: absent: ...' hp-train --print-hyper -t absent
}

@test "--resume keeps the hyper-parameters that followed from a shorter training" {
	follows -q -e 1 -o m.safetensors -c ck
	follows -e 3 -o m.safetensors -c ck -r -l log.csv 2>err
	run ! grep '^for' err
	[ "$(hp-cat -k train.warmup m.safetensors)" = 1 ]
	says 1 "hp-train: ck: the checkpoint was made with batch=4, not 9" follows -q -e 3 -o m.safetensors -c ck -r -s batch=9
}

@test "--plan beside --time repeats a training whose hyper-parameters followed from the time" {
	follows -q --time 0.01 -o m.safetensors -l log.csv
	plan=$(cut -d, -f15- log.csv | tail -n +2 | tr -d '"' | grep . | paste -sd,)
	follows -q --time 0.01 --plan "$plan" -o again.safetensors
	cmp m.safetensors again.safetensors
	says 2 'hp-train: only one of --epochs and --time can be given...' follows -e 1 --time 1 -o m
}

@test "with standard error closed, messages do not end up in a file" {
	small -e 2 -o m.safetensors -l log.csv -c ck 2>&-
	[ "$(wc -l <log.csv)" -eq 3 ]
	run ! grep -q 'best so far' log.csv
	hp-cat -q m.safetensors ck
	small -q -e 2 -o same.safetensors
	cmp m.safetensors same.safetensors
}

@test "no file takes the place of another" {
	cp "$train" treebank
	cp "$dev" devbank
	echo 'a 1 2' >vectors
	ln -s treebank link
	for pair in "--train --output:treebank" "--dev --output:devbank" "--vectors --output:vectors" "--train --log:treebank" \
		"--train --checkpoint:link" "--output --checkpoint:new" "--output --log:new"; do
		options=${pair%%:*} file=${pair#*:}
		o=m c=ck l=log
		case ${options#* } in --output) o=$file ;; --checkpoint) c=$file ;; --log) l=$file ;; esac
		case ${options% *} in --output) o=$file ;; esac
		train=treebank dev=devbank says 1 "hp-train: ${options% *} and ${options#* } are the same file: $file" small -q -e 1 -v vectors -o "$o" -c "$c" -l "$l"
	done
	# None of the tables, by whatever name.
	hp-train --print-hyper >table.csv
	ln table.csv other.csv
	cp table.csv second.csv
	for pair in "--output -o table.csv" "--output -o other.csv" "--checkpoint -c table.csv" "--log -l table.csv" "--log -l second.csv"; do
		file=${pair##* }
		# shellcheck disable=SC2086
		says 1 "hp-train: --hyper and ${pair%% *} are the same file: $file" hp-train -q -y table.csv -y second.csv -t treebank -d devbank -e 1 -o m ${pair#* }
	done
	cmp table.csv <(hp-train --print-hyper)
	cmp table.csv second.csv
	cmp treebank "$train"
	cmp devbank "$dev"
	[ "$(cat vectors)" = 'a 1 2' ]
	# Devices are no files.
	small -q -e 1 -o m -l /dev/null -c /dev/null
}

@test "an output that holds something else is left alone" {
	cp "$dev" text
	small -q -e 1 -o model -c point
	cp model kept
	cp point kept-point
	hp-embed -m ./model "$dev" >stream
	for pair in "--output model text" "--output model point" "--output model stream" "--checkpoint checkpoint text" \
		"--checkpoint checkpoint model" "--log log text" "--log log model"; do
		read -r option kind file <<<"$pair"
		[ "$kind" = log ] && kind="log of hp-train"
		case $option in --output) names=(-o "$file") ;; *) names=(-o m "$option" "$file") ;; esac
		cp "$file" before
		says 1 "hp-train: $option: $file is there already and is no $kind: expected another name" small "${names[@]}" -e 1
		cmp before "$file"
	done
	# Where a log cannot be continued, it begins anew.
	printf 'epoch,batches,loss,of_another_version\n1,1,1,1\n' >log.csv
	small -q -e 1 -o m -l log.csv
	[ "$(wc -l <log.csv)" -eq 2 ] && head -n 1 log.csv | grep -q ',plan$'
	: >empty
	small -q -o empty -e 1
	small -q -o empty -e 1
}

@test "a folder is no output: said before training" {
	mkdir folder
	for where in "-o folder" "-o folder/" "-o m -c folder"; do
		# shellcheck disable=SC2086
		says 1 "hp-train: folder...: Is a directory" timeout 5 bash -c "hp-train -t '$train' -d '$dev' -e 1000 $where"
	done
}

@test "plans without an end, ids that no model can have" {
	for plan in '' 0:0 0:5,3:0; do
		says 1 "hp-train: plan '$plan' has no end" timeout 20 hp-train -t "$dev" -d "$dev" --hyper "$srcdir/examples/train/small.csv" -o m --plan "$plan"
	done
	for id in '' $'a\xff'; do
		says 2 "hp-train: --id: expected some characters of UTF-8" small -o m --id "$id"
	done
}

@test "an empty tag is an unknown one" {
	printf '1\ta\t_\t\t\t_\t0\troot\t_\t_\n\n' >tags
	for column in upos xpos; do
		train=tags dev=tags small -q -e 1 --pos $column -o m.safetensors
		[ "$(hp-cat -T -t vocab.tag m.safetensors)" = "$(printf '<root>\n<unk>')" ]
	done
}

@test "--resume wants the model that it left" {
	small -q -e 2 -o m.safetensors -c ck
	cp m.safetensors kept
	"${builddir:-.}/tests/make-model" m.safetensors
	says 1 "hp-train: ck: the best model so far should be in m.safetensors, but that is another model" small -q -e 3 -o m.safetensors -c ck --resume
	cp kept m.safetensors
	small -q -e 3 -o m.safetensors -c ck --resume
}

@test "vectors: a header and nothing else" {
	echo '2 16' >vectors
	says 1 "hp-train: vectors:1: a header without word vectors" small -q -e 1 -v vectors -o m.safetensors
	some_vectors | head -n 5 >five
	{ echo 7 16; cat five; } >vectors
	says 0 "hp-train: vectors: 2 vectors fewer than its first line says: is it cut off?..." small -e 1 -v vectors -o m.safetensors
	{ echo 5 16; cat five; } >vectors
	small -e 1 -v vectors -o m.safetensors 2>&1 | run ! grep fewer
	{ cat five; echo 'cut 0.1 0.2'; } >vectors
	says 1 "hp-train: vectors:6: 2 numbers, expected a word and 16" small -q -e 1 -v vectors -o m.safetensors
}

@test "wrong usage" {
	run -2 hp-train
	says 2 "hp-train: --train is needed..." hp-train --dev b -o c
	says 2 "hp-train: --output is needed..." hp-train --train a --dev b
	says 2 "hp-train: --dev is needed..." hp-train --train a -o b
	run -2 small -o m --epochs 0
	run -2 small -o m --epochs 1x
	run -2 small -o m --epochs 1 --time 1
	run -2 small -o m --resume
	run -2 small -o m --gate none extra
	run -2 small -o m --nonsense
	says 1 ".../nonexistent..." small -o /nonexistent/m
	run -1 small -q -o m --plan 1-2
	run -1 small -q -o m --plan 0:5,
	[ "$output" = "hp-train: plan '0:5,' is not BATCH:TOTAL,BATCH:TOTAL..." ]
	says 1 ".../dev/full: ..." small -e 1 -q -o m --log /dev/full
}

# Vectors of 16 numbers for the words of the training data and a few others.
some_vectors() {
	cut -f 2 "$train" | grep -v '^$' | grep -v '^#' | tr '[:upper:]' '[:lower:]' | sort -u |
		awk '{ printf "%s", $0; for (i = 0; i < 16; i++) printf " %.2f", ((NR * 31 + i * 17) % 41 - 20) / 20; print "" }'
}

@test "--init takes up a model where it was left: nothing learned, nothing lost" {
	some_vectors >vectors
	for with in "" "--vectors vectors"; do
		small -q -e 4 -o first.safetensors $with
		small -q -e 1 -o second.safetensors -i ./first.safetensors $with --set learning_rate=0 --set ema=0
		for m in first second; do
			hp-embed -m "./$m.safetensors" "$dev" | hp-encode | hp-decode | hp-label >$m.conllu
		done
		cmp first.conllu second.conllu
		small -q -e 1 -o third.safetensors $with --set learning_rate=0 --set ema=0
		hp-embed -m ./third.safetensors "$dev" | hp-encode | hp-decode | hp-label >third.conllu
		run ! cmp -s first.conllu third.conllu
	done
}

@test "auxiliary tasks: another training, and what finds heads is asked in parsing" {
	small -q -e 3 -o plain.safetensors --set auxiliary_arcs=0 --set auxiliary_tags=0
	small -q -e 3 -j 1 -o 1.safetensors
	small -q -e 3 -j 2 -o 2.safetensors
	small -q -e 3 -o arcs.safetensors --set auxiliary_tags=0
	cmp 1.safetensors 2.safetensors
	run ! cmp -s 1.safetensors arcs.safetensors
	for m in plain 1; do
		hp-cat "./$m.safetensors" | grep ' F32 ' | grep -v 'heads\.' >$m.tensors
	done
	cmp plain.tensors 1.tensors
	run ! cmp -s plain.safetensors arcs.safetensors
	[ "$(hp-cat -k heads ./1.safetensors)" = 1 ]
	says 1 "hp-cat: no metadata 'heads'" hp-cat -k heads ./plain.safetensors
	# A model without it can be gone on from, and learns it; one with it keeps it.
	small -q -e 1 -o more.safetensors -i ./plain.safetensors
	[ "$(hp-cat -k heads ./more.safetensors)" = 1 ]
	# The same network, of which that is left out.
	small -q -e 1 -o both.safetensors
	small -q -e 1 -o alone.safetensors --set decoder_alone=1
	run ! hp-cat -k heads ./alone.safetensors
	hp-cat -s ./alone.safetensors | grep ' F32 ' | cmp - <(hp-cat -s ./both.safetensors | grep ' F32 ' | grep -v 'heads\.')
	small -q -e 1 -o less.safetensors -i ./1.safetensors --set auxiliary_arcs=0
	run ! hp-cat -k heads ./less.safetensors
	small -q -e 1 -o next.safetensors -i ./1.safetensors
	small -q -e 1 -o other.safetensors --set auxiliary_tags=1 --pos none
	says 2 '...auxiliary_arcs...' small -q -e 1 -o next.safetensors --set auxiliary_arcs=-1
}

@test "--init with other words, tags and relations" {
	small -q -e 3 -o first.safetensors
	before= hp-train -q --train "$dev" --dev "$train" --hyper "$srcdir/examples/train/small.csv" --set hidden=16 \
		--set decoder_hidden=16 --set layers=1 --set decoder_input=16 --set arc_mlp=16 --set label_mlp=8 --set word_dim=16 \
		--set char_filters=8 -e 1 -o second.safetensors --init first.safetensors
	hp-embed -m ./second.safetensors "$dev" | hp-encode | hp-decode | hp-label | hp-eval "$dev" - >/dev/null
}

@test "--init on other text: sizes, words and relations of the model are kept" {
	some_vectors >vectors
	printf '1\tnovel\t_\tNEW\t_\t_\t0\troot\t_\t_\n2\t\303\251\303\251\t_\tNEW\t_\t_\t1\tdet\t_\t_\n\n' >other
	small -q -e 4 -o first.safetensors --vectors vectors --gate gate
	for with in "" "--vectors vectors"; do
		# shellcheck disable=SC2086
		hp-train -q --train other --dev other -e 1 -o second.safetensors --init first.safetensors $with \
			--set learning_rate=0 --set ema=0
		for m in first second; do
			hp-embed -m "./$m.safetensors" "$dev" | hp-encode | hp-decode | hp-label >$m.conllu
			hp-cat "./$m.safetensors" | grep -E '^  (words|chars|tags|labels|gate|hidden) = ' >$m.sizes
		done
		cmp first.conllu second.conllu
		paste first.sizes second.sizes | awk '{ print $1, $6 - $3 }' >more
		[ "$(cat more)" = "words 2
chars 1
tags 1
hidden 0
labels 0
gate 0" ]
	done
}

@test "--init finds models by name" {
	mkdir models
	small -q -e 1 -o models/first.safetensors
	export HP_MODEL_PATH=$PWD/models
	small -q -e 1 -o second.safetensors --init first
	small -q -e 1 -o third.safetensors --init models/first.safetensors
	cmp second.safetensors third.safetensors
	says 1 "hp-train: --init and --output are the same file: models/first.safetensors" small -q -e 1 -o models/first.safetensors --init first
	says 1 "hp-train: no model 'absent' (absent.safetensors, absent-dep.safetensors) in HP_MODEL_PATH=$PWD/models nor in ..." small -q -e 1 -o second.safetensors --init absent
}

@test "--init refuses what does not fit" {
	small -q -e 1 -o first.safetensors
	says 1 "hp-train: first.safetensors: the model differs in hidden (20 here): expected --set hidden=16" small -q -e 1 -o second.safetensors --init first.safetensors --set hidden=20
	says 1 "hp-train: first.safetensors: the model differs in fusion (P here), gate (none here), pos (none here): expected --set fusion=PST --set gate=sgate --set pos=upos" small -q -e 1 -o second.safetensors --init first.safetensors --fusion P --gate none --pos none --set pos_dim=7 --set lower=no
	says 1 "hp-train: first.safetensors: the model differs in char_dim (31 here), layers (2 here), hidden (20 here), arc_mlp (17 here): expected neither --hyper nor --set for these, they are then the model's" small -q -e 1 -o second.safetensors --init first.safetensors --set hidden=20 --set layers=2 --set arc_mlp=17 --set char_dim=31
	LC_ALL=C sed '$s/.$/!/' first.safetensors >bad.safetensors
	says 1 "hp-train: bad.safetensors: damaged: its contents come to the checksum ..." small -q -e 1 -o second.safetensors --init bad.safetensors
	small -q -e 1 -o none.safetensors --pos none
	says 1 "hp-train: none.safetensors: the model differs in pos (upos here): expected --set pos=none" small -q -e 1 -o second.safetensors --init none.safetensors --pos upos
	small -q -e 1 -o second.safetensors --init none.safetensors
	small -q -e 1 -o second.safetensors --init first.safetensors --set lower=no
	says 1 "hp-train: first.safetensors: the model differs in pos (xpos here): expected --set pos=upos" small -q -e 1 -o second.safetensors --init first.safetensors --pos xpos
	"$builddir/tests/make-model" -r rst.safetensors
	says 1 "hp-train: rst.safetensors: a model whose task is rst, expected dep" small -q -e 1 -o second.safetensors --init rst.safetensors
	says 1 "hp-train: --init and --output are the same file: first.safetensors" small -q -e 1 -o first.safetensors --init first.safetensors
	LC_ALL=C sed 's/"checksum"/"checksun"/; s/"hidden":\( *\)"16"/"hidden":\1"1x"/' first.safetensors >bad.safetensors
	says 1 "hp-train: bad.safetensors: hidden: '1x' is not a whole number from 1 to 10000" hp-train -q -t "$train" -d "$dev" -e 1 -o second.safetensors --init bad.safetensors
	# The first number of the first tensor.
	LC_ALL=C sed 's/"checksum"/"checksun"/' first.safetensors >bad.safetensors
	printf '\xff\xff\xff\xff' | dd of=bad.safetensors bs=1 seek=$((8 + $(od -An -tu8 -N8 bad.safetensors))) conv=notrunc status=none
	says 1 'hp-train: bad.safetensors: tensor `...` holds a value that is not finite or beyond 1e+09' small -q -e 1 -o second.safetensors --init bad.safetensors
	echo '{}' >no.safetensors
	says 1 "hp-train: no.safetensors: ..." small -q -e 1 -o second.safetensors --init no.safetensors
	says 1 "hp-train: ./absent.safetensors: No such file or directory" small -q -e 1 -o second.safetensors --init ./absent.safetensors
	# A checkpoint of a training with --init is not one without.
	small -q -e 1 -o a.safetensors -c ck --init first.safetensors
	says 1 "hp-train: ck: the checkpoint was made with another treebank, stream, tags, vectors or --init" small -q -e 2 -o a.safetensors -c ck --resume
}

@test "what a killed training left beside its files goes, other files stay" {
	dead=$("$BASH" -c 'echo $$')
	touch ".m.safetensors.$dead-0.tmp" ".ck.$dead-3.tmp" ".m.safetensors.$$-0.tmp" ".other.$dead-0.tmp" "$dead-0.tmp"
	small -q -e 1 -o m.safetensors -c ck
	[ ! -e ".m.safetensors.$dead-0.tmp" ] && [ ! -e ".ck.$dead-3.tmp" ]
	[ -e ".m.safetensors.$$-0.tmp" ] && [ -e ".other.$dead-0.tmp" ] && [ -e "$dead-0.tmp" ]
}

@test "a file that may not become so large: said, nothing left, the old one stays" {
	small -q -e 1 -o m.safetensors
	cp m.safetensors kept.safetensors
	says 1 "hp-train: m.safetensors: File too large" bash -c "ulimit -f 64; $(declare -f small); srcdir=$srcdir train=$train dev=$dev; small -q -e 2 -o m.safetensors"
	cmp m.safetensors kept.safetensors
	run ! compgen -G ".m.safetensors.*"
	says 1 "hp-cat: standard output: File too large" bash -c "ulimit -f 4; hp-cat -v m.safetensors >listing"
	says 1 "hp-embed: <stdout>: File too large" bash -c "ulimit -f 4; hp-embed -m ./kept.safetensors $dev >stream"
}

@test "no memory for the stack: a message" {
	local kilobytes starved=0
	grep -q __asan_ "$(command -v hp-train)" && skip "the address sanitizer takes the address space"
	for ((kilobytes = 9000; kilobytes < 30000; kilobytes += 300)); do
		run bash -c "ulimit -v $kilobytes; $(declare -f small); srcdir=$srcdir train=$train dev=$dev; small -q -e 1 -j 1 -o m.safetensors"
		[ "$status" -eq 0 ] || [ "$status" -eq 1 ] || [[ $output == *"shared librar"* ]]
		starved=$((starved + status))
	done
	[ "$starved" -gt 0 ]
	(ulimit -Ss 300; small -q -e 1 -o m.safetensors)
	says 1 "hp-train: too small a stack (ulimit -s): expected 2048 KB" bash -c "ulimit -s 300; hp-train"
}

@test "a second signal ends it at once, be it another one" {
	for second in TERM INT HUP; do
		# One batch of many seconds.
		started -q -e 1 -o m.safetensors -l log.csv --set batch=100000 --set batch_words=1000000 --set hidden=600 --set layers=3
		pid=$!
		rows log.csv 0
		sleep 0.3
		begun=$(date +%s%N)
		kill -TERM $pid
		sleep 0.2
		kill -0 $pid
		kill -$second $pid
		status=0
		wait $pid || status=$?
		[ "$status" -eq $((128 + $(kill -l $second))) ]
		[ $(($(date +%s%N) - begun)) -lt 3000000000 ]
		rm log.csv
	done
}

@test "SIGHUP is as good as SIGTERM, and nothing under nohup" {
	started -q -e 400 -o m.safetensors -l log.csv -c ck
	rows log.csv 1
	kill -HUP $!
	status=0
	wait $! || status=$?
	[ "$status" -eq 129 ]
	[ -s ck ]
	before="exec nohup" small -q -e 400 -o other.safetensors -l other.csv &
	rows other.csv 1
	kill -HUP $!
	rows other.csv 3
	kill -TERM $!
	status=0
	wait $! || status=$?
	[ "$status" -eq 143 ]
}

@test "a reader of standard error that has gone does not end a training" {
	{ small -e 5 -o m.safetensors -l log.csv 2>&1; echo $? >status; } | sed 1q
	[ "$(cat status)" -eq 0 ]
	[ "$(wc -l <log.csv)" -eq 6 ]
}

@test "several treebanks are one, in their order" {
	awk -v RS= -v ORS='\n\n' 'NR <= 70' "$train" >a
	awk -v RS= -v ORS='\n\n' 'NR > 70' "$train" >b
	awk -v RS= -v ORS='\n\n' 'NR <= 9' "$dev" >c
	awk -v RS= -v ORS='\n\n' 'NR > 9' "$dev" >d
	small -q -e 2 -o whole.safetensors
	net=(--hyper "$srcdir/examples/train/small.csv" --set hidden=16 --set decoder_hidden=16 --set layers=1 --set decoder_input=16
		--set arc_mlp=16 --set label_mlp=8 --set word_dim=16 --set char_filters=8 --set eval_every=1)
	hp-train "${net[@]}" -q -e 2 -t a -t b -d c -d d -o parts.safetensors -c ck
	cmp whole.safetensors parts.safetensors
	hp-train "${net[@]}" -q -e 2 -t b --train a -d c -d d -o other.safetensors
	run ! cmp -s whole.safetensors other.safetensors
	# A checkpoint is of all of them.
	for data in "-t a -d c -d d" "-t b -t a -d c -d d" "-t a -t b -d c"; do
		# shellcheck disable=SC2086
		says 1 "hp-train: ck: the checkpoint was made with another treebank, stream, tags, vectors or --init" hp-train "${net[@]}" -q -e 3 $data -o parts.safetensors -c ck --resume
	done
	hp-train "${net[@]}" -q -e 3 -t a -t b -d c -d d -o parts.safetensors -c ck --resume
	printf '1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n\n' >bad
	says 1 "hp-train: bad:1: ..." hp-train "${net[@]}" -q -t a -t bad -d c -o m
	: >empty
	says 1 "hp-train: empty: no sentences" hp-train "${net[@]}" -q -t a -t empty -d c -o m
	says 1 "hp-train: --train and --output are the same file: b" hp-train "${net[@]}" -q -t a -t b -d c -d d -o b
	says 2 "hp-train: --vectors: one file at most" hp-train -t a -d c -o m -v a -v b
	says 2 "hp-train: --init: one file at most" hp-train -t a -d c -o m --init a --init b
}

@test "sentences of dev or test that are in the training data" {
	awk -v RS= -v ORS='\n\n' 'NR <= 20' "$train" >some
	awk -v RS= -v ORS='\n\n' 'NR <= 21' "$dev" >mixed # one more than half are others
	cat some >>mixed
	says 0 '' small -q -e 1 -o m
	dev=$train says 0 "hp-train: --dev: 180 of 180 sentences are in the training data too: its scores promise too much" small -q -e 1 -o m
	run -0 small -q -e 1 -o m --test some
	[ "${lines[0]}" = "hp-train: --test: 20 of 20 sentences are in the training data too: its scores promise too much" ]
	says 0 "m: test UAS ..." small -q -e 1 -o m --test mixed
	awk -v RS= -v ORS='\n\n' 'NR > 1' mixed >half
	dev=half says 0 "hp-train: --dev: 20 of 40 sentences are in the training data too: its scores promise too much" small -q -e 1 -o m
}

@test "--test: the scores of the model that was written, and nothing else changes" {
	awk -v RS= -v ORS='\n\n' 'NR % 2' "$dev" >test1
	awk -v RS= -v ORS='\n\n' 'NR % 2 == 0' "$dev" >test2
	awk -v RS= -v ORS='\n\n' 'NR <= 12' "$train" >other
	some_vectors >vectors
	for with in "" "--f16 -v vectors --pos xpos" "--pos none"; do
		# shellcheck disable=SC2086
		dev=other small -q -e 2 -o plain.safetensors -l plain.csv $with 2>err
		# shellcheck disable=SC2086
		dev=other small -q -e 2 -o m.safetensors -l log.csv --test test1 --test test2 $with >out 2>err
		cmp plain.safetensors m.safetensors
		hp-parse -m ./m.safetensors <(cat test1 test2) >parsed
		scores=$(hp-eval --csv <(cat test1 test2) parsed |
			awk -F, '$8 == "UAS" || $8 == "LAS" { printf " %s %.2f", $8, $10 }')
		[ "$(cat out)" = "m.safetensors: test$scores" ]
		[ "$(wc -l <log.csv)" -eq 4 ]
		awk -F, -v scores="$scores" 'NR == 1 { n = NF } END { if (NF != n || $1 != "test" ||
			sprintf(" UAS %.2f LAS %.2f", $6, $7) != scores || $2 < 1 || $3 $4 $5 $8 $9 $10 $11 $12 $13 $14 != "") exit 1 }' log.csv
		diff <(cut -d, -f1-9,14 plain.csv) <(sed '$d' log.csv | cut -d, -f1-9,14)
	done
}

@test "--test with --resume, signals, and files that cannot be read again" {
	small -q -e 1 -o m.safetensors -l log.csv -c ck --test "$dev"
	grep -c '^test,' log.csv
	small -q -e 2 -o m.safetensors -l log.csv -c ck --resume --test "$dev" >out
	[ "$(cut -d, -f1 log.csv | paste -sd ' ')" = "epoch 1 2 test" ]
	[[ $(cat out) == "m.safetensors: test UAS "* ]]
	small -q -e 3 -o m.safetensors -c ck --resume >out
	[ ! -s out ]
	says 1 "hp-train: --output: /dev/null is no file to be read again, as --test needs it" small -q -e 1 -o /dev/null --test "$dev"
	says 1 "hp-train: absent: No such file or directory" small -q -e 1 -o m --test absent
	says 1 "hp-train: standard output: No space left on device" bash -c "$(declare -f small); srcdir=$srcdir train=$train dev=$dev; small -q -e 1 -o m --test $dev >/dev/full"
	says 2 "hp-train: --train-tags and --dev-tags are for --task=rst" small -o m --test-tags a
	cp "$dev" test.conllu
	says 1 "hp-train: --test and --log are the same file: test.conllu" small -q -e 1 -o m --log test.conllu --test test.conllu
}

@test "a plan that is short for its warm-up is told of, unless it fits" {
	# 180 sentences, 23 batches of 8.
	told() { small -e 1 -o m "$@" 2>&1 | grep -v '^epoch\|^best\|^to repeat'; }
	[ "$(told)" = "hp-train: 23 batches are few for a warm-up of 20: --set warmup=1 is better" ]
	[ "$(told --set batch=16 --set warmup=20)" = "hp-train: 12 batches are few for a warm-up of 20: --set warmup=1 is better, and more batches are: --set batch=8" ]
	[ "$(told -e 4 --set warmup=10)" = "hp-train: 92 batches are few for a warm-up of 10: --set warmup=3 is better" ]
	told_time() { small -T 0.02 --set warmup=100000 -o m 2>&1 | grep few; }
	[[ $(told_time) == "hp-train: "*" batches are few for a warm-up of 100000: --set warmup="*" is better" ]]
	for fits in "--set warmup=2" "--set warmup=0" "-e 10" -q; do
		# shellcheck disable=SC2086
		[ -z "$(told $fits)" ]
	done
	small -q -e 1 -o m -c ck
	[ -z "$(told -e 2 -c ck --resume | grep -v best)" ]
}

@test "as many threads as processors that it may use" {
	first=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
	before="exec taskset -c $first" small -e 500 -q -o m.safetensors -l log.csv &
	training=$!
	rows log.csv 1
	threads=$(sed -n 's/^Threads:\t//p' /proc/$training/status)
	kill $training
	[ "$threads" -eq 1 ]
}
