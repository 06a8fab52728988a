#!/bin/sh
# queries.sh QUESTION [FILE]...: what corpus linguists ask of dependency trees in CoNLL-U, such as hp-parse writes.  QUESTION:
#
#	relations          the relations by frequency
#	subjects           verbs and their subjects, by frequency; nsubj:pass are those of the passive
#	adjectives[=NOUN]  adjectives and the nouns that they go with, by frequency
#	order              how often subjects and objects stand before their verbs, and behind them
#	keyword=WORD       a word in its sentences: five words before it, the word, five behind it, its relation and head, its
#	                   dependants
#
# Columns are separated by tabs.  Words are lemmas where there are any, else forms; WORD is either.  Multiword tokens' lines,
# empty nodes and comments are passed over.
set -eu
export LC_ALL=C

question=${1-}
case $question in
relations | subjects | adjectives | adjectives=?* | order) by_frequency=1 ;;
keyword=?*) by_frequency= ;;
*)
	echo "usage: queries.sh relations|subjects|adjectives[=NOUN]|order|keyword=WORD [FILE]..." >&2
	exit 2
	;;
esac
shift
for file; do
	[ "$file" = - ] || [ -r "$file" ] || { echo "queries.sh: $file: cannot be read" >&2; exit 1; }
	case $file in
	- | /*) ;;
	*) file=./$file ;; # a name like x=y would be no file to awk
	esac
	shift
	set -- "$@" "$file"
done

# The answers, a line each.
answers() {
	ask=${question%%=*} word=${question#"${question%%=*}"} awk -F '\t' -v OFS='\t' '
	function name(i) { return lemma[i] == "_" ? form[i] : lemma[i] }
	function is_verb(i) { return upos[i] == "VERB" || upos[i] == "_" }
	function words(from, to,  i, text) {
		for (i = from < 1 ? 1 : from; i <= to && i <= n; i++)
			text = text (text == "" ? "" : " ") form[i]
		return text
	}
	function dependants(head_word,  i, text) {
		for (i = 1; i <= n; i++)
			if (head[i] == head_word)
				text = text (text == "" ? "" : ", ") relation[i] " " form[i]
		return text == "" ? "-" : text
	}
	function answer(i) {
		if (ask == "relations")
			print relation[i]
		else if (ask == "subjects" && relation[i] ~ /^nsubj(:|$)/ && is_verb(head[i]))
			print name(head[i]), relation[i], name(i)
		else if (ask == "adjectives" && relation[i] ~ /^amod(:|$)/ && (word == "" || name(head[i]) == word))
			print name(i), name(head[i])
		else if (ask == "order" && relation[i] ~ /^nsubj(:|$)/ && is_verb(head[i]))
			print i < head[i] ? "subject verb" : "verb subject"
		else if (ask == "order" && relation[i] ~ /^obj(:|$)/ && is_verb(head[i]))
			print i < head[i] ? "object verb" : "verb object"
		else if (ask == "keyword" && (form[i] == word || lemma[i] == word))
			print id, words(i - 5, i - 1), form[i], words(i + 1, i + 5),
				relation[i] (head[i] > 0 ? " of " form[head[i]] : ""), dependants(i)
	}
	function end_sentence(  i) {
		for (i = 1; i <= n; i++)
			answer(i)
		n = 0
		id = "-"
	}
	BEGIN { ask = ENVIRON["ask"]; word = substr(ENVIRON["word"], 2); id = "-" }
	{ sub(/\r$/, "") }
	FNR == 1 || /^$/ { end_sentence() }
	/^# sent_id = / { id = substr($0, 13) }
	$1 ~ /^[0-9]+$/ { n = $1; form[n] = $2; lemma[n] = $3; upos[n] = $4; head[n] = $7; relation[n] = $8 }
	END { end_sentence() }' "$@"
}

if [ "$by_frequency" ]; then
	answers "$@" | awk '{ n[$0]++ } END { for (line in n) print n[line] "\t" line }' | sort -k1,1nr -k2
else
	answers "$@"
fi
