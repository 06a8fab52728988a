# shellcheck shell=bash
# pipes: producers that die, readers that go away, an hp-parse that is killed: nothing hangs, nothing is left running.
# shellcheck source=tests/campaign/lib.bash
. "${srcdir:?}/tests/campaign/lib.bash"
models
streams
for ((i = 0; i < 200; i++)); do cat text.conllu; done >long.conllu

# Processes of session $1 that still run after a while.
left_over() {
	local i left
	for ((i = 0; i < 50; i++)); do
		left=$(ps -o pid=,stat=,comm= -s "$1" 2>/dev/null | awk '$2 !~ /^Z/')
		[ -n "$left" ] || return 1
		sleep 0.1
	done
	echo "$left" >said
	# shellcheck disable=SC2046 # a list of numbers
	kill -KILL $(awk '{ print $1 }' said) 2>/dev/null
}

# The feeder goes on until its reader is gone; SIGNAL is for hp-parse alone.
killed_parse() {
	local pid signal
	one_of TERM INT HUP KILL
	signal=$REPLY
	rm -f pid
	below 400
	local at=$REPLY
	setsid bash -c '(while cat long.conllu 2>/dev/null; do :; done) | { echo $BASHPID >pid; exec env --default-signal=INT,HUP,TERM "$0"/bin/hp-parse -m "$1"; } >/dev/null' \
		"$plain" "$PWD/models/tiny.safetensors" 2>said &
	pid=$!
	for ((i = 0; i < 50; i++)); do
		[ ! -s pid ] || break
		sleep 0.1
	done
	sleep "$(printf '0.%03d' "$at")"
	kill -"$signal" "$(cat pid)" 2>/dev/null
	runs=$((runs + 1))
	# After KILL nobody can end the stages but the end of their input.
	[ "$signal" != KILL ] || pkill -s "$pid" -x cat 2>/dev/null
	if [ "$signal" = KILL ]; then
		pkill -KILL -s "$pid" -x bash 2>/dev/null
	fi
	left_over "$pid" && finding "hp-parse after SIG$signal at $at ms: left running: $(awk '{ print $3 }' said | tr '\n' ' ')"
	wait "$pid" 2>/dev/null
}

# A producer that dies within a record, or between two.
dead_producer() {
	local size
	one_of embed encode decode
	from=$REPLY
	one_of dep rst
	task=$REPLY
	size=$(stat -c %s "$task.$from")
	below "$size"
	size=$REPLY
	one_of encode decode label
	case $from in embed) to=encode ;; encode) to=decode ;; decode) to=label ;; esac
	{ head -c "$size" "$task.$from"; sleep 0.0$((RANDOM % 5)); } | at_most 20 "$plain/bin/hp-$to" >out 2>said
	status=${PIPESTATUS[1]}
	survives "hp-$to after $size bytes of $task.$from" "$task.$from" || return
	[ "$status" -eq 1 ] || finding "hp-$to does not notice the end after $size bytes of $task.$from" "$task.$from"
}

# A reader that goes away: every stage ends, quietly.
gone_reader() {
	local bytes statuses
	below 3000
	bytes=$REPLY
	at_most 20 bash -c '"$0"/bin/hp-parse -m models/tiny.safetensors long.conllu | head -c "$1" >out; echo ${PIPESTATUS[0]} >statuses' \
		"$plain" "$bytes" 2>said
	status=$?
	survives "hp-parse | head -c $bytes" || return
	statuses=$(cat statuses)
	case $statuses in
	0 | 1 | 141) ;;
	*) finding "hp-parse | head -c $bytes: status $statuses" ;;
	esac
	[ ! -s said ] || finding "hp-parse | head -c $bytes is not quiet"
}

# Writers and readers that pause get what a file gives.
slow_pipe() {
	local at
	[ -e text.parsed ] || "$plain/bin/hp-parse" -m models/tiny.safetensors text.conllu >text.parsed
	below "$(stat -c %s text.conllu)"
	at=$REPLY
	{ head -c "$at" text.conllu; sleep 0.05; tail -c +$((at + 1)) text.conllu; } | at_most 20 "$plain/bin/hp-parse" -m models/tiny.safetensors >out 2>said
	status=${PIPESTATUS[1]}
	survives "hp-parse of a text with a pause after $at bytes" || return
	cmp -s out text.parsed || finding "hp-parse of a text with a pause after $at bytes: another output" out text.parsed
}

while goes_on; do
	killed_parse
	dead_producer
	gone_reader
	slow_pipe
	dead_producer
done
done_with
