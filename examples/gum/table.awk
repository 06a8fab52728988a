# The table of examples/gum: mean and standard deviation of Span, Nuclearity and Relation, a line a fusion and a way of
# selecting on dev.  PARSEVAL is what stands before their names: Parseval- for the original Parseval.
BEGIN {
	FS = ","
	print "Fusion  Selected by      Span         Nuclearity     Relation"
}
$5 == "" && $8 == "f1" && $7 ~ "^" parseval "(Span|Nuclearity|Relation)$" {
	if (!($2 in seen)) {
		seen[$2] = 1
		order[++names] = $2
	}
	score[$2, $7] = sprintf("%.2f ± %.2f", $10, $11)
}
END {
	for (i = 1; i <= names; i++) {
		split(order[i], part, " ")
		printf "%-6s  %-11s  %s   %s   %s\n", part[1], part[2], score[order[i], parseval "Span"],
			score[order[i], parseval "Nuclearity"], score[order[i], parseval "Relation"]
	}
}
