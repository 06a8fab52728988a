#!/bin/bash
# Under any limit of memory a program works or says that there is not enough: it ends soon, with status 0 or 1, and
# not by a signal.  Parsing does without OpenBLAS; training says so where it needs it and cannot open it.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"

if nm "$builddir"/bin/hp-cat 2>/dev/null | grep -q __asan_init; then
	skip "limits of memory" "the sanitizer takes terabytes of addresses"
	plan
	exit
fi
export HP_MODEL_PATH=$builddir/tests/models
data=$srcdir/examples
"$builddir"/tests/make-model "$work/model.safetensors" || exit 1
hp-embed -m "$work/model.safetensors" "$data/sample.conllu" >"$work/embedded" &&
	hp-encode "$work/embedded" >"$work/encoded" && hp-decode "$work/encoded" >"$work/decoded" || exit 1

# limited NAME COMMAND...: with memory from too little to start to enough for all.  What a program says comes from
# the limit: on its first line, or (hp-parse) on that of the stage that failed.
limited() {
	local name=$1 status
	shift
	for kilobytes in 3000 6000 10000 20000 40000 60000 80000 100000 130000 160000 200000 260000 400000 1000000; do
		(ulimit -v $kilobytes && exec timeout -s KILL 20 "$@") >"$work/out" 2>"$work/said" </dev/null
		status=$?
		[ $status -ne 127 ] || grep -q 'while loading shared libraries\|cannot allocate TLS data' "$work/said" || status=-1
		case $status in
		0 | 127) continue ;;
		1) grep -q 'out of memory\|Cannot allocate memory\|cannot make .* threads\|[Rr]esource temporarily unavailable' "$work/said" && continue ;;
		esac
		echo "ulimit -v $kilobytes: status $status" | cat - "$work/said" >"$work/why"
		point 1 "$name"
		return
	done
	[ $status -eq 0 ]
	point $? "$name"
}

for program in $programs; do
	name=$(basename "$program")
	[ "$name" = elmo-convert ] || limited "$name --version" "$name" --version
done
limited hp-embed hp-embed -m "$work/model.safetensors" "$data/sample.conllu"
limited hp-encode hp-encode "$work/embedded"
limited hp-decode hp-decode -b 4 "$work/encoded"
limited hp-label hp-label "$work/decoded"
limited 'hp-encode -j 3' hp-encode -j 3 "$work/embedded"
limited hp-parse hp-parse -m "$work/model.safetensors" "$data/sample.conllu"
limited hp-cat hp-cat "$work/decoded"
limited hp-eval hp-eval "$data/sample.conllu" "$data/sample.conllu"
limited rst-extract rst-extract "$data/library.rs3"
limited hp-draw hp-draw "$data/sample.conllu"
limited 'hp-draw --html' hp-draw --html "$data/library.rs3"
limited hp-train hp-train -q --train "$data/sample.conllu" --dev "$data/sample.conllu" --hyper "$data/train/small.csv" \
	--epochs 1 -j 2 -o "$work/trained"

# A library of that name that is none.
mkdir "$work/lib"
name=$(sed -n 's/.*-DHP_OPENBLAS=\\"\([^"\\]*\)\\".*/\1/p' "$builddir/Makefile" | head -n 1)
: >"$work/lib/$name"
export LD_LIBRARY_PATH=$work/lib
hp-embed -m "$work/model.safetensors" "$data/sample.conllu" >"$work/why" 2>&1 && cmp "$work/why" "$work/embedded"
point $? "hp-embed does without OpenBLAS"
hp-train -q --train "$data/sample.conllu" --dev "$data/sample.conllu" --hyper "$data/train/small.csv" --epochs 1 \
	-o "$work/trained" 2>"$work/why"
status=$?
if grep -q 'avx512dq.*avx512cd.*avx512bw.*avx512vl' /proc/cpuinfo; then
	[ $status -eq 0 ] # its own products are faster there
else
	[ $status -eq 1 ] &&
		grep -q "^hp-train: OpenBLAS, which makes matrix products, cannot be opened: $work/lib/$name: " "$work/why"
fi
point $? "hp-train names what keeps it from opening OpenBLAS, where it needs it"
plan
