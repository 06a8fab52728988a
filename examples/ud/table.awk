# The tables of examples/ud: awk -f table.awk table.csv compared.csv *.log.csv
# For each kind of tags, beam and way of counting a line a system: mean and standard deviation over seeds, the difference
# from T and, of each seed, the p-value of the paired bootstrap; the same of the seeds joined; then what the trainings came to on
# dev.
BEGIN { FS = "," }
FNR == 1 {
	kind = $4
	for (i = 1; i <= NF; i++)
		column[$i] = i
	run = FILENAME
	sub(/.*\//, "", run)
	sub(/\.log\.csv$/, "", run)
	next
}
kind == "punct" && $5 == "" && ($7 == "UAS" || $7 == "LAS") {
	split($2, part, " ")
	table = part[3] " " part[4] " " $4 " " part[5]
	system_name = part[1] " " part[2]
	if (!(table in tables)) {
		tables[table]
		table_order[++table_count] = table
	}
	if (!(system_name in systems)) {
		systems[system_name]
		system_order[++system_count] = system_name
	}
	mean[table, system_name, $7] = $10
	sd[table, system_name, $7] = $11
	runs[table, system_name] = $9
}
kind == "system1" {
	split($2, part, " ")
	key = part[3] " " part[4] " " $6 " " part[5] SUBSEP part[1] " " part[2] SUBSEP $7
	p[key] = p[key] sprintf(" %.4f", $14)
}
kind == "structure_loss" && $column["best"] == "1" {
	if (!(run in best))
		run_order[++run_count] = run
	best[run] = sprintf("%5d  %7.2f  %7.2f", $1, $column["dev_uas"], $column["dev_las"])
}
kind == "structure_loss" {
	epochs[run] = $1
	minutes[run] = $column["seconds"] / 60
	precision[run] = $column["precision"]
}

function score(metric) {
	return sprintf(runs[table, name] > 1 ? "%5.2f ± %-5.2f" : "%5.2f        ", mean[table, name, metric], sd[table, name, metric])
}

function difference(metric) {
	if (!((table, name, metric) in p))
		return ""
	return sprintf("%+6.2f%s", mean[table, name, metric] - mean[table, "T none", metric], p[table, name, metric])
}

END {
	width = 6 + 7 * runs[table_order[1], system_order[1]]
	for (t = 1; t <= table_count; t++) {
		table = table_order[t]
		split(table, part, " ")
		printf "%s tags, beam %s, %s%s\n", part[1], part[2], part[3] == "keep" ? "every token counted" : "without punctuation",
			part[4] ? ", seeds joined" : ""
		printf "%-6s  %-5s  %-13s  %-*s  %-13s  %s\n", "Fusion", "Gate", "  UAS", width, "   - T  p by seed", "  LAS", "   - T  p by seed"
		for (s = 1; s <= system_count; s++) {
			name = system_order[s]
			split(name, part, " ")
			line = sprintf("%-6s  %-5s  %s  %-*s  %s  %s", part[1], part[2], score("UAS"), width,
				difference("UAS"), score("LAS"), difference("LAS"))
			sub(/ *$/, "", line)
			print line
		}
		print ""
	}
	print "Trainings: the best epoch, its scores on dev, all epochs and their time"
	printf "%-12s  %5s  %7s  %7s  %6s  %7s  %s\n", "Run", "Epoch", "Dev UAS", "Dev LAS", "Epochs", "Minutes", "Precision"
	for (r = 1; r <= run_count; r++) {
		run = run_order[r]
		printf "%-12s  %s  %6d  %7.1f  %s\n", run, best[run], epochs[run], minutes[run], precision[run]
	}
}
