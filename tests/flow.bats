#!/usr/bin/env bats
# How the input arrives, and how much of it: the same bytes always, at once, in little memory.
bats_require_minimum_version 1.5.0
load filters

setup_file() {
	make_models
	# 151 sentences of 1 to 40 words, comments and multiword lines among them, with words known and unknown.
	awk 'BEGIN {
		srand(7)
		split("the The dog barks . She reads a book caf\303\251 xylophone of zebra , Q 99", word, " ")
		split("DET NOUN VERB PRON PUNCT _ X", tag, " ")
		for (s = 1; s <= 151; s++) {
			print "# sent_id = " s
			n = 1 + int(rand() * 40)
			for (i = 1; i <= n; i++) {
				if (i % 9 == 8 && i < n) printf "%d-%d\tmw\t_\t_\t_\t_\t_\t_\t_\t_\n", i, i + 1
				printf "%d\t%s\t_\t%s\t_\t_\t_\t_\t_\t_\n", i, word[1 + int(rand() * 16)], tag[1 + int(rand() * 7)]
			}
			print ""
		}
	}' >"$BATS_FILE_TMPDIR/many.conllu"
	many=$BATS_FILE_TMPDIR/many.conllu
	export many
}

setup() {
	enter
	make_good
}

@test "many sentences: trees, and all else as it was" {
	kept "$many"
}

@test "the same bytes whatever the batches: a file, one sentence at a time, odd pieces" {
	pipe --max-words=100 "$many" >whole
	# One process a sentence.
	awk -v RS= '{ print $0 "\n" > sprintf("s%03d", ++n) }' "$many"
	for file in s???; do
		pipe "$file"
	done >single
	cmp whole single
	# In pieces of 7 KB with pauses, and of one sentence with none.
	split -b 7000 "$many" piece
	for file in piece*; do
		cat "$file"
		sleep 0.05
	done | pipe | cmp - whole
	for file in s???; do
		cat "$file"
	done | pipe | cmp - whole
	# Through pipes that dd cuts into odd records.
	hp-embed "$many" | dd obs=1009 2>/dev/null | hp-encode | dd obs=331 2>/dev/null | hp-decode | dd obs=70001 2>/dev/null | hp-label | cmp - whole
	# Streams from files.
	hp-embed "$many" >embed
	hp-encode embed >encode
	hp-decode encode >decode
	hp-label decode | cmp - whole
}

@test "the same bytes for every number of threads" {
	pipe "$many" >one
	hp-embed -j 3 "$many" | hp-encode -j 2 | hp-decode -j 4 | hp-label -j 2 | cmp - one
	hp-embed -j 1 "$many" | hp-encode | hp-decode -b 3 >beam
	hp-embed -j 2 "$many" | hp-encode -j 3 | hp-decode -j 2 -b 3 | cmp - beam
}

@test "a sentence is parsed when its producer pauses, not when it ends" {
	mkfifo in
	(set -o pipefail; hp-embed <in | hp-encode | hp-decode | hp-label >out) 3>&- &
	exec 7>in
	for n in 1 2 3; do
		cat good.conllu >&7
		for _ in $(seq 200); do
			[ "$(grep -c '^$' out)" -ge $n ] && break
			sleep 0.05
		done
		[ "$(grep -c '^$' out)" -eq $n ]
		[ "$(grep -c '^[0-9]' out)" -eq $((3 * n)) ]
	done
	# Half a sentence makes none.
	w 1 She >&7
	sleep 0.2
	[ "$(grep -c '^$' out)" -eq 3 ]
	exec 7>&-
	wait $!
	[ "$(grep -c '^$' out)" -eq 4 ]
}

@test "tokens are parsed line by line" {
	mkfifo in
	hp-embed --input=tokens <in | hp-encode | hp-decode | hp-label >out 3>&- &
	exec 7>in
	echo "She reads ." >&7
	for _ in $(seq 200); do
		[ "$(grep -c '^$' out)" -ge 1 ] && break
		sleep 0.05
	done
	[ "$(grep -c '^[0-9]' out)" -eq 3 ]
	exec 7>&-
	wait $!
}

@test "an input that is the output as well is refused and left alone" {
	hp-embed good.conllu >embed
	hp-encode embed >encode
	hp-decode encode >decode
	printf '( Root (span 1 1) (leaf 1) (text _!a_!) )\n' >tree.dis
	ulimit -f 20000
	refused() { # COMMAND FILE NAME: COMMAND with FILE, by NAME, as input and output
		cp "$2" kept
		run -1 timeout 20 bash -c "$1"
		echo "$output"
		[ "$output" = "${1%% *}: $3: standard output is the same file" ]
		cmp "$2" kept
	}
	for filter in hp-parse:good.conllu "hp-parse --text:good.conllu" hp-embed:good.conllu hp-encode:embed hp-decode:encode \
		hp-label:decode "hp-decode --text:encode" hp-cat:embed rst-extract:tree.dis hp-draw:tree.dis; do
		command=${filter%:*} file=${filter#*:}
		refused "$command $file >>$file" $file $file
		refused "$command <$file >>$file" $file '<stdin>'
		refused "$command - <$file >>$file" $file '<stdin>'
		# Written over from the start, and by another name.
		refused "$command $file 1<>$file" $file $file
		ln -sf $file link
		refused "$command /dev/null link >>$file" $file link
	done
	run -1 bash -c 'hp-parse good.conllu >good.conllu'
	make_good
	# What is no file never is the same.
	hp-parse </dev/null >/dev/null
	hp-parse /dev/null >/dev/null
	hp-embed good.conllu | hp-encode - >again
	hp-parse good.conllu >>again
}

@test "--output: what standard output would hold, all of it or nothing" {
	hp-embed good.conllu >embed
	hp-encode embed >encode
	hp-decode encode >decode
	hp-label decode >label
	printf '( Root (span 1 1) (leaf 1) (text _!a_!) )\n' >tree.dis
	{ cat tree.dis; echo '( Root'; } >bad.dis
	head -c 300 embed >cut
	: >empty
	cp "$HP_MODEL" model
	for command in "hp-embed good.conllu|hp-embed missing" "hp-encode embed|hp-encode cut" "hp-decode encode|hp-decode missing" \
		"hp-decode --text encode|hp-decode --text missing" "hp-label decode|hp-label cut" "hp-cat -v embed|hp-cat -v cut" \
		"hp-eval good.conllu label|hp-eval label missing" "hp-eval --csv label label|hp-eval --csv label empty" \
		"rst-extract -l none tree.dis|rst-extract -l none bad.dis" "hp-draw -H tree.dis|hp-draw -H bad.dis" \
		"hp-join model|hp-join cut"; do
		right=${command%|*} wrong=${command#*|} file=${command%|*}
		file=${file##* }
		[ "${right%% *}" != hp-eval ] || { right="hp-eval label label" file=label; }
		echo old >out
		$right >expected
		$right -o out
		cmp out expected
		$right --output=- | cmp - expected
		run -1 $wrong -o out
		cmp out expected
		rm out
		run -1 $wrong --output out
		[ ! -e out ]
		says 2 "${right%% *}: --output: expected the name of a file" $right --output=
		cp "$file" kept
		says 1 "${right%% *}: $file: input and output are the same file" $right -o "$file"
		cmp "$file" kept
		says 1 "${right%% *}: none/out: No such file or directory" $right -o none/out
		says 1 ".../dev/full: No space left on device..." $right -o /dev/full
	done
	[ -z "$(find . -name '.*tmp')" ]
	# What is forgiven leaves a file.
	{ cat good.conllu; w 2 x; echo; } >bad
	run -1 hp-embed -k -o out bad
	run -1 hp-embed -k bad
	[ -s out ]
	{ echo '( Root (span 1 1))'; cat tree.dis; } >bad.dis
	run -1 rst-extract -k -l none -o out bad.dis
	rst-extract -l none tree.dis | tail -n 2 | cmp - <(tail -n 2 out)
	for read in -s -l; do
		cp tree.dis read.csv
		says 1 "rst-extract: read.csv: input and output are the same file" rst-extract $read read.csv -o read.csv good.conllu
	done
}

@test "a sentence of 5,000 words between others" {
	{ cat good.conllu
		awk 'BEGIN { split("the dog barks She reads a", w, " ")
			for (i = 1; i <= 5000; i++) printf "%d\t%s\t_\tNOUN\t_\t_\t_\t_\t_\t_\n", i, w[i % 7 % 6 + 1]; print "" }'
		cat good.conllu; } >in
	kept in
	[ "$(grep -c '^[0-9]' out)" -eq 5006 ]
	# The neighbours do not notice.
	pipe good.conllu >alone
	head -n 5 out | cmp - alone
	tail -n 5 out | cmp - alone
}

@test "a word of 100,000 characters" {
	long=$(head -c 300000 /dev/zero | tr '\0' b)
	{ cat good.conllu; printf '1\t%s\t_\tX\t_\t_\t_\t_\t_\t_\n' "${long:0:100000}"; w 2 .; echo; cat good.conllu; } >in
	kept in
	{ printf '1\t'; for _ in $(seq 1000); do printf '\xe6\xbc\xa2%.0s' {1..100}; done; printf '\t_\tX\t_\t_\t_\t_\t_\t_\n\n'; } >in
	kept in
	# In MISC, too.
	{ printf '1\tx\t_\tX\t_\t_\t_\t_\t_\tA=%s\n\n' "$long"; } >in
	kept in
}

@test "memory does not grow with the input" {
	grep -q '__asan' "$(command -v hp-embed)" && skip "the sanitizer keeps freed memory"
	rss=${builddir:-.}/tests/max-rss
	for _ in $(seq 8); do cat "$many"; done >small
	for _ in $(seq 16); do cat small; done >big
	for size in small big; do
		"$rss" $size.embed hp-embed $size | "$rss" $size.encode hp-encode | "$rss" $size.decode hp-decode |
			"$rss" $size.label hp-label >$size.out
	done
	[ "$(grep -c '^$' big.out)" -eq $((151 * 128)) ]
	for stage in embed encode decode label; do
		echo "$stage: $(cat small.$stage) KiB, then $(cat big.$stage) KiB"
		# 16 times the input, and not even a third of the difference in its own size.
		[ $(($(cat big.$stage) - $(cat small.$stage))) -lt $((($(stat -c %s big) - $(stat -c %s small)) / 1024 / 3)) ]
	done
}
