# shellcheck shell=bash
# What the tests of command lines share; read by them with "load filters".
# A bats test fails at the first command that fails, but not in the middle of a "&&" list or after "!".

# says STATUS TEXT COMMAND...: a case a line.  TEXT is all that COMMAND writes, on both outputs together, or with status 2
# the first line of it, for usage comes next; "..." in it stands for any text.  Then $output and $lines are as after "run".
says() {
	local expected=$2$'\n'"status $1" got pattern
	run "${@:3}"
	[ "$1" -eq 2 ] && got=${lines[0]-} || got=$output
	got+=$'\n'"status $status"
	pattern=$(sed 's/[][\\*?+@!()|]/\\&/g; s/\.\.\./*/g' <<<"$expected")
	# shellcheck disable=SC2053
	[[ $got == $pattern ]] || { printf '%s\n' "${*:3}" "Expected: $expected" "Got: $got"; false; }
}

# messages COMMAND...: only what it writes on standard error.
messages() {
	"$@" 2>&1 >/dev/null
}

srcdir=${srcdir:-$(cd "$BATS_TEST_DIRNAME/.." && pwd)}
make_model=${builddir:-$PWD}/tests/make-model
TAB=$'\t'

# A folder for the tests of a file, with the tiny models in it, and the default model of the filters.
make_models() {
	models=$BATS_FILE_TMPDIR/models
	mkdir -p "$models"
	"$make_model" "$models/tiny.safetensors"
	"$make_model" -s 2 "$models/other.safetensors"
	export models HP_MODEL=$models/tiny.safetensors
}

enter() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

# image HEADER DATA: a safetensors image; DATA is a printf format.
image() {
	printf "\\$(printf %o $((${#1} % 256)))\\$(printf %o $((${#1} / 256)))\\0\\0\\0\\0\\0\\0"
	printf %s "$1"
	printf "$2"
}

# The pipe of the four, whose status is that of the first that fails.
pipe() {
	(set -o pipefail; hp-embed "$@" | hp-encode | hp-decode | hp-label)
}

# w ID FORM [UPOS [HEAD [DEPREL [DEPS [MISC]]]]]: a row of CoNLL-U.
w() {
	printf '%s\t%s\tlemma\t%s\tXP\tFeat=1\t%s\t%s\t%s\t%s\n' "$1" "$2" "${3:-NOUN}" "${4:-_}" "${5:-_}" "${6:-_}" "${7:-_}"
}

# The words' HEAD and DEPREL replaced by H and L, so that texts can be compared.
mask() {
	LC_ALL=C awk -F '\t' -v OFS='\t' '$1 ~ /^[0-9]+$/ && NF == 10 { $7 = "H"; $8 = "L" } 1' "$@"
}

# check_trees FILE: each sentence is a tree with one root, whose label is root and no other's.
check_trees() {
	LC_ALL=C awk -F '\t' '
	function finish(    i, at, steps, roots) {
		for (i = 1; i <= n; i++) {
			if (head[i] !~ /^[0-9]+$/ || head[i] + 0 > n) { print "bad head " head[i]; bad = 1; exit }
			if (head[i] == 0) { roots++ }
			if ((head[i] == 0) != (label[i] == "root")) { print "root label"; bad = 1; exit }
			if (label[i] !~ /^(nsubj|root|det|punct|obj)$/) { print "label " label[i]; bad = 1; exit }
			steps = 0
			for (at = i; at != 0; at = head[at]) { if (++steps > n) { print "cycle"; bad = 1; exit } }
		}
		if (n > 0 && roots != 1) { print roots " roots"; bad = 1; exit }
		n = 0
	}
	NF == 0 { finish() }
	$1 ~ /^[0-9]+$/ && NF == 10 { n = $1; head[n] = $7; label[n] = $8; if ($9 != "_") { print "DEPS"; bad = 1; exit } }
	END { if (!bad && n > 0) { print "no blank line at the end"; bad = 1 } exit bad }' "$1"
}

# passes IN EXPECTED: the text IN goes through the whole pipe without a word on standard error; out comes EXPECTED,
# byte for byte but for HEAD and DEPREL of the words, which are a tree.
passes() {
	pipe "$1" >out 2>messages
	[ ! -s messages ]
	mask out >out.masked
	mask "$2" >expected.masked
	cmp out.masked expected.masked
	check_trees out
}

# kept IN: what IN says comes out (its DEPS are "_" already).
kept() {
	passes "$1" "$1"
}

# refused_at LINE PATTERN: what came before "good.conllu" is written, the text "in" is refused with its line.
refused_at() {
	local result=0
	pipe good.conllu in >out 2>messages || result=$?
	[ "$result" -eq 1 ]
	mask out >out.masked
	mask good.conllu | diff - out.masked
	grep -E "^hp-embed: in:$1: $2" messages
	# Nobody repeats it.
	[ "$(wc -l <messages)" -eq 1 ]
}

make_good() {
	{ echo "# sent_id = good"; w 1 She PRON; w 2 reads VERB; w 3 . PUNCT; echo; } >good.conllu
}

# ---- streams by hand ----

# record HEADER [FILE]: a safetensors image with the JSON text HEADER, and the bytes of FILE as data.
record() {
	local header=$1 size=0 i length bytes=''
	[ $# -lt 2 ] || size=$(stat -c %s "$2")
	while [ $(((${#header} + size) % 8)) -ne 0 ]; do
		header+=' '
	done
	length=${#header}
	for i in 0 1 2 3 4 5 6 7; do
		bytes+=$(printf '\\x%02x' $(((length >> (8 * i)) & 255)))
	done
	# shellcheck disable=SC2059
	printf "$bytes"
	printf %s "$header"
	[ $# -lt 2 ] || cat "$2"
}

first_record() {
	record '{"__metadata__":{"hp_stream":"1"'"${1:+,$1}"'}}'
}

last_record() {
	record '{"__metadata__":{"end":"1","sentences":"'"$1"'"}}'
}

# zeros N: N bytes of zero.
zeros() {
	head -c "$1" /dev/zero
}
