#!/bin/bash
# Runs the EXAMPLES of the manual pages.  In a ".Bd -literal" block of that section a line that begins with "$ " is
# a command (a line that ends with a backslash, | or && goes on in the next); the lines up to the next command are all that it
# prints, on both outputs, and it must succeed.  A line "..." stands for any number of lines, and "..." within a
# line for any text.  The command runs in a folder of its own that holds a copy of examples/.
# A block with ".\" not run" as the line before it is not run.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"

# Each command of a page with its output into a file of its own: PREFIX.001.cmd, PREFIX.001.out, ...
cut_page() {
	awk -v prefix="$2" '
	function finish() { if (name != "") { close(name ".cmd"); close(name ".out") } name = "" }
	/^\.Sh / { examples = /^\.Sh EXAMPLES/ }
	/^\.\\" not run/ { pass = 1; next }
	examples && /^\.Bd .*-literal/ { block = !pass; pass = 0; next }
	/^\.Ed/ { finish(); block = 0; next }
	{ pass = 0 }
	!block { next }
	{
		gsub(/\\&/, ""); gsub(/\\-/, "-"); gsub(/\\\(dq/, "\""); gsub(/\\\(aq/, "\047"); gsub(/\\e/, "\\")
	}
	more { print >>(name ".cmd"); more = /(\\|[|]|&&)$/; next }
	/^\$ / {
		finish()
		name = sprintf("%s.%03d", prefix, ++count)
		print substr($0, 3) >(name ".cmd")
		printf "" >(name ".out")
		more = /(\\|[|]|&&)$/
		next
	}
	name != "" { print >>(name ".out") }
	' "$1"
}

# The expected output as a pattern that awk compares: "..." is a wildcard.
matches() {
	awk '
	function fits(line, pattern,    part, n, i, at) {
		n = split(pattern, part, /\.\.\./)
		if (n == 1) { return line == pattern }
		if (substr(line, 1, length(part[1])) != part[1]) { return 0 }
		line = substr(line, length(part[1]) + 1)
		for (i = 2; i < n; i++) {
			at = index(line, part[i])
			if (!at) { return 0 }
			line = substr(line, at + length(part[i]))
		}
		return length(line) >= length(part[n]) && substr(line, length(line) - length(part[n]) + 1) == part[n]
	}
	NR == FNR { want[++wanted] = $0; next }
	{ got[++gotten] = $0 }
	END {
		# reach[j]: the first i expected lines can match the first j lines that came.
		reach[0] = 1
		for (i = 1; i <= wanted; i++) {
			if (want[i] == "...") {
				for (j = 1; j <= gotten; j++) { if (reach[j - 1]) { reach[j] = 1 } }
				continue
			}
			for (j = gotten; j >= 1; j--) { reach[j] = reach[j - 1] && fits(got[j], want[i]) }
			reach[0] = 0
		}
		exit !reach[gotten + 0]
	}' "$1" "$2"
}

for page in "$srcdir"/man/*.[1-9]; do
	name=$(basename "$page")
	cut_page "$page" "$work/$name"
	mkdir "$work/run" && cp -r "$srcdir/examples/." "$work/run" && chmod -R u+w "$work/run"
	for command in "$work/$name".*.cmd; do
		[ -e "$command" ] || continue
		title="$name: $(head -n 1 "$command" | tr '#' ' ')"
		(cd "$work/run" && timeout 120 bash "$command") >"$work/got" 2>&1 </dev/null
		status=$?
		if [ $status -eq 0 ] && matches "${command%.cmd}.out" "$work/got"; then
			point 0 "$title"
		else
			{ echo "exit status $status"; diff -U 99 --label page --label here "${command%.cmd}.out" "$work/got"; } >"$work/why"
			point 1 "$title"
		fi
	done
	rm -rf "$work/run"
done
plan
