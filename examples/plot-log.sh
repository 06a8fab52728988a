#!/bin/sh
# plot-log.sh LOG.csv... >log.svg: draws logs of hp-train, of any task, by gnuplot: losses, scores on dev and the learning rate
# over epochs, several logs in one figure.
set -eu

fail() {
	echo "plot-log.sh: $1" >&2
	exit 1
}

# columns PATTERN LOG: those whose name matches and that have figures
columns() {
	awk -F, -v pattern="$1" 'NR == 1 { split($0, name, ",") }
		NR > 1 && $1 ~ /^[0-9]+$/ { for (i = 1; i <= NF; i++) if ($i != "") has[i] = 1 }
		END { for (i = 1; i in name; i++) if (has[i] && name[i] ~ pattern && name[i] ~ /^[a-z0-9_]+$/) print name[i] }' <"$2"
}

# quoted TEXT: as gnuplot takes it
quoted() {
	printf "'%s'" "$(printf %s "$1" | sed "s/'/''/g")"
}

# panel LABEL PATTERN LOG...: a colour a log, or of one log a column; nothing where there are no such columns
panel() {
	label=$1 pattern=$2 curves=
	shift 2
	logs=$# log=0
	for file; do
		log=$((log + 1)) column=0
		case $file in /*) path=$file ;; *) path=./$file ;; esac
		for name in $(columns "$pattern" "$file"); do
			column=$((column + 1))
			if [ "$logs" -eq 1 ]; then
				color=$column title=$name
			else
				color=$log title="$file: $name"
			fi
			curves="$curves${curves:+, }$(quoted "$path") using (column('epoch')):(column('$name'))"
			curves="$curves with linespoints lc $color pt $column ps 0.5 dt $column title $(quoted "$title")"
		done
	done
	[ -z "$curves" ] || printf '%s\n' "set ylabel '$label'" "plot $curves"
}

[ $# -gt 0 ] || { echo "usage: plot-log.sh LOG.csv... >log.svg" >&2; exit 2; }
for file; do
	[ -r "$file" ] || fail "$file: cannot be read"
	head -n 1 <"$file" | grep -q '^epoch,batches,loss,' || fail "$file: no log of hp-train"
	[ -n "$(columns '^loss$' "$file")" ] || fail "$file: no epoch yet"
done
command -v gnuplot >/dev/null || fail "gnuplot is missing: apt-get install gnuplot-nox"
{
	echo "set terminal svg size 900,900 noenhanced background 'white'
set datafile separator ','
set datafile missing NaN
set key outside right top
set lmargin 10
set grid ytics lc rgb '#cccccc'
set xlabel 'epoch'
set multiplot layout 3,1"
	panel 'loss per word' 'loss$' "$@"
	panel 'dev (%)' '^dev_' "$@"
	panel 'learning rate' '^learning_rate$' "$@"
} | gnuplot
