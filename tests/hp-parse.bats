#!/usr/bin/env bats
# hp-parse: the pipe of four in one command.
bats_require_minimum_version 1.5.0
load filters

setup_file() {
	make_models
}

setup() {
	enter
	make_good
	cat good.conllu good.conllu >two.conllu
}

@test "the same as the pipe" {
	pipe two.conllu >out
	hp-parse two.conllu | cmp - out
	hp-parse <two.conllu | cmp - out
	hp-parse - <two.conllu | cmp - out
	hp-parse good.conllu good.conllu | cmp - out
	hp-parse -- two.conllu | cmp - out
	cp two.conllu -- -odd
	hp-parse -- -odd | cmp - out
	cp two.conllu 'a name with  blanks'
	hp-parse 'a name with  blanks' | cmp - out
}

@test "each option reaches its stage" {
	hp-embed two.conllu | hp-encode | hp-decode -b 4 >beam
	hp-label beam >out
	for options in "-b 4" -b4 --beam=4 "--beam 4"; do
		# shellcheck disable=SC2086
		hp-parse $options two.conllu | cmp - out
	done
	hp-label --scores beam | cmp - <(hp-parse -b 4 -s two.conllu)
	hp-label --scores beam | cmp - <(hp-parse two.conllu --scores --beam=4)
	hp-embed two.conllu | hp-encode | hp-decode --text --scores | cmp - <(hp-parse -ts two.conllu)
	hp-embed two.conllu | hp-encode | hp-decode --text | cmp - <(hp-parse --text two.conllu)
	echo "She reads ." >tokens
	pipe --input=tokens tokens | cmp - <(hp-parse -i tokens tokens)
	pipe --input=tokens tokens | cmp - <(hp-parse -itokens -j2 tokens)
	HP_MODEL=$models/other.safetensors pipe two.conllu | cmp - <(hp-parse -m "$models/other.safetensors" two.conllu)
	HP_MODEL=$models/other.safetensors pipe two.conllu | cmp - <(hp-parse --threads 2 --model="$models/other.safetensors" two.conllu)
	(unset HP_MODEL; hp-parse -m "$models/other.safetensors" two.conllu) | cmp - <(hp-parse -m "$models/other.safetensors" two.conllu)
	says 1 "...hp-embed: two.conllu:..." hp-parse -w 2 two.conllu
	hp-parse --max-words=3 two.conllu | cmp - <(pipe two.conllu)
}

@test "--int8: other probabilities, much the same trees, whatever the batches" {
	grep -q avx2 /proc/cpuinfo || skip "nothing is rounded without AVX2"
	for ((i = 0; i < 40; i++)); do cat good.conllu; done >many
	hp-parse -s many >float
	hp-parse -s --int8 many >int8
	run -1 cmp float int8
	trees() { sed '/^# score/d; s/ArcProb=.*//' "$1" | cut -f 1-7; }
	[ "$(diff <(trees float) <(trees int8) | grep -c '^>')" -le 12 ]
	hp-embed many | hp-encode --int8 | hp-decode --int8 | hp-label --int8 -s | cmp - int8
	hp-parse -s -j3 --int8 many | cmp - int8
	for ((i = 0; i < 40; i++)); do hp-parse -s --int8 good.conllu; done | cmp - int8
	hp-embed many >x
	hp-encode x >h
	run -1 cmp h <(hp-encode --int8 x)
	hp-decode h >d
	run -1 cmp d <(hp-decode --int8 h)
	run -1 cmp <(hp-label -s d) <(hp-label -s --int8 d)
	says 2 "...unrecognized option '--int8'..." hp-embed --int8 many
}

@test "status 1 if any stage fails, without pipefail" {
	{ cat good.conllu; w 2 x; echo; } >bad
	run -1 hp-parse bad
	run -1 hp-parse --text bad
	{ cat good.conllu; w 2 x; echo; cat good.conllu; } >bad
	run -1 hp-parse --keep-going bad
	[ "$(grep -c '^[0-9]' <<<"$output")" -eq 7 ]
	run -1 hp-parse -kt bad
	# What is passed on is passed on whole, old heads included: the message names it.
	{ cat good.conllu; printf '1\tx\t_\t_\t_\t_\t7\told\t_\t_\n3\ty\t_\t_\t_\t_\t1\told\t_\t_\n\n'; } >old
	says 1 'hp-embed: old:7: bad ID order: "3", expected word 2' messages hp-parse -k old
	tail -n 3 old | cmp - <(hp-parse -k old 2>/dev/null | tail -n 3)
	run -1 hp-parse missing
	run -1 hp-parse -m ./missing good.conllu
	# A stage that cannot be run or dies.
	mkdir bin
	for stage in hp-embed hp-encode hp-decode hp-label; do
		ln -s "$(command -v $stage)" bin/$stage
	done
	cp "$(command -v hp-parse)" bin/
	pipe good.conllu | cmp - <(bin/hp-parse good.conllu)
	for stage in hp-embed hp-encode hp-decode hp-label; do
		mv bin/$stage kept
		printf '#!/bin/sh\nexit 0\n' >bin/$stage
		chmod +x bin/$stage
		[ $stage = hp-label ] || run -1 bin/hp-parse good.conllu
		printf '#!/bin/sh\nkill -9 $$\n' >bin/$stage
		run bin/hp-parse good.conllu
		[ "$status" -ne 0 ]
		mv kept bin/$stage
	done
}

@test "it says what fails, once" {
	says 1 "hp-embed: ./missing: No such file or directory" hp-parse -m ./missing good.conllu
	says 1 "hp-embed: missing: No such file or directory" hp-parse missing
	{ cat good.conllu; w 2 x; echo; } >bad
	for text in '' --text; do
		run -1 --separate-stderr hp-parse $text bad
		[ "${#stderr_lines[@]}" -eq 1 ]
		[[ $stderr == "hp-embed: bad:6: "* ]]
		[ "$(grep -c '^[0-9]' <<<"$output")" -eq 3 ]
	done
}

@test "wrong usage is status 2, said by hp-parse itself" {
	for wrong in "-b 0" "-b 1001" "-b x" "-b" "--beam=" "-w 0" "-w 1000001" "-j 0" "-j -1" "-i txt" "--input" "-m" "--model=" \
		"--unknown" "-x" "-sx" "-s-" "--textual" "--text=1" "-b 99999999999999999999"; do
		# shellcheck disable=SC2086
		run -2 --separate-stderr hp-parse $wrong </dev/null
		[ -z "$output" ]
		# shellcheck disable=SC2154
		[[ ${stderr_lines[0]} == "hp-parse: "* ]]
		[ "${stderr_lines[1]}" = "Try 'hp-parse --help' for more information." ]
	done
}

@test "a reader that goes away, a full disk" {
	for i in $(seq 300); do cat two.conllu; done >long
	run --separate-stderr timeout 20 bash -c 'hp-parse long | head -n 3 >/dev/null'
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	says 1 "...No space left on device" bash -c 'hp-parse good.conllu >/dev/full'
}

@test "options as the stages take them: letters, abbreviations" {
	hp-parse -s -b 2 two.conllu >out
	hp-parse --sc --be=2 two.conllu | cmp - out
	says 2 "hp-parse: option '--t' is ambiguous; possibilities: '--tokenize' '--text' '--threads'" hp-parse --t two.conllu
	# Each letter of a stage means the same here; -c, -l, -e and -k of hp-embed, too.
	letters() { "$1" --help | sed -n 's/^  \(-[a-z]\), \(--[a-z-]*\).*/\1 \2/p'; }
	for stage in hp-embed hp-encode hp-decode hp-label; do
		letters $stage | while read -r option; do
			grep -qx -e "$option" <(letters hp-parse) || { echo "$stage $option"; exit 1; }
		done
	done
}

@test "--output: a whole file or none" {
	pipe two.conllu >out
	hp-parse -o trees two.conllu
	cmp out trees
	hp-parse --output=trees <two.conllu
	cmp out trees
	{ cat good.conllu; w 2 x; echo; cat good.conllu; } >bad
	run -1 hp-parse -o trees bad
	cmp out trees
	run -1 hp-parse -o new bad
	[ ! -e new ]
	run -1 hp-parse -k -o kept bad
	hp-parse -k bad 2>/dev/null | cmp - kept
	says 1 "hp-parse: two.conllu: input and output are the same file" hp-parse -o two.conllu good.conllu two.conllu
	says 1 "hp-parse: none: No such file or directory" hp-parse -o none/trees two.conllu
	says 1 "hp-parse: <stdin>: input and output are the same file" bash -c 'hp-parse -o two.conllu <two.conllu'
	# --keep-going forgives blocks, nothing else.
	run -1 hp-parse -k -o trees missing
	cmp out trees
	{ cat good.conllu; w 2 x; echo; cat good.conllu; } | gzip | head -c 80 >cut
	run -1 hp-parse -k -o trees cut
	cmp out trees
	hp-parse --text --output trees two.conllu
	hp-parse --text two.conllu | cmp - trees
	hp-parse -o trees two.conllu
	hp-parse -o - two.conllu | cmp - out
	[ ! -e ./- ]
	cp "$HP_MODEL" model
	says 1 "hp-label: $PWD/model: model and output are the same file" hp-parse -m ./model -o model two.conllu
	cmp model "$HP_MODEL"
	hp-parse -o /dev/stdout two.conllu | cmp - out
	says 1 "...No space left on device..." hp-parse -o /dev/full two.conllu
	[ -z "$(find . -name '.*tmp')" ]
}

# stages PID: the processes that PID has started and that have not ended; without ps(1), which may be missing.
stages() {
	local stat rest
	for stat in /proc/[0-9]*/stat; do
		rest=$(cat "$stat" 2>/dev/null) || continue
		# PID (NAME) STATE PARENT
		[[ ${rest##*) } != "Z "* && ${rest##*) } == ?" $1 "* ]] || continue
		echo "${rest%% *}"
	done
}

# alive PID...: those of them that have not ended.
alive() {
	local pid rest
	for pid; do
		rest=$(cat "/proc/$pid/stat" 2>/dev/null) || continue
		[[ ${rest##*) } == "Z "* ]] || echo "$pid"
	done
}

# started COMMAND...: hp-parse as process $parser, its four stages as $children, which have parsed and wait for more.
started() {
	[ -p input ] || mkfifo input
	rm -f out
	env --default-signal=INT "$@" <input >out 2>messages 3>&- &
	parser=$!
	exec 9>input
	cat two.conllu >&9
	for ((i = 0; i < 400; i++)); do
		children=$(stages "$parser")
		[ "$(wc -w <<<"$children")" -ne 4 ] || [ -z "$(find . -name "${ready:-out}" -size +0)" ] || return 0
		sleep 0.05
	done
	false
}

# ends STATUS: hp-parse has ended with it.
ends() {
	local status=0
	wait "$parser" || status=$?
	[ "$status" -eq "$1" ]
}

@test "TERM, INT and HUP end all stages at once" {
	for signal in TERM:143 INT:130 HUP:129; do
		started hp-parse
		kill -s "${signal%:*}" "$parser"
		ends "${signal#*:}"
		# shellcheck disable=SC2086
		[ -z "$(alive $children)" ]
		[ ! -s messages ]
		exec 9>&-
	done
}

@test "--output: killed, it leaves the old file and nothing beside it" {
	echo old >trees
	for signal in TERM:143 INT:130; do
		ready='.trees*' started hp-parse -o trees
		kill -s "${signal%:*}" "$parser"
		ends "${signal#*:}"
		exec 9>&-
		[ "$(cat trees)" = old ]
		[ -z "$(find . -name '.trees*')" ]
	done
	# The stage alone; what SIGKILL leaves goes with the next one.
	hp-embed two.conllu | hp-encode | hp-decode >decoded
	for signal in HUP KILL; do
		hp-label -o trees <input 3>&- &
		exec 9>input
		cat decoded >&9
		for ((i = 0; i < 400; i++)); do
			[ -z "$(find . -name '.trees*' -size +0)" ] || break
			sleep 0.05
		done
		kill -s $signal $!
		wait $! || true
		exec 9>&-
		[ "$(cat trees)" = old ]
		[ $signal = KILL ] || [ -z "$(find . -name '.trees*')" ]
	done
	[ -n "$(find . -name '.trees*')" ]
	hp-label -o trees decoded
	[ -z "$(find . -name '.trees*')" ]
	pipe two.conllu | cmp - trees
}

@test "stopped stages end too, and those that do not listen" {
	started hp-parse
	# shellcheck disable=SC2086
	kill -s STOP $children
	kill -s TERM "$parser"
	ends 143
	# shellcheck disable=SC2086
	[ -z "$(alive $children)" ]
	exec 9>&-
	mkdir bin
	cp "$(command -v hp-parse)" bin/
	for stage in hp-embed hp-encode hp-decode; do
		ln -s "$(command -v $stage)" bin/$stage
	done
	printf '#!/bin/sh\ntrap "" TERM\necho deaf\nwhile :; do sleep 1; done\n' >bin/hp-label
	chmod +x bin/hp-label
	started bin/hp-parse
	kill -s TERM "$parser"
	ends 143
	# shellcheck disable=SC2086
	[ -z "$(alive $children)" ]
	exec 9>&-
}

@test "killed, it leaves no stage behind" {
	started hp-parse
	kill -s KILL "$parser"
	ends 137
	for ((i = 0; i < 40; i++)); do
		# shellcheck disable=SC2086
		[ -n "$(alive $children)" ] || break
		sleep 0.05
	done
	# shellcheck disable=SC2086
	[ -z "$(alive $children)" ]
	exec 9>&-
}

@test "signals to the whole group, as Ctrl-C sends them, while a large input is worked on" {
	cp two.conllu long
	for i in $(seq 17); do cat long long >longer; mv longer long; done
	for signal in INT:130 TERM:143; do
		rm -f out
		setsid env --default-signal=INT hp-parse --beam=8 long >out 2>messages 3>&- &
		parser=$!
		for ((i = 0; i < 400; i++)); do
			[ ! -s out ] || break
			sleep 0.05
		done
		children=$(stages "$parser")
		kill -s "${signal%:*}" -- "-$parser"
		ends "${signal#*:}"
		# shellcheck disable=SC2086
		[ -z "$(alive $children)" ]
		[ ! -s messages ]
		[ "$(grep -c '^1' out)" -lt 262144 ]
	done
}

@test "a shell's loop ends with it at Ctrl-C" {
	mkfifo input
	setsid env --default-signal=INT bash -c 'for i in 1 2; do echo "$i" >>begun; hp-parse <input; done' 3>&- &
	loop=$!
	exec 9>input
	for ((i = 0; i < 400; i++)); do
		children=$(stages "$loop")
		[ -z "$children" ] || [ "$(stages "$children" | wc -l)" -ne 4 ] || break
		sleep 0.05
	done
	kill -s INT -- "-$loop"
	status=0
	wait "$loop" || status=$?
	exec 9>&-
	[ "$status" -eq 130 ]
	[ "$(cat begun)" = 1 ]
}

@test "when the last stage ends the others end, while the input stays open" {
	mkdir bin
	cp "$(command -v hp-parse)" bin/
	for stage in hp-embed hp-encode hp-decode; do
		ln -s "$(command -v $stage)" bin/$stage
	done
	printf '#!/bin/sh\necho begun\nuntil [ -e go ]; do sleep 0.05; done\nexit 7\n' >bin/hp-label
	chmod +x bin/hp-label
	started bin/hp-parse
	touch go
	ends 7
	# shellcheck disable=SC2086
	[ -z "$(alive $children)" ]
	[ ! -s messages ]
	exec 9>&-
	# The reader of the output goes.
	mkfifo pipe
	{ head -n 2 >first; } <pipe 3>&- &
	env --default-signal=INT hp-parse <input >pipe 2>messages 3>&- &
	parser=$!
	exec 9>input
	cat two.conllu >&9
	wait %?head || wait %1 || true
	children=$(stages "$parser")
	cat two.conllu >&9 || true
	ends 141
	# shellcheck disable=SC2086
	[ -z "$(alive $children)" ]
	[ ! -s messages ]
	[ "$(wc -l <first)" -eq 2 ]
	exec 9>&-
}

@test "a program that cannot be run is told once" {
	mkdir bin
	cp "$(command -v hp-parse)" bin/
	for stage in hp-embed hp-encode hp-decode hp-label; do
		printf '\177ELF' >bin/$stage
		chmod +x bin/$stage
		says 1 "hp-parse: $stage: Exec format error" bin/hp-parse good.conllu
		ln -sf "$(command -v $stage)" bin/$stage
	done
	rm bin/hp-[del]*
	says 1 "hp-parse: hp-embed: No such file or directory" env PATH=/nowhere bin/hp-parse good.conllu
	# By a link, from PATH.
	ln -s "$(command -v hp-parse)" other
	PATH=$PWD:/usr/bin:/bin other good.conllu | cmp - <(pipe good.conllu)
}

@test "standard streams that are closed, children that are not waited for" {
	says 1 "hp-embed: <stdin>: Bad file descriptor" bash -c 'hp-parse <&-'
	says 1 "hp-label: ...Bad file descriptor" bash -c 'hp-parse good.conllu >&-'
	hp-parse good.conllu 2>&- | cmp - <(pipe good.conllu)
	hp-parse good.conllu <&- | cmp - <(pipe good.conllu)
	env --ignore-signal=CHLD hp-parse good.conllu | cmp - <(pipe good.conllu)
}

@test "nohup's SIGHUP is ignored" {
	started bash -c 'trap "" HUP; exec hp-parse'
	kill -s HUP "$parser"
	cat two.conllu >&9
	exec 9>&-
	wait "$parser"
	pipe two.conllu two.conllu | cmp - out
}

@test "a stage that is ended by a signal is named" {
	started hp-parse
	for child in $children; do
		! grep -q '(hp-encode)' "/proc/$child/stat" || kill -s KILL "$child"
	done
	exec 9>&-
	ends 1
	grep -q '^hp-parse: hp-encode: ended by signal 9 (Killed)$' messages
	grep -q '^hp-decode: <stdin>: ' messages
}

@test "a sentence touches few pages: the model is used where it lies" {
	model=$srcdir/models/en-dep.safetensors
	[ -r "$model" ] || skip "no installed model"
	! grep -q __asan "$(command -v hp-embed)" || skip "the sanitizer has pages of its own"
	run -0 "${builddir:-.}/bench/bench" pipe -t 1 -- good.conllu hp-parse -m "$model"
	faults=${output#*faults=} faults=${faults%% *}
	echo "$faults page faults"
	[ "$faults" -lt 3000 ]
}

@test "filters link few libraries: loading them takes time" {
	! grep -q __asan "$(command -v hp-embed)" || skip "the sanitizer's build has no shared library"
	for program in hp-embed hp-encode hp-decode hp-label; do
		needed=$(readelf -d "$(command -v $program)" | sed -n 's/.*(NEEDED).*\[\(lib[a-z0-9]*\).*/\1/p')
		! grep -qxE 'libexpat|libdnnl|libopenblas|libcsv' <<<"$needed"
	done
}
