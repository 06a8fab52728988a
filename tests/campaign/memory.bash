# shellcheck shell=bash
# memory: programs that may have only so much memory end, with a message.
# shellcheck source=tests/campaign/commands.bash
. "${srcdir:?}/tests/campaign/commands.bash"


for ((c = 0; c < commands; c++)); do
	expected "$c"
done
while goes_on; do
	below "$commands"
	c=$REPLY
	below 200000
	kilobytes=$((10000 + REPLY))
	rm -f new.*
	(ulimit -v "$kilobytes" && command "$c" at_most 30) >out 2>said
	status=$?
	what="command $c with ulimit -v $kilobytes"
	if [ "$status" -eq 127 ] || grep -q 'shared object\|cannot allocate\|fork:' said; then
		continue
	fi
	survives "$what" && as_expected "$c" "$what"
done
done_with
