# shellcheck shell=bash
# kill: hp-train stopped by signals at any moment and taken up again ends with the model and the log of a training that
# nobody disturbed, and with no other files.
# shellcheck source=tests/campaign/lib.bash
. "${srcdir:?}/tests/campaign/lib.bash"
bank 60 >bank.conllu
trees >two.dis
for ((i = 0; i < 10; i++)); do cat two.dis; done >bank.dis
units bank.conllu 3 >bank.units

# train FOLDER TASK: begins, or goes on.
train() {
	local sizes=(-s hidden=8 -s word_dim=8 -s char_dim=4 -s char_filters=4 -s batch=4)
	case $2 in
	dep) sizes+=(-s label_mlp=4 -t ../bank.conllu -d ../bank.conllu -s layers=1 -s decoder_hidden=8 -s decoder_input=8 -s arc_mlp=4 -s pos_dim=4) ;;
	rst) sizes+=(-s label_mlp=4 --task=rst -t ../bank.dis --output-relation=relation.safetensors -s layers=2) ;;
	segment) sizes+=(--task=segment -t ../bank.units -d ../bank.units -s trees=yes -s layers=1 -s pos_dim=4) ;;
	esac
	cd "$1" || exit 2
	exec "$plain/bin/hp-train" -q -r -o model.safetensors -c checkpoint --checkpoint-every="$every" -l log.csv -j 2 -e "$epochs" "${sizes[@]}"
}

# The log without what differs from run to run.
plain_log() {
	awk -F , -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) other[i] = $i ~ /second|memory/ } { for (i = 1; i <= NF; i++) if (other[i]) $i = ""; print }' "$1"
}

# No file is broken, whenever one looks.
whole() {
	local file
	for file in "$1"/*.safetensors "$1/checkpoint"; do
		[ ! -e "$file" ] || "$plain/bin/hp-cat" --check "$file" >said 2>&1 || { finding "$2: $file is broken" "$1"; return 1; }
	done
}

disturbed() {
	local kills=0 signals=() at signal pid
	rm -rf part
	mkdir part
	while goes_on; do
		(train "$PWD/part" "$task") 2>said &
		pid=$!
		below $((2 * span / 3 + 1))
		at=$REPLY
		one_of KILL KILL TERM INT
		signal=$REPLY
		sleep "$(printf '%d.%03d' $((at / 1000)) $((at % 1000)))"
		kill -"$signal" "$pid" 2>/dev/null
		wait "$pid"
		status=$?
		signals+=("$at:$signal")
		case $status in
		0) break ;;
		137) ;; # KILL
		143 | 130) ;; # TERM, INT
		*) finding "${signals[*]}: status $status" part; return ;;
		esac
		runs=$((runs + 1)) kills=$((kills + 1))
		whole part "${signals[*]}" || return
		[ $kills -lt 40 ] || break
	done
	(train "$PWD/part" "$task") 2>said || { finding "${signals[*]}: cannot go on" part; return; }
	for file in model.safetensors $([ "$task" != rst ] || echo relation.safetensors); do
		cmp -s "whole.$task/$file" "part/$file" || { finding "${signals[*]}: $file differs" part "whole.$task"; return; }
	done
	diff <(plain_log "whole.$task/log.csv") <(plain_log part/log.csv) >said || { finding "${signals[*]}: the log differs" part "whole.$task"; return; }
	# shellcheck disable=SC2012 # names without newlines
	[ "$(ls -A "whole.$task")" = "$(ls -A part)" ] || finding "${signals[*]}: files are left: $(ls -A part | tr '\n' ' ')" part
}

epochs=12
for task in dep rst segment; do
	every=0
	mkdir "whole.$task"
	start=${EPOCHREALTIME/[.,]/}
	(train "$PWD/whole.$task" "$task") || exit 1
	declare "span_$task=$(((${EPOCHREALTIME/[.,]/} - start) / 1000))"
done
while goes_on; do
	one_of dep dep rst segment
	task=$REPLY
	span=span_$task
	span=${!span}
	one_of 0 0 0.001 5
	every=$REPLY
	disturbed
done
done_with
