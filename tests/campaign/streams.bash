# shellcheck shell=bash
# streams: changed tensor streams through the filters; a stream that was cut is always noticed.
# shellcheck source=tests/campaign/lib.bash
. "${srcdir:?}/tests/campaign/lib.bash"
models
streams

filter() {
	local task stage from model input options=() how
	one_of dep rst; task=$REPLY
	one_of encode decode label cat; stage=$REPLY
	case $stage in
	encode) from=embed ;;
	decode) from=encode ;;
	*) from=decode ;;
	esac
	model=models/tiny.safetensors
	[ "$task" = dep ] || model=models/discourse.safetensors
	if [ "$task" = rst ] && [ "$stage" = encode ]; then
		one_of rst.embed rst.elmo; input=$REPLY
		[ "$input" = rst.embed ] || model=models/layers.safetensors
	else
		input=$task.$from
	fi
	one_of stream stream stream bytes cut; how=$REPLY
	below 1000000000
	"$plain/tests/campaign/mutate" "$REPLY" "$how" "$input" in
	[ "$stage" = cat ] || options=(-m "$model")
	one_of "" -j2 --int8
	[ -z "$REPLY" ] || [ "$stage" = cat ] || options+=("$REPLY")
	case $stage in
	decode)
		one_of "" --text --beam=4
		[ -z "$REPLY" ] || options+=("$REPLY")
		;;
	label)
		one_of "" --scores
		[ -z "$REPLY" ] || options+=("$REPLY")
		;;
	esac
	if [ $((runs % 2)) -eq 0 ]; then
		at_most 20 "$sanitize/bin/hp-$stage" "${options[@]}" in >out 2>said
		status=$?
	else
		at_most 20 "$sanitize/bin/hp-$stage" "${options[@]}" <in >out 2>said
		status=$?
	fi
	survives "hp-$stage ${options[*]} on a changed $input ($how)" in "$model" || return
	[ "$how" != cut ] || [ "$status" -eq 1 ] || finding "hp-$stage ${options[*]} does not notice a cut $input" in "$model"
}

# The cut is noticed at the end of the pipe as well, whose status is all that a shell without pipefail has.
pipe_of_cut() {
	one_of dep rst
	below 1000000000
	"$plain/tests/campaign/mutate" "$REPLY" cut "$1.embed" in
	set +o pipefail
	"$plain/bin/hp-encode" <in 2>said | "$plain/bin/hp-decode" 2>>said | "$plain/bin/hp-label" >out 2>>said
	status=$?
	set -o pipefail
	survives "a pipe on a cut $1.embed" in && [ "$status" -eq 0 ] && finding "a pipe does not notice a cut $1.embed" in
}

while goes_on; do
	filter
	filter
	filter
	one_of dep rst
	pipe_of_cut "$REPLY"
done
done_with
