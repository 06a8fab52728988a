#!/bin/bash
# elmo-convert, and the published ELMo test model against its outputs where that and python3-h5py are there.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"
fixture=$srcdir/../shared/data/elmo-fixture
convert=$builddir/bin/elmo-convert
python=/usr/bin/python3
export PYTHONDONTWRITEBYTECODE=1

if ! "$python" -c 'import h5py, numpy' 2>/dev/null; then
	skip "elmo-convert" "no python3-h5py"
	plan
	exit
fi

# expect STATUS MESSAGE ARGUMENT...: elmo-convert says just that (and where help is), and writes nothing.
expect() {
	local status=$1 message=$2 got
	shift 2
	"$python" "$convert" "$@" >"$work/out" 2>&1
	got=$?
	sed "/^Try 'elmo-convert --help' for more information.$/d" "$work/out" >"$work/said"
	printf 'elmo-convert: %s\n' "$message" | diff - "$work/said" >"$work/why" && [ $got -eq "$status" ] && [ ! -e "$work/no" ]
	point $? "$message"
}

cd "$work" || exit 1
"$python" "$convert" --help | grep -q '^Usage: elmo-convert OPTIONS.json WEIGHTS.hdf5 OUT.safetensors$'
point $? "elmo-convert --help"
expect 2 "expected OPTIONS.json WEIGHTS.hdf5 OUT.safetensors" options.json
echo '{"char_cnn": {"embedding": {"dim": 2}, "activation": "elu", "max_characters_per_token": 50}}' >elu.json
echo '{"char_cnn": {"embedding": {"dim": true}}}' >true.json
echo '{"char_cnn": ' >cut.json
echo '{}' >none.json
"$python" -c 'import h5py; h5py.File("empty.hdf5", "w")'
expect 1 "absent.json: No such file or directory" absent.json empty.hdf5 no
expect 1 "none.json: no HDF5 file, or a damaged one" none.json none.json no
expect 1 "absent.hdf5: No such file or directory" none.json absent.hdf5 no
expect 1 "none.json: no 'char_cnn.embedding.dim'" none.json empty.hdf5 no
expect 1 "true.json: 'char_cnn.embedding.dim' is true, expected a whole number from 1 to 65536" true.json empty.hdf5 no
expect 1 "elu.json: 'char_cnn.activation' is \"elu\", expected relu or tanh" elu.json empty.hdf5 no
expect 1 "cut.json: no JSON: Expecting value: line 2 column 1 (char 14)" cut.json empty.hdf5 no
options() { printf '{"char_cnn": {"embedding": {"dim": 2}, "activation": "relu", "max_characters_per_token": 50, "filters": %s}}' "$1"; }
options '[[1, 65536]]' >many.json
options '[[1, 65537]]' >more.json
"$python" - <<END
import h5py, numpy as np
h5py.File("null.hdf5", "w").create_dataset("char_embed", data=h5py.Empty("f4"))
h5py.File("large.hdf5", "w")["char_embed"] = np.full((261, 2), 1e300)
h5py.File("char.hdf5", "w")["char_embed"] = np.zeros((261, 2), "f4")
END
expect 1 "null.hdf5: char_embed: an empty data set" many.json null.hdf5 no
expect 1 "large.hdf5: char_embed: holds a value that is not finite or beyond 1e+09" many.json large.hdf5 no
expect 1 "char.hdf5: no data set 'CNN/W_cnn_0'" many.json char.hdf5 no
expect 1 "more.json: 'char_cnn.filters': [1, 65537], expected [width, number] up to 65536" more.json char.hdf5 no

cp none.json kept.json
ln -s none.json link.json
expect 1 "OPTIONS.json and OUT.safetensors are the same file: link.json" none.json empty.hdf5 link.json
expect 1 "WEIGHTS.hdf5 and OUT.safetensors are the same file: ./empty.hdf5" none.json empty.hdf5 ./empty.hdf5
for other in true.json many.json; do
	expect 1 "OUT.safetensors: $other is there already and is no converted model: expected another name" none.json empty.hdf5 $other
done
"$builddir/tests/make-model" dep.safetensors
expect 1 "OUT.safetensors: dep.safetensors is there already and is no converted model: expected another name" none.json empty.hdf5 dep.safetensors
"$builddir/tests/make-model" -E 1 elmo.safetensors
expect 1 "none.json: no 'char_cnn.embedding.dim'" none.json empty.hdf5 elmo.safetensors
cmp -s none.json kept.json
point $? "the inputs are untouched"

# What is written, with functions of its own: no fixture needed.
cat >save.py <<END
import importlib.machinery, importlib.util, sys
loader = importlib.machinery.SourceFileLoader("convert", sys.argv[1])
module = importlib.util.module_from_spec(importlib.util.spec_from_loader("convert", loader))
loader.exec_module(module)
module.save([b"new", b"!"], sys.argv[2])
END
mkfifo pipe
timeout 10 cat pipe >piped &
timeout 10 "$python" save.py "$convert" pipe 2>why && wait $! && [ -p pipe ] && [ "$(cat piped)" = 'new!' ]
point $? "a pipe is written to and stays one"
echo old >private
chmod 600 private
"$python" save.py "$convert" private 2>why && [ "$(cat private)" = 'new!' ] && [ "$(stat -c %a private)" = 600 ]
point $? "an old file keeps its permissions"
if [ "$(id -u)" = 0 ]; then
	skip "a protected file is left alone" "root may write to it"
else
	chmod 444 private
	! "$python" save.py "$convert" private 2>why && grep -q 'Permission denied' why
	point $? "a protected file is left alone"
fi

if [ -d "$fixture" ]; then
	expect 1 "empty.hdf5: no data set 'char_embed'" "$fixture/options.json" empty.hdf5 no
	sed 's/\[4, 32\]/[4, 31]/' "$fixture/options.json" >other.json
	expect 1 "$fixture/lm_weights.hdf5: CNN/W_cnn_3: 1 x 4 x 4 x 32, expected 1 x 4 x 4 x 31" other.json "$fixture/lm_weights.hdf5" no
	expect 1 "no/such/folder: No such file or directory" "$fixture/options.json" "$fixture/lm_weights.hdf5" no/such/folder
	"$python" "$convert" "$fixture/options.json" "$fixture/lm_weights.hdf5" model >why 2>&1 &&
		"$python" "$srcdir/tests/elmo-fixture.py" "$fixture" expected >why 2>&1 &&
		"$builddir/tests/elmo-fixture" model expected >why 2>&1
	point $? "the published test model agrees"
	# Other numbers do not: half the clipping.
	sed 's/"proj_clip": 3/"proj_clip": 1.5/' "$fixture/options.json" >less.json
	"$python" "$convert" less.json "$fixture/lm_weights.hdf5" less >why 2>&1 && "$builddir/tests/elmo-fixture" less expected >why 2>&1
	[ $? -eq 1 ]
	point $? "a changed one does not"
	# Through the program: batches of three, which are sentence i of each list.
	"$python" "$srcdir/tests/elmo-stream.py" text "$fixture" >edus
	hp-embed --elmo model --carry --lanes 3 edus >stream 2>why && "$python" "$srcdir/tests/elmo-stream.py" compare "$fixture" stream >why 2>&1
	point $? "hp-embed --elmo --carry --lanes 3 agrees with it"
	# Numbers, not only shapes, are compared: without the states all but the first three sentences differ.
	hp-embed --elmo model edus >stream && "$python" "$srcdir/tests/elmo-stream.py" compare "$fixture" stream >said 2>why
	[ $? -eq 1 ] && [ "$(cat said)" = "3 of 30 sentences agree" ]
	point $? "without --carry only the first of each list does"
else
	skip "the published test model agrees" "it is not there"
	skip "hp-embed --elmo --carry --lanes 3 agrees with it" "it is not there"
fi
plan
