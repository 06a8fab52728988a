# Span F1 by number of EDUs, or by depth of the gold tree's nodes, models selected by Span, from table.csv; of documents, by
# the original Parseval:
#	gnuplot -e "by = 'edus'; documents = 0" figure.gp >span-by-edus.svg
#	gnuplot -e "by = 'depth'; documents = 1" figure.gp >span-by-depth.svg
set terminal svg size 640,420 font "sans-serif,13" background "white"
what = documents ? "document" : "sentence"
metric = documents || by eq "depth" ? "Parseval-Span" : "Span"
measure = by eq "depth" ? "accuracy" : "f1"
width = documents && by eq "edus" ? 50 : 1 # of a bin
if (by eq "depth") {
	set title sprintf("Nodes of %ss by depth: mean over seeds, bars one standard deviation", what)
	set xlabel "depth in the gold tree, the root's being 1"
	set ylabel "nodes whose span is found (%)"
	set xtics 1
} else {
	set title sprintf("%ss by number of EDUs: mean over seeds, bars one standard deviation", what)
	set xlabel sprintf("EDUs of the %s", what)
	set ylabel sprintf("%s F1 (%%)", metric)
	if (documents) {
		set xrange [-24:176]
		set xtics ("to 50" 1, "to 100" 51, "to 150" 101, "more" 151)
	} else {
		set xrange [2.5:8.5]
		set xtics ("3" 3, "4" 4, "5" 5, "6" 6, "7" 7, "8 and more" 8)
	}
}
set grid ytics lc rgb "#cccccc"
set key top right
# Columns: name (2), by (5), group (6), metric (7), measure (8), mean (10), sd (11).  A bin stands where it begins; spans of
# two EDUs, and roots, are always right.
least = by eq "depth" ? 1 : 2
rows(fusion) = sprintf("<awk -F, '$2 == \"%s span\" && $5 == \"%s\" && $6 != %d && $7 == \"%s\" && $8 == \"%s\" { n = $6; sub(/[^0-9].*/, \"\", n); print n, $10, $11 }' table.csv", fusion, by, least, metric, measure)
shift_of(i) = (i - 2.5) * 0.08 * width
fusions = "T P PS PST"
plot for [i = 1:4] rows(word(fusions, i)) using ($1 + shift_of(i)):2:3 with yerrorlines lw 1.5 pt i + 3 title word(fusions, i)
