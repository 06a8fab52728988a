# LAS by length, arc or depth, from table.csv: gnuplot -c figure.gp BY TABLE "FUSION-GATE..." TAGS BEAM >BY.svg
# A panel a system, beside T; every token counts.
systems = ARG3
panels = words(systems)
columns = panels < 3 ? panels : 3
lines = (panels + columns - 1) / columns
# Columns: name (2), punctuation (4), by (5), group (6), metric (7), measure (8), mean (10), sd (11); arcs have F1.
rows(system) = sprintf("<awk -F, '$2 ~ /^%s %s %s$/ && $4 == \"keep\" && $5 == \"%s\" && $7 == \"LAS\" && $8 ~ /^(accuracy|f1)$/ { print ++n[$2], $6, $10, $11 + 0 }' %s", system, ARG4, ARG5, ARG1, ARG2)
name(system) = system[1:strstrt(system, "-") - 1] . " " . system[strstrt(system, "-") + 1:]
stats rows(".*") using 3 nooutput
set terminal svg size 360 * columns, 60 + 280 * lines font "sans-serif,12" background "white"
title(by) = by eq "length" ? "LAS by words of the sentence" : by eq "arc" ? "LAS (F1) by distance from the head" : "LAS by depth in the gold tree"
set multiplot layout lines, columns title title(ARG1) . ": mean over seeds, bars one standard deviation"
low = 5 * floor(STATS_min / 5)
high = 5 * ceil(STATS_max / 5)
set yrange [low : high > low ? high : low + 5] # all scores may be the same
set xtics noenhanced
set offsets 0.4, 0.4, 0, 0
set grid ytics lc rgb "#cccccc"
set key bottom left
do for [system in systems] {
	plot rows("T none") using ($1 - 0.06):3:4 with yerrorlines lw 1.5 pt 6 lc rgb "#888888" title "T", \
		rows(name(system)) using ($1 + 0.06):3:4:xtic(2) with yerrorlines lw 1.5 pt 7 lc rgb "#d95f02" title name(system)
}
