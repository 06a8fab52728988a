# shellcheck shell=sh
# What parse-ssh and parse-slurm have in common.

# begin SIZE CORPUS OUTPUT COMMAND...: sets corpus, output and folder, where the shares are kept until all are parsed.
begin() {
	[ $# -ge 4 ] || { sed -n 's/^#\t/Usage: /p; T; q' "$0" >&2; exit 2; }
	corpus=$2 output=$3 folder=$3.shares
	if LC_ALL=C grep -q '^# global\.columns' "$corpus"; then
		echo "$corpus: CoNLL-U Plus cannot be cut: only one share would have the line that names the columns" >&2
		exit 1
	fi
	of="$* $(cksum <"$corpus")"
	mkdir -p "$folder"
	[ -e "$folder/of" ] || printf '%s\n' "$of" >"$folder/of"
	[ "$(cat "$folder/of")" = "$of" ] ||
		{ echo "$folder: shares of another corpus, size or command; remove it" >&2; exit 1; }
}

# All shares are parsed: their output, in order, becomes OUTPUT.
finish() {
	(cd "$folder" && find . -name '*.out' | sort -V | xargs cat) >"$output.part"
	mv "$output.part" "$output"
	rm -r "$folder"
}
