#!/bin/sh
# report.sh FOLDER...: a page of HTML with the tables and figures that make has left in these folders, on standard output.
set -e
cat <<'END'
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Hierarchical pointer networks on Universal Dependencies</title>
<style>
body { font-family: sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em }
pre { overflow-x: auto }
svg { display: block; max-width: 100%; height: auto; margin: 1em 0 }
</style>
</head>
<body>
<h1>Hierarchical pointer networks on Universal Dependencies</h1>
<p>T is StackPtr; P, PS and PST fuse the decoder states of parent, of parent and sibling, and of these and the previous step.
Scores on test: mean &plusmn; standard deviation over seeds, each model the best epoch by LAS on dev; then the difference from T
and, for each seed, the two-sided p-value of a paired bootstrap over sentences.  Figures: the first tags and beam.</p>
END
figures=0
for folder; do
	printf '<h2>%s</h2>\n<pre>\n' "$(basename "$folder")"
	sed 's/&/\&amp;/g; s/</\&lt;/g' "$folder/table.txt"
	echo '</pre>'
	for by in length arc depth; do
		[ -e "$folder/$by.svg" ] || continue
		figures=$((figures + 1))
		# Without the XML declaration; ids are the page's.
		sed -n "/<svg/,\$ { s/\\(id=['\"]\\|url(#\\|href=['\"]#\\)/&f$figures-/g; p }" "$folder/$by.svg"
	done
done
printf '</body>\n</html>\n'
