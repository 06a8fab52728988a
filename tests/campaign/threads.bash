# shellcheck shell=bash
# threads: parsers in threads, under ThreadSanitizer.
# shellcheck source=tests/campaign/lib.bash
. "${srcdir:?}/tests/campaign/lib.bash"
models
while goes_on; do
	at_most 120 "$thread/tests/campaign/threads" "$((runs + 1))" models/tiny.safetensors models/discourse.safetensors >out 2>said
	status=$?
	survives "threads $runs"
done
done_with
