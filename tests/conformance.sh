#!/bin/bash
# libhp against the reference's fixtures (values, gradients, trees), and that a fixture with other numbers does not agree.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"

for fixture in "$srcdir"/tests/data/conformance/*.safetensors; do
	"$builddir/tests/conformance" "$fixture" >"$work/why" 2>&1
	point $? "$(basename "$fixture")"
done

# The last eight bytes of a fixture, the end of its last tensor, become 0xbf.
fixture=$srcdir/tests/data/conformance/dep-PST-sgate.safetensors
size=$(stat -c %s "$fixture")
{ head -c $((size - 8)) "$fixture"; printf '\277\277\277\277\277\277\277\277'; } >"$work/changed.safetensors"
"$builddir/tests/conformance" "$work/changed.safetensors" >"$work/why" 2>&1
[ $? -eq 1 ]
point $? "a changed fixture does not agree"

"$builddir/tests/conformance" "$fixture" "$work/changed.safetensors" "$fixture" >"$work/why" 2>&1
[ $? -eq 1 ] && [ "$(wc -l <"$work/why")" -eq 3 ]
point $? "a line a file, and one that does not agree is enough"
plan
