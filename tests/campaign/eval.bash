# shellcheck shell=bash
# eval: changed gold files, systems and result tables through hp-eval.
# shellcheck source=tests/campaign/lib.bash
. "${srcdir:?}/tests/campaign/lib.bash"
bank 6 >gold.conllu
sed 's/\t1\td/\t1\te/' gold.conllu >system.conllu
units gold.conllu 2 >gold.units
units gold.conllu 3 >system.units
trees >gold.dis
sed 's/Contrast/List/' gold.dis >system.dis
"$plain/bin/hp-eval" --csv --by=length gold.conllu system.conllu >one.csv
"$plain/bin/hp-eval" --csv gold.conllu gold.conllu >two.csv

# change FILE: perhaps, into FILE.changed.
change() {
	cp "$1" "$1.changed"
	one_of yes yes no
	[ "$REPLY" = no ] && return
	one_of bytes bytes bytes byte cut
	how=$REPLY
	below 1000000000
	"$plain/tests/campaign/mutate" "$REPLY" "$how" "$1" "$1.changed"
}

while goes_on; do
	one_of conllu conllu dis units csv; kind=$REPLY
	if [ "$kind" = csv ]; then
		files=(one.csv two.csv)
		one_of "--summarize" "--summarize --csv"; options=$REPLY
	else
		files=("gold.$kind" "system.$kind")
		if [ "$kind" = conllu ]; then
			one_of "" --conll "--by=length,arc,depth,direction,relation,universal" "--punct=unicode --csv" "--punct=upos" --max-words=4 --confusion
		elif [ "$kind" = units ]; then
			one_of --task=segment "--task=segment --by=genre --csv"
		else
			one_of "" "--by=edus,relation" "--nary=keep" "--csv" --edu-bins=2,3 --confusion
		fi
		options=$REPLY
	fi
	changed=()
	for file in "${files[@]}"; do
		change "$file"
		changed+=("$file.changed")
	done
	if [ "$kind" != csv ] && one_of no no compare && [ "$REPLY" = compare ]; then
		options="--compare --samples=50"
		changed+=("${changed[1]}")
	fi
	# shellcheck disable=SC2086 # a list of options
	at_most 20 "$sanitize/bin/hp-eval" $options "${changed[@]}" >out 2>said
	status=$?
	# Options for the other kind of trees are wrong usage, and a file's kind is what it looks like.
	[ "$status" -ne 2 ] || ! grep -q "Try 'hp-eval --help'" said || status=1
	survives "hp-eval $options ${changed[*]}" "${changed[@]}" || continue
	if [ "$status" -eq 0 ] && grep -qi 'nan\|inf' out && ! grep -qi 'nan\|inf' "${changed[@]}"; then
		finding "hp-eval $options ${changed[*]}: a figure that is none" "${changed[@]}" out
	fi
done
done_with
