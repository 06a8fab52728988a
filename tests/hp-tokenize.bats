#!/usr/bin/env bats
# Raw text into CoNLL-U and back.
bats_require_minimum_version 1.5.0
load filters

setup() {
	enter
	export HP_MODEL=${builddir:-$PWD}/tests/models/en-tok.safetensors
}

# comes_back: what is in "in" is the same after hp-tokenize and --undo.
comes_back() {
	hp-tokenize "$@" in >out 2>messages
	[ ! -s messages ]
	hp-tokenize --undo out | cmp - in
}

forms() {
	cut -f 1,2
}

@test "EDUs of trees" {
	{
		printf '# newdoc id = a\n# sent_ends = 3 4\n( Root (span 1 4)\n'
		printf '( Nucleus (span 1 3) (rel2par x)\n( Nucleus (span 1 2) (rel2par y)\n'
		printf "( Nucleus (leaf 1) (rel2par z) (text _!I don't_!) )\n( Nucleus (leaf 2) (rel2par z) (text _!see it,_!) ) )\n"
		printf '( Nucleus (leaf 3) (rel2par y) (text _!Ann.<P>_!) ) )\n( Nucleus (leaf 4) (rel2par x) (text _!It!_!) ) )\n\n'
		printf '# sent_id = s\n( Root (span 1 3)\n( Nucleus (leaf 1) (rel2par z) (text _!I_!) )\n( Nucleus (span 2 3) (rel2par z)\n'
		printf '( Nucleus (leaf 2) (rel2par z) (text _!see_!) )\n( Nucleus (leaf 3) (rel2par z) (text _!it_!) ) ) )\n'
	} >tree.dis
	hp-tokenize --edus tree.dis >out
	# No node of one EDU, nor the whole tree.
	grep 'B-seg\|^#' out | cut -f 2,10 | sed 's/|SpaceAfter=No//' | diff - <(
		printf "# newdoc id = a\n# sent_id = 1\n# text = I don't see it, Ann.\n"
		printf '%s\n' $'I\tSeg=B-seg|Span=3,2' $'see\tSeg=B-seg' $'Ann\tSeg=B-seg'
		printf '# newpar\n# sent_id = 2\n# text = It!\nIt\tSeg=B-seg\n# newdoc id = s\n# sent_id = 3\n# text = I see it\n'
		printf '%s\n' $'I\tSeg=B-seg' $'see\tSeg=B-seg|Span=2' $'it\tSeg=B-seg'
	)
	# As CoNLL-U and as EDU text, but for the nodes, it is the same.
	rst-convert --to=edus tree.dis | hp-tokenize --edus | diff - <(sed 's/|Span=[0-9,]*//' out)
	cat tree.dis >two
	printf '( Root (leaf 1) (text _!a_!)\n' >>two
	says 1 "hp-tokenize: two:...: ..." messages hp-tokenize --edus two
	hp-tokenize --edus -k two 2>/dev/null | cmp - out
	says 1 'hp-tokenize: <stdin>: XML, expected an EDU a line: rst-convert reads .rs3 and .rs4' \
		messages bash -c 'echo "<rst>" | hp-tokenize --edus'
}

@test "sentences, tokens, multiword tokens" {
	printf "I see the book. I don't like it!  Ann\ncan't see him.\n\nThe cat won't know." >in
	hp-tokenize in >out
	{
		printf '# newdoc id = in\n# sent_id = 1\n# text = I see the book.\n'
		printf '%s\t_\t_\t_\t_\t_\t_\t_\t%s\n' $'1\tI' _ $'2\tsee' _ $'3\tthe' _ $'4\tbook' SpaceAfter=No $'5\t.' _
		printf "\n# sent_id = 2\n# text = I don't like it!\n"
		printf '%s\t_\t_\t_\t_\t_\t_\t_\t%s\n' $'1\tI' _ $'2-3\tdon\'t' _ $'2\tdo' _ $'3\tn\'t' _ $'4\tlike' _ \
			$'5\tit' SpaceAfter=No $'6\t!' 'SpacesAfter=\s\s'
		printf "\n# sent_id = 3\n# text = Ann can't see him.\n"
		printf '%s\t_\t_\t_\t_\t_\t_\t_\t%s\n' $'1\tAnn' 'SpacesAfter=\n' $'2-3\tcan\'t' _ $'2\tca' _ $'3\tn\'t' _ $'4\tsee' _ \
			$'5\thim' SpaceAfter=No $'6\t.' 'SpacesAfter=\n\n'
		printf "\n# newpar\n# sent_id = 4\n# text = The cat won't know.\n"
		printf '%s\t_\t_\t_\t_\t_\t_\t_\t%s\n' $'1\tThe' _ $'2\tcat' _ $'3-4\twon\'t' _ $'3\two' _ $'4\tn\'t' _ \
			$'5\tknow' SpaceAfter=No $'6\t.' SpaceAfter=No
		printf '\n'
	} | diff - out
	comes_back
}

@test "whatever it is, it comes back" {
	local text
	while IFS= read -r text; do
		printf '%b' "$text" >in
		comes_back
		comes_back --lines
		comes_back --ranges -w 1 -j 2
	done <<'END'

 
\n
\r\n\r\n
a
a \t b\v\f\r\n\n\n\n  c \n
\xef\xbb\xbfa\xef\xbb\xbf
# text = x\n1\tx\t_\n\n_ | \\s \\\\n
no\xc2\xa0break zero\xe2\x80\x8bwidth \xe2\x80\xa8 \xe2\x80\xa9 x
\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80 e\xcc\x81\xcc\x82 \xe4\xb8\xad\xe6\x96\x87\xe3\x80\x82\x01\x1b\x7f
END
	head -c 300000 "$srcdir/HACKING" >in
	comes_back
	comes_back --lines
}

@test "one character is never cut" {
	printf '\U1F469\u200D\U1F680 a\u0301\u0302' | hp-tokenize -w 1 | grep -v '^#' | forms >got
	printf '1\t\U1F469\u200D\U1F680\n\n1\ta\u0301\u0302\n\n' | diff - got
}

@test "lines" {
	printf 'I see\nthe book. I know\n\nit' >in
	comes_back --lines
	grep '^# [tn]' out >got
	printf '# newdoc id = in\n# text = I see\n# text = the book. I know\n# newpar\n# text = it\n' | diff - got
}

@test "ranges are characters" {
	printf '\ufeff \u00e9\u00e9 see\n\n\nit.' | hp-tokenize -r | grep -o 'TokenRange=.*' >got
	printf 'TokenRange=%s\n' 2:4 5:8 11:13 13:14 | diff - got
	printf 'a' >a
	hp-tokenize -r a a | grep -c TokenRange=0:1 | grep -qx 2
}

@test "sentences are cut" {
	printf 'a b c d e f g' >in
	comes_back -w 3
	[ "$(grep -c sent_id out)" -eq 3 ]
	# A multiword token is not cut in two.
	printf "I don't see it" | hp-tokenize -w 2 | grep text >got
	printf "# text = I\n# text = don't\n# text = see it\n" | diff - got
	says 2 "hp-tokenize: --max-words: '0' is not a whole number from 1 to 20000" hp-tokenize -w 0
}

@test "EDUs that are there" {
	printf "# newdoc id = a\n# sent_id = x\nI don't  see,\nAnn.<P>\n\n\ufeff It! I<P>\nknow\n\nsee\n" >in
	hp-tokenize --edus in >out
	{
		printf "# newdoc id = a\n# sent_id = x\n# text = I don't see, Ann.\n"
		printf '%s\t_\t_\t_\t_\t_\t_\t_\t%s\n' $'1\tI' Seg=B-seg $'2-3\tdon\'t' _ $'2\tdo' _ $'3\tn\'t' _ $'4\tsee' SpaceAfter=No \
			$'5\t,' _ $'6\tAnn' 'Seg=B-seg|SpaceAfter=No' $'7\t.' _
		printf "\n# newpar\n# sent_id = 2\n# text = It! I\n"
		printf '%s\t_\t_\t_\t_\t_\t_\t_\t%s\n' $'1\tIt' 'Seg=B-seg|SpaceAfter=No' $'2\t!' _ $'3\tI' _
		printf "\n# newpar\n# sent_id = 3\n# text = know\n1\tknow\t_\t_\t_\t_\t_\t_\t_\tSeg=B-seg\n"
		printf "\n# sent_id = 4\n# text = see\n1\tsee\t_\t_\t_\t_\t_\t_\t_\tSeg=B-seg\n\n"
	} | diff - out
	[ "$(hp-tokenize --undo out)" = $'I don\'t see, Ann.\n\nIt! I\n\nknow see' ]
	# A file without documents does not go on with that of the one before.
	printf 'It\n\nI\n' >alone
	hp-tokenize --edus alone in alone | grep -x '# newdoc.*\|# sent_id.*' | tr '\n' ' ' >got
	printf '# sent_id = %s ' 1 2 | cat - <(printf '# newdoc id = a # sent_id = x # sent_id = %s # sent_id = 5 # sent_id = 6 ' 4) \
		<(printf '# newdoc # sent_id = %s ' 7 8) | diff - got
	printf 'I see\nit\n' | hp-tokenize --edus -w 3 | grep -c B-seg | grep -qx 2
	says 1 "hp-tokenize: <stdin>:1: a sentence of more than 2 words" bash -c 'printf "I see\nit\n" | hp-tokenize --edus -w 2'
	says 1 "hp-tokenize: <stdin>:4: an EDU without text" bash -c 'printf "I\n\nsee\n\ufeff \u2028 <P>\n" | hp-tokenize --edus >out'
	grep -c B-seg out | grep -qx 1
	says 1 "hp-tokenize: <stdin>:2: invalid UTF-8" bash -c 'printf "I\na\xff\n" | hp-tokenize --edus'
	says 1 'hp-tokenize: <stdin>:1: part of a tree, expected an EDU a line, or a whole tree' \
		bash -c 'echo "( Nucleus (leaf 1) (text _!I see_!) )" | hp-tokenize --edus'
	printf '(It!\nsee)\n' | hp-tokenize --edus | grep -c B-seg | grep -qx 2
	says 1 "hp-tokenize: <stdin>:1: invalid UTF-8" bash -c 'printf "# newdoc id = \xff\nI\n" | hp-tokenize --edus'
	says 1 "hp-tokenize: <stdin>:1: a NUL byte..." bash -c 'printf "# sent_id = \0\nI\n" | hp-tokenize --edus'
	# A mark with white space behind it; outside of documents a sentence goes on.
	printf '# newdoc id = a\nI <P>\u00a0\nsee\n' | hp-tokenize --edus | grep -c '^# sent_id\|^# newpar\|^1	\|P' | grep -qx 5
	printf 'I <P>\nsee\n' | hp-tokenize --edus | grep '^# text' | diff - <(echo '# text = I see')
	# A text that ends like the mark, with a word joiner behind it.
	for edu in 'I <P>\u2060<P>' 'I <P>\u2060' 'I <P>\u00a0\u2060 <P>' ' I <P>\u2028 \u2060'; do
		printf "# newdoc id = a\\n$edu\\nsee\\n" | hp-tokenize --edus | grep -qx '# text = I <P>\( see\)\?'
	done
	# One name of each kind; what looks like another one is an EDU.
	printf '# newdoc id = a\n# sent_id = b\n# sent_id = c\nI\n\n # sent_id = d\n' | hp-tokenize --edus >out
	grep -c B-seg out | grep -qx 3
	grep -x '# text = .*' out | diff - <(printf '# text = %s\n' '# sent_id = c I' '# sent_id = d')
	printf 'I\n\na\xff\n\n# newdoc id = d\n# sent_id = x\na\xff\n\nsee\n' >in
	says 1 'hp-tokenize: in:3: invalid UTF-8
hp-tokenize: in:7: invalid UTF-8' messages hp-tokenize --edus -k in
	hp-tokenize --edus -k in 2>/dev/null | grep '^# [ns]' | diff - <(printf '# %s\n' 'sent_id = 1' 'newdoc id = d' 'sent_id = 2')
	says 2 'hp-tokenize: --keep-going is for --edus' hp-tokenize -k
	w 1 I >in
	says 1 'hp-tokenize: in:1: columns, expected an EDU a line' hp-tokenize --edus in
	says 2 "hp-tokenize: --edus takes no --ranges" hp-tokenize --edus --ranges
	says 2 "hp-tokenize: only one of --edus and --lines can be given" hp-tokenize --edus --lines
	says 2 "hp-tokenize: --undo takes no --edus" hp-tokenize --undo --edus
	{ echo I; head -c 1048580 /dev/zero | tr '\0' x; } >in
	says 1 "hp-tokenize: in:2: a sentence of more than a MiB" hp-tokenize --edus in
}

@test "documents have their files' names" {
	printf 'It.' >one
	printf 'I see.\n' | gzip >two.gz
	hp-tokenize one - two.gz <one >out
	grep '^# [ns]' out >got
	printf '%s\n' '# newdoc id = one' '# sent_id = 1' '# newdoc' '# sent_id = 2' '# newdoc id = two.gz' '# sent_id = 3' | diff - got
	[ "$(hp-tokenize --undo out)" = 'It.It.I see.' ]
	says 1 "hp-tokenize: none: No such file or directory" bash -c 'hp-tokenize one none >/dev/null'
}

@test "any other CoNLL-U becomes text" {
	{ echo "# newdoc"; w 1 She; w 2 reads _ _ _ _ SpaceAfter=No; w 3 .; echo
	  echo "# newpar"; echo '1-2	du	_	_	_	_	_	_	_	SpaceAfter=No'; w 1 de; w 2 le; w 2.1 x; w 3 '!'; echo
	  echo "# a remark"; echo; w 1 So; echo; echo "# newdoc id = x"; w 1 It; echo; } >in
	hp-tokenize --undo in >got
	printf 'She reads.\n\ndu! So\n\nIt\n' | diff - got
	says 1 "hp-tokenize: bad:1: ..." bash -c 'echo "no tabs" >bad; hp-tokenize --undo bad'
	says 2 "hp-tokenize: --undo takes no --lines" hp-tokenize --undo --lines
}

@test "what is no text" {
	printf '\xff\xfeI\0' >in
	says 1 "hp-tokenize: in: UTF-16, expected text: iconv -f UTF-16 -t UTF-8 converts it" messages hp-tokenize in
	printf 'PK\3\4 see\0' >in
	says 1 "hp-tokenize: in: a zip archive, expected text: unpack it first (unzip)" messages hp-tokenize in
	# What is text is text.
	printf '<html>see' >in
	hp-tokenize in | hp-tokenize --undo | cmp - in
	{ printf '\n# sent_id = 1\n# text = See.\n'; w 1 See; w 2 .; echo; } >in
	hp-tokenize in >out 2>messages
	[ "$(cat messages)" = "hp-tokenize: in: CoNLL-U, of which every row is read as text; hp-tag and hp-parse read it without --input=text" ]
	hp-tokenize --undo out | cmp - in
	{ echo '1-2	du	_	_	_	_	_	_	_	_'; w 1 de; } | hp-tokenize 2>&1 >out | grep -q 'hp-tokenize: <stdin>: CoNLL-U'
	# A table, and a list.
	printf '1\ttwo\t3\n2\tfour\n' | hp-tokenize 2>messages | hp-tokenize --undo | cmp - <(printf '1\ttwo\t3\n2\tfour\n')
	[ ! -s messages ]
	printf 'I see it.\nbad \xff here' >in
	says 1 "hp-tokenize: in:2: invalid UTF-8, byte 15 of the text: iconv -f LATIN1 -t UTF-8 converts Latin-1" bash -c 'hp-tokenize in >out'
	[ "$(hp-tokenize --undo out)" = $'I see it.\nbad ' ]
	printf 'a\0b' >in
	says 1 "hp-tokenize: in:1: a NUL byte, byte 2 of the text" bash -c 'hp-tokenize in >out'
	printf 'a\xe2\x82' >in
	says 1 "hp-tokenize: in:1: the text ends within a character, byte 2 of the text" bash -c 'hp-tokenize in >out'
	# Nothing half stays in a file.
	run -1 hp-tokenize in -o kept
	[ ! -e kept ]
}

@test "models" {
	"$make_model" tiny.safetensors
	says 1 "hp-tokenize: $PWD/tiny.safetensors: a model for the task 'dep', expected tokenize" hp-tokenize -m tiny.safetensors
	says 1 "hp-tokenize: no model 'xx' (xx.safetensors, xx-tok.safetensors) in ..." hp-tokenize -m xx
	cp "$HP_MODEL" xx-tok.safetensors
	[ "$(echo It | HP_MODEL_PATH=. hp-tokenize -m xx | hp-tokenize -u)" = It ]
	head -c -100 "$HP_MODEL" >cut.safetensors
	says 1 "hp-tokenize: $PWD/cut.safetensors: ..." hp-tokenize -m cut.safetensors
	says 1 "hp-embed: $HP_MODEL: a model for the task 'tokenize', expected dep or rst" messages hp-embed -m "$HP_MODEL" /dev/null
	says 1 "hp-tokenize: $PWD/xx-tok.safetensors: model and output are the same file" hp-tokenize -m ./xx-tok.safetensors -o xx-tok.safetensors /dev/null
}

@test "results depend neither on threads nor on how the text comes" {
	head -c 60000 "$srcdir/HACKING" >in
	hp-tokenize in | tail -n +2 >one
	hp-tokenize -j 3 in | tail -n +2 | cmp - one
	{ head -c 1; sleep 0.1; head -c 20001; cat; } <in | hp-tokenize | tail -n +2 | cmp - one
}

@test "a line typed is a line split" {
	mkfifo to from
	hp-tokenize <to >from 3>&- &
	exec 7>to 8<from
	printf 'I see it.\n' >&7
	local line text=
	while read -t 20 -r line <&8 && [ -n "$line" ]; do text+=$line$'\n'; done
	[[ $text == '# newdoc'*'# text = I see it.'*'SpacesAfter=\n'* ]]
	printf 'And the' >&7
	run ! read -t 1 -r line <&8
	printf ' book.\n\n' >&7
	text=
	while read -t 20 -r line <&8 && [ -n "$line" ]; do text+=$line$'\n'; done
	[[ $text == *'# text = And the book.'* ]]
	exec 7>&-
	wait
	# So are EDUs.
	hp-tokenize --edus <to >from 3>&- &
	exec 7>to 8<from
	for word in I see; do
		printf '%s\n\n' $word >&7
		text=
		while read -t 20 -r line <&8 && [ -n "$line" ]; do text+=$line$'\n'; done
		[[ $text == *"# text = $word"* ]]
	done
	exec 7>&-
	wait
}

@test "training: the same again, also taken up again" {
	local train=("$srcdir/tests/data/tokenize/small.conllu")
	small() {
		hp-train --task=tokenize -q -j "${threads:-1}" -t "${train[0]}" -d "${train[0]}" --set window=64 --set batch=8 \
			--set hidden=8 --set warmup=2 --set ema=0.5 "$@"
	}
	small -e 3 -o a.safetensors -l log
	threads=2 small -e 3 -o b.safetensors
	cmp a.safetensors b.safetensors
	head -n 1 log | grep -q '^epoch,batches,loss,inside_loss,end_loss,dev_tokens,dev_words,dev_sentences,dev_all,best,'
	[ "$(hp-cat -k task a.safetensors)" = tokenize ]
	# The best epoch is that of F1 over tokens, words and sentences together.
	small -e 6 -o f.safetensors -l log
	hp-tokenize --undo "${train[0]}" | hp-tokenize -m ./f.safetensors >out
	hp-eval --conll --csv "${train[0]}" out 2>/dev/null | awk -F , '
		$8 ~ /-(Tokens|Words|Sentences)$/ && $9 == "f1" { right += $11; all += $12 + $13 }
		END { printf "%.3f\n", 200 * right / all }' >got
	cut -d , -f 9 log | tail -n +2 | sort -n | tail -n 1 | diff - got
	small --plan 0:30 -o c.safetensors
	timeout -s INT 1 hp-train --task=tokenize -q -j1 -t "${train[0]}" -d "${train[0]}" --set window=64 --set batch=8 --set hidden=8 \
		--set warmup=2 --set ema=0.5 --plan 0:30 -o d.safetensors -c state || true
	small --plan 0:30 -o d.safetensors -c state -r
	cmp c.safetensors d.safetensors
	says 2 "hp-train: --vectors is not for --task=tokenize" small -o e -v vectors
	says 2 "hp-train: --init is not for --task=tokenize" small -o e -i a.safetensors
	says 2 "hp-train: --dev is needed" hp-train --task=tokenize -t "${train[0]}" -o e
}
