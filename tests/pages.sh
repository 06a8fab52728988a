#!/bin/bash
# Manual pages: free of mandoc's complaints, one for every program, and with the same options as --help.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"

# The options of a page: those in its .It lines.
page_options() {
	awk '/^\.It / {
		for (i = 2; i < NF; i++) {
			if ($i == "Fl") {
				o = $(i + 1)
				if (o == "Fl") { o = "-" $(i + 2); i++ }
				sub(/[=\[,].*/, "", o)
				print "-" o
			}
		}
	}' "$1" | sed 's/\\-/-/g' | sort -u
}

# The options that --help lists: those with which its lines begin.
help_options() {
	"$1" --help | awk '/^ *-/ {
		for (i = 1; i <= NF && $i ~ /^-/; i++) {
			o = $i
			more = sub(/,$/, "", o)
			sub(/[=\[].*/, "", o)
			print o
			if (!more) { break }
		}
	}' | sort -u
}

for page in "$srcdir"/man/*.[1-9]; do
	[ -e "$page" ] || continue
	mandoc -T lint -W warning "$page" >"$work/why" 2>&1
	point $? "$(basename "$page") passes mandoc -T lint"
done

for program in $programs; do
	name=$(basename "$program")
	page=$srcdir/man/$name.1
	if [ ! -e "$page" ]; then
		echo "there is no man/$name.1" >"$work/why"
		point 1 "$name has a manual page"
		continue
	fi
	help_options "$name" >"$work/help"
	page_options "$page" >"$work/page"
	{ [ -s "$work/help" ] && diff -U 99 --label help --label page "$work/help" "$work/page"; } >"$work/why"
	point $? "$name --help and its page name the same options"
done
plan
