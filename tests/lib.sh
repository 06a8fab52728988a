# shellcheck shell=bash
# What the tests/*.sh share: TAP points.  Read by them with ". $srcdir/tests/lib.sh".
srcdir=${srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
builddir=${builddir:-$PWD}
programs=${programs:-}
points=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# point STATUS NAME: one test point; with a STATUS other than 0 the file $work/why says why.
point() {
	points=$((points + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $points - $2"
	else
		echo "not ok $points - $2"
		[ ! -s "$work/why" ] || sed 's/^/# /' "$work/why"
	fi
	rm -f "$work/why"
}

skip() {
	points=$((points + 1))
	echo "ok $points - $1 # SKIP $2"
}

plan() {
	echo "1..$points"
}
