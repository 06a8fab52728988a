# shellcheck shell=bash
# What the campaigns share; tests/campaign/run sets the variables:
#	srcdir plain sanitize thread tools   the sources, three builds, the campaigns' own programs
#	work       an empty folder, which is where a campaign runs
#	keep       a folder for what fails
#	seconds    how long; "while goes_on" asks
#	seed       of the random numbers
set -uo pipefail
: "${srcdir:?}" "${plain:?}" "${sanitize:?}" "${thread:?}" "${tools:?}" "${keep:?}" "${seconds:?}"
RANDOM=${seed:?}

export ASAN_OPTIONS=exitcode=99:abort_on_error=0 UBSAN_OPTIONS=halt_on_error=1:exitcode=99:print_stacktrace=1 TSAN_OPTIONS=exitcode=99
export LC_ALL=C OPENBLAS_NUM_THREADS=1
unset HP_MODEL HP_MODEL_PATH
export HP_MAP_PATH=$srcdir/maps
runs=0
status=0
findings=0
deadline=$((SECONDS + seconds))

goes_on() {
	[ "$SECONDS" -lt "$deadline" ] && [ "$findings" -lt 10 ]
}

# below N: $REPLY becomes a random number below N.
below() {
	REPLY=$(((RANDOM << 15 | RANDOM) % $1))
}

# one_of WORD...: $REPLY becomes one of them.
one_of() {
	below $#
	shift "$REPLY"
	REPLY=$1
}

# finding TEXT FILE...: keeps the files and what was said.
finding() {
	local text=$1 folder=$keep/$((++findings))
	shift
	mkdir -p "$folder"
	cp -r "$@" "$folder" 2>/dev/null
	{ echo "$text"; [ ! -s said ] || head -n 40 said; } >"$folder/finding"
	echo "finding: $text; kept in $folder"
	[ ! -s said ] || head -n 3 said | cut -c 1-300 | sed 's/^/    /'
}

# survives WHAT FILE...: after a command whose standard error is the file said and whose status is $status: it ended with 0, or with 1 and a message.
survives() {
	local what=$1
	shift
	runs=$((runs + 1))
	if grep -q 'Sanitizer\|runtime error' said; then
		finding "$what: a sanitizer's report" "$@"
	elif [ "$status" -gt 1 ]; then
		finding "$what: status $status" "$@"
	elif [ "$status" -eq 1 ] && ! grep -q '^[a-z-]*: .' said; then
		finding "$what: status 1 without a message" "$@"
	else
		return 0
	fi
	return 1
}

# at_most SECONDS COMMAND...: with 124 where it takes longer.
at_most() {
	timeout -k 5 "$@"
}

# At the end of every campaign.
done_with() {
	[ "$findings" -eq 0 ] || { echo "$runs runs, $findings findings"; exit 1; }
	echo "$runs runs, no finding"
	exit 0
}

# w ID FORM TAG HEAD DEPREL: a row of CoNLL-U.
w() {
	printf '%s\t%s\t_\t%s\tX%s\t_\t%s\t%s\t_\t_\n' "$1" "$2" "$3" "$3" "$4" "$5"
}

# A small treebank of SENTENCES sentences, chains and stars by turns, of letters that the tiny models know.
bank() {
	local s i n form=(the dog barks She reads a book)
	for ((s = 0; s < $1; s++)); do
		n=$((2 + s % 6))
		echo "# sent_id = $s"
		for ((i = 1; i <= n; i++)); do
			if [ "$i" -eq 1 ]; then
				w 1 "${form[s % 7]}" VERB 0 root
			elif [ $((s % 2)) -eq 0 ]; then
				w "$i" "${form[s * i % 7]}" "T$((i % 3))" $((i - 1)) dep
			else
				w "$i" "${form[s * i % 7]}" "T$((i % 3))" 1 "d$((i % 2))"
			fi
		done
		echo
	done
}

# units FILE EVERY: its CoNLL-U with marks of discourse units: the first word and every so many.
units() {
	awk -F'\t' -v OFS='\t' -v every="$2" 'NF == 10 && ($1 == 1 || $1 % every == 0) { $10 = "Seg=B-seg" } 1' "$1"
}

trees() {
	cat <<'END'
# sent_id = d-1
( Root (span 1 3)
  ( Nucleus (span 1 2) (rel2par span)
    ( Nucleus (leaf 1) (rel2par Contrast) (text _!She left_!) )
    ( Nucleus (leaf 2) (rel2par Contrast) (text _!but he stayed_!) )
  )
  ( Satellite (leaf 3) (rel2par Temporal) (text _!when it rained ._!) )
)

( Root (span 1 2)
  ( Satellite (leaf 1) (rel2par Condition) (text _!If she reads ,_!) )
  ( Nucleus (leaf 2) (rel2par span) (text _!the dog barks ._!) )
)

END
}

# The tiny models that all campaigns use, in ./models.
models() {
	mkdir -p models
	"$plain/tests/make-model" models/tiny.safetensors
	"$plain/tests/make-model" -r models/discourse.safetensors
	"$plain/tests/make-model" -D models/documents.safetensors
	"$plain/tests/make-model" -e models/segmenter.safetensors
	"$plain/tests/make-model" -L 2 models/layers.safetensors
	"$plain/tests/make-model" -E 1 models/elmo.safetensors
}

# Streams of every stage of both tasks, as dep.embed ... rst.decode.
streams() {
	local task model text stage from
	{ bank 5; echo "# a remark"; echo; } >text.conllu
	units text.conllu 2 | awk -v RS= -v ORS='\n\n' '/\n4\t/ { sub(/\n2\t[^\n]*/, "&|Span=2") } 1' >text.spans
	printf 'She reads\na book ,\nthe dog\nbarks .\n\nOne\n\nThe\nbook\n' >text.edus
	for task in dep rst; do
		model=models/tiny.safetensors text=text.conllu
		[ "$task" = dep ] || model=models/discourse.safetensors text=text.spans
		"$plain/bin/hp-embed" -m "$model" --constraints --input=conllu "$text" >"$task.embed"
		from=embed
		for stage in encode decode; do
			"$plain/bin/hp-$stage" "$task.$from" >"$task.$stage"
			from=$stage
		done
	done
	"$plain/bin/hp-embed" --elmo=models/elmo.safetensors text.edus >rst.elmo
}
