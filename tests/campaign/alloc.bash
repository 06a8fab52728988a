# shellcheck shell=bash
# alloc: the n-th allocation of a program fails, or all from there on: it says so and ends, or does without.
# shellcheck source=tests/campaign/commands.bash
. "${srcdir:?}/tests/campaign/commands.bash"

for ((c = 0; c < commands; c++)); do
	expected "$c"
	rm -f new.*
	command "$c" env LD_PRELOAD="$tools/starve.so" STARVE_COUNT="$PWD/count.$c" >/dev/null 2>&1
done
while goes_on; do
	below "$commands"
	c=$REPLY
	below "$(cat "count.$c")"
	at=$((REPLY + 1))
	one_of 1 1 3 0
	much=$REPLY
	rm -f new.*
	command "$c" at_most 20 env LD_PRELOAD="$tools/starve.so" STARVE_AT="$at" STARVE_FOR="$much" >out 2>said
	status=$?
	what="command $c with STARVE_AT=$at STARVE_FOR=$much"
	survives "$what" && as_expected "$c" "$what"
done
done_with
