# Span F1 by number of EDUs, models selected by Span, from table.csv: gnuplot figure.gp >span-by-edus.svg
# Of documents, by the original Parseval: gnuplot -e documents=1 figure.gp
set terminal svg size 640,420 font "sans-serif,13" background "white"
what = exists("documents") ? "document" : "sentence"
metric = exists("documents") ? "Parseval-Span" : "Span"
width = exists("documents") ? 50 : 1 # of a bin
set title sprintf("%ss by number of EDUs: mean over seeds, bars one standard deviation", what)
set xlabel sprintf("EDUs of the %s", what)
set ylabel sprintf("%s F1 (%%)", metric)
if (exists("documents")) {
	set xrange [-24:176]
	set xtics ("to 50" 1, "to 100" 51, "to 150" 101, "more" 151)
} else {
	set xrange [2.5:8.5]
	set xtics ("3" 3, "4" 4, "5" 5, "6" 6, "7" 7, "8 and more" 8)
}
set grid ytics lc rgb "#cccccc"
set key top right
# Columns: name (2), by (5), group (6), metric (7), measure (8), mean (10), sd (11).  Spans of two EDUs are always right.
rows(fusion) = sprintf("<awk -F, '$2 == \"%s span\" && $5 == \"edus\" && $6 != 2 && $7 == \"%s\" && $8 == \"f1\" { n = $6; sub(/[^0-9].*/, \"\", n); print n, $10, $11 }' table.csv", fusion, metric)
shift_of(i) = (i - 2.5) * 0.08 * width
fusions = "T P PS PST"
plot for [i = 1:4] rows(word(fusions, i)) using ($1 + shift_of(i)):2:3 with yerrorlines lw 1.5 pt i + 3 title word(fusions, i)
