#!/usr/bin/env bats
# examples/plot-log.sh: a curve a column of figures, in one picture.
bats_require_minimum_version 1.5.0
load filters

setup() {
	enter
	plot=$srcdir/examples/plot-log.sh
	cat >dep.csv <<'END'
epoch,batches,loss,structure_loss,label_loss,dev_uas,dev_las,dev_las_without_tags,best,learning_rate,words_per_second,seconds,peak_memory_mb,precision,plan
1,10,2.5,1.5,1.0,,,,,0.001,100.0,1.0,9.0,f32,"0:20,5:40"
2,20,1.5,1.0,0.5,80.5,70.5,,1,0.001,100.0,2.0,9.0,f32,
3,30,1.0,0.5,0.5,,,,,0.0005,100.0,3.0,9.0,f32,
4,40,0.9,0.5,0.4,81.5,71.5,,1,0,100.0,4.0,9.0,f32,
test,40,,,,82.0,72.0,,,,,,,,
END
}

# The names of the curves in FILE.
curves() {
	awk '/id="gnuplot_plot_/ { curve = 1 } curve && /<text>/ { gsub(/<[^>]*>|\t/, ""); print; curve = 0 }' "$1"
}

drawn_or_skipped() {
	command -v gnuplot >/dev/null || skip "gnuplot is not here"
}

@test "one log: columns that have figures" {
	drawn_or_skipped
	sh "$plot" dep.csv >a.svg 2>said
	[ ! -s said ]
	[ "$(curves a.svg | tr '\n' ' ')" = "loss structure_loss label_loss dev_uas dev_las learning_rate " ]
	grep -q '</svg>' a.svg
	# Scores of epochs 2 and 4 are joined by a line, beside that of the legend.
	[ "$(sed -n '/gnuplot_plot_1b/,/gnuplot_plot_2b/p' a.svg | grep -o ' L[0-9]' | wc -l)" -eq 2 ]
}

@test "logs of all tasks, several in one picture, names of any kind" {
	drawn_or_skipped
	gold=$srcdir/tests/data/segment/clauses.conllu
	for task in segment tag; do
		hp-train --task=$task -q -t "$gold" -d "$gold" -e 2 -j 1 --set hidden=4 --set word_dim=4 --set char_dim=4 \
			--set char_filters=4 -o m.safetensors -l $task.csv 2>said
	done
	cp dep.csv "it's a_log=1.csv"
	sh "$plot" segment.csv "it's a_log=1.csv" "$PWD/tag.csv" >a.svg 2>said
	[ ! -s said ]
	curves a.svg >names
	grep -qx 'segment.csv: dev_f1' names
	grep -qx "it's a_log=1.csv: dev_las" names || grep -qx "it&#39;s a_log=1.csv: dev_las" names
	grep -qx "$PWD/tag.csv: lemma_loss" names
	[ "$(wc -l <names)" -eq $((1 + 4 + 1 + 6 + 3 + 5 + 1)) ]
	# A training that has not been scored yet has no such panel.
	head -n 2 dep.csv >begun.csv
	sh "$plot" begun.csv >a.svg
	[ "$(curves a.svg | tr '\n' ' ')" = "loss structure_loss label_loss learning_rate " ]
}

@test "files that are no logs" {
	run -2 sh "$plot"
	[ "$output" = "usage: plot-log.sh LOG.csv... >log.svg" ]
	run -1 sh "$plot" dep.csv absent
	[ "$output" = "plot-log.sh: absent: cannot be read" ]
	run -1 sh "$plot" "$srcdir/examples/dep.csv"
	[ "$output" = "plot-log.sh: $srcdir/examples/dep.csv: no log of hp-train" ]
	head -n 1 dep.csv >new.csv
	run -1 sh "$plot" new.csv
	[ "$output" = "plot-log.sh: new.csv: no epoch yet" ]
}
