#!/usr/bin/env bats
# Parsers of several members: training, the pipe of programs, what model files and streams hold.
bats_require_minimum_version 1.5.0
load filters

# Trainings of a second or two.
dep() {
	hp-train -q --train train.conllu --dev dev.conllu --hyper "$srcdir/examples/train/small.csv" --set hidden=16 \
		--set decoder_hidden=16 --set layers=1 --set decoder_input=16 --set arc_mlp=16 --set label_mlp=8 --set word_dim=16 \
		--set char_filters=8 "$@"
}

rst() {
	hp-train -q --task=rst --train sample.dis --dev sample.dis --set hidden=12 --set layers=2 --set label_mlp=8 \
		--set word_dim=12 --set char_filters=6 --set char_dim=6 --set document_layers=1 --set split_mlp=7 --set label_halves=1 "$@"
}

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	ln -s "$srcdir"/examples/train/*.conllu "$srcdir/examples/sample.dis" .
	sed 's/^# sent_id/# newdoc id/' sample.dis >documents.dis
	dep -e 2 --set members=3 -o dep.safetensors
	rst -e 2 --set members=2 -o rst.safetensors
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
}

@test "what a model says of its members" {
	hp-cat dep.safetensors | grep -x '  members = 3'
	hp-cat dep.safetensors | grep -x '  train.members = 3'
	# Each has an encoder of its own; what stands for the words all have together.
	[ "$(hp-cat dep.safetensors | grep -c 'encoder\.0\.fwd\.w_hh')" -eq 3 ]
	hp-cat dep.safetensors | grep -q 'member\.2\.label\.w '
	[ "$(hp-cat dep.safetensors | grep -c 'charcnn\.w')" -eq 1 ]
	dep -e 1 -o one.safetensors
	! hp-cat one.safetensors | grep member
	dep -e 1 --set members=1 -o other.safetensors
	cmp one.safetensors other.safetensors
}

@test "members with embeddings of their own" {
	dep -e 2 --set members=3 --set own_embeddings=1 --f8 -o own.safetensors
	hp-cat -k own_embeddings own.safetensors | grep -x 1
	[ "$(hp-cat own.safetensors | grep -c 'charcnn\.w')" -eq 3 ]
	# The words of each table are the same.
	[ "$(hp-cat own.safetensors | sed -n 's/^ *\(member\.[12]\.\)\?embed\.word //p' | sort -u | wc -l)" -eq 1 ]
	hp-parse -m ./own.safetensors --scores dev.conllu >out
	export HP_MODEL=./own.safetensors
	hp-embed dev.conllu >x
	hp-cat x | grep -c ' x F32 \[[0-9]*, 162\]'
	hp-encode -j 2 x | hp-decode | hp-label --scores | cmp - out
	hp-parse -m ./own.safetensors -j 3 --int8 --scores dev.conllu >int8
	hp-embed dev.conllu | hp-encode --int8 | hp-decode --int8 | hp-label --int8 --scores | cmp - int8
	for threads in 1 2 5; do
		dep -e 1 --set members=3 --set own_embeddings=1 -j$threads -o $threads.safetensors
		cmp 1.safetensors $threads.safetensors
	done
	dep -e 1 --init own.safetensors -o more.safetensors
	hp-cat more.safetensors | grep -q 'member\.2\.embed\.word'
	says 1 '...own.safetensors: the model differs in own_embeddings (0 here): expected --set own_embeddings=1' \
		dep -e 1 --init own.safetensors --set own_embeddings=0 -o none.safetensors
	says 1 'hp-train: hyper-parameters: own_embeddings is 1: expected several members, which embed words' \
		dep -e 1 --set own_embeddings=1 -o none.safetensors
	LC_ALL=C sed 's/"own_embeddings":"1"/"own_embeddings":"2"/' own.safetensors >two
	says 1 'hp-embed: ...two: own_embeddings is 2: expected 1' messages hp-embed -m ./two /dev/null
	LC_ALL=C sed 's/"own_embeddings":"1"/"xwn_embeddings":"1"/' own.safetensors >shared
	says 1 'hp-embed: ...shared: tensor `member.1.embed.word` has no place in the network that the metadata describes' \
		messages hp-embed -m ./shared /dev/null
	LC_ALL=C sed 's/"members":"3"/"xembers":"3"/' own.safetensors >alone
	says 1 'hp-embed: ...alone: own_embeddings is 1: expected several members, which embed words' \
		messages hp-embed -m ./alone /dev/null
	unset HP_MODEL
	rst -e 1 --set members=2 --set own_embeddings=1 -o own-rst.safetensors
	hp-parse -m ./own-rst.safetensors -i dis documents.dis >trees
	hp-embed -m ./own-rst.safetensors -i dis documents.dis | hp-encode | hp-decode | hp-label | cmp - trees
}

@test "the pipe finds what hp-parse does, at any number of threads, sentences at a time and beam" {
	hp-parse -m ./dep.safetensors dev.conllu >out
	hp-eval dev.conllu out | grep UAS
	HP_MODEL=./dep.safetensors pipe dev.conllu | cmp - out
	hp-parse -m ./dep.safetensors -j 3 --beam=4 --scores dev.conllu >beam
	hp-embed -m ./dep.safetensors dev.conllu | hp-encode -j 2 | hp-decode --beam=4 | hp-label --scores | cmp - beam
	hp-parse -m ./rst.safetensors -i dis documents.dis >trees
	hp-embed -m ./rst.safetensors -i dis documents.dis | hp-encode | hp-decode | hp-label | cmp - trees
	hp-embed -m ./rst.safetensors -i dis documents.dis | hp-encode | hp-cat | grep -c ' h F32 \[[0-9]*, 24\]' |
		diff - <(grep -c Root sample.dis)
}

@test "the same bytes whether members are trained in turn or together" {
	for precision in f32 bf16; do
		# Not all processors can do the second.
		dep -e 1 --set members=3 --precision=$precision -j5 -o turn.safetensors || { [ $precision = bf16 ] && continue; }
		for threads in 1 2 3; do
			dep -e 1 --set members=3 --precision=$precision -j$threads -o together.safetensors
			cmp turn.safetensors together.safetensors
		done
	done
}

@test "a training goes on from its checkpoint, and from its model" {
	dep --set members=2 -e 3 --set schedule=constant -o whole.safetensors
	dep --set members=2 -e 1 --set schedule=constant -o part.safetensors -c c
	dep --set members=2 -e 3 --set schedule=constant -o part.safetensors -c c --resume
	hp-parse -m ./whole.safetensors dev.conllu >out
	hp-parse -m ./part.safetensors dev.conllu | cmp - out
	dep --init whole.safetensors -e 1 -o more.safetensors --set members=2
	says 1 'hp-train: c: the checkpoint was made with members=2, not 3' \
		dep --set members=3 -e 3 -o part.safetensors -c c --resume
	says 1 '...dep.safetensors: the model differs in members (2 here): expected --set members=3' \
		dep --init dep.safetensors -e 1 -o none.safetensors --set members=2
}

@test "the beam that a model was trained for, unless another is asked for" {
	dep -e 2 --set beam=8 -o wide.safetensors
	hp-cat -k beam wide.safetensors | grep -x 8
	hp-parse -m ./wide.safetensors --scores dev.conllu >out
	hp-parse -m ./wide.safetensors --scores --beam=8 dev.conllu | cmp - out
	! hp-parse -m ./wide.safetensors --scores --beam=1 dev.conllu | cmp -s - out
	HP_MODEL=./wide.safetensors
	hp-embed -m $HP_MODEL dev.conllu | hp-encode | hp-decode | hp-label --scores | cmp - out
	# Dev scores are those of the same beam.
	said=$(hp-cat wide.safetensors | sed -n 's/^ *dev\.las = //p')
	[ "$said" = "$(hp-parse -m ./wide.safetensors dev.conllu | hp-eval --csv dev.conllu - | awk -F, '/,LAS,/ { printf "%.2f", $10; exit }')" ]
	dep -e 2 -o narrow.safetensors
	! hp-cat narrow.safetensors | grep beam
	# Another beam is no other network.
	dep -e 1 --init wide.safetensors -o more.safetensors
}

@test "taggers of several members" {
	hp-train -q --task=tag -t train.conllu -d dev.conllu --set hidden=12 --set layers=1 --set word_dim=8 --set char_filters=6 \
		--set members=2 -e 2 --f8 -o tag.safetensors
	hp-cat tag.safetensors | grep -x '  members = 2'
	[ "$(hp-cat tag.safetensors | grep -c 'output\.w F8_E4M3')" -eq 2 ]
	hp-tag -m ./tag.safetensors --scores dev.conllu >out
	hp-tag -m ./tag.safetensors --scores -j 3 dev.conllu | cmp - out
	LC_ALL=C sed 's/"members":"2"/"xembers":"2"/' tag.safetensors >fewer
	says 1 'hp-tag: ...fewer: tensor `member.1.encoder.0.fwd.w_ih` has no place in the network that the metadata describes' \
		messages hp-tag -m ./fewer /dev/null
	LC_ALL=C sed 's/"members":"2"/"members":"3"/' tag.safetensors >three
	says 1 'hp-tag: ...three: ...member.2.encoder...' messages hp-tag -m ./three /dev/null
	LC_ALL=C sed 's/"members":"2"/"members":"1"/' tag.safetensors >one
	says 1 'hp-tag: ...one: members is 1: expected 2 to 16' messages hp-tag -m ./one /dev/null
}

@test "taggers and segmenters of members with embeddings of their own" {
	small=(--set hidden=12 --set layers=1 --set word_dim=8 --set char_filters=6 --set members=2 --set own_embeddings=1 -e 2)
	clauses=$srcdir/tests/data/segment/clauses.conllu
	for threads in 1 3; do
		hp-train -q --task=tag -t train.conllu -d dev.conllu "${small[@]}" -j$threads -o own-tag.$threads.safetensors
	done
	cmp own-tag.1.safetensors own-tag.3.safetensors
	hp-cat -k own_embeddings own-tag.1.safetensors | grep -x 1
	[ "$(hp-cat own-tag.1.safetensors | grep -c 'charcnn\.w')" -eq 2 ]
	# The words of each table are the same.
	[ "$(hp-cat own-tag.1.safetensors | sed -n 's/^ *\(member\.1\.\)\?embed\.word //p' | sort -u | wc -l)" -eq 1 ]
	hp-tag -m ./own-tag.1.safetensors --scores dev.conllu >out
	hp-tag -m ./own-tag.1.safetensors --scores -j 3 dev.conllu | cmp - out
	hp-train -q --task=segment -t "$clauses" -d "$clauses" "${small[@]}" --set pos_dim=4 --f8 -o own-edu.safetensors
	hp-segment -m ./own-edu.safetensors --scores "$clauses" >out
	hp-segment -m ./own-edu.safetensors --scores -j 3 "$clauses" | cmp - out
	says 1 'hp-train: ...: own_embeddings is 1: expected several members' \
		hp-train -q --task=tag -t train.conllu -d dev.conllu "${small[@]}" --set members=1 -o none.safetensors
	LC_ALL=C sed 's/"own_embeddings":"1"/"own_embeddings":"2"/' own-tag.1.safetensors >two
	says 1 'hp-tag: ...two: own_embeddings is 2: expected 1' messages hp-tag -m ./two /dev/null
	LC_ALL=C sed 's/"own_embeddings":"1"/"xwn_embeddings":"1"/' own-tag.1.safetensors >shared
	says 1 'hp-tag: ...shared: tensor `member.1.embed.word` has no place in the network that the metadata describes' \
		messages hp-tag -m ./shared /dev/null
	LC_ALL=C sed 's/"members":"2"/"xembers":"2"/' own-tag.1.safetensors >alone
	says 1 'hp-tag: ...alone: own_embeddings is 1: expected several members' messages hp-tag -m ./alone /dev/null
}

@test "members that are none" {
	LC_ALL=C sed 's/"members":"2"/"members":"0"/' rst.safetensors >zero
	says 1 'hp-decode: ...zero: members is 0: expected 2 to 16' messages hp-decode -m ./zero /dev/null
	LC_ALL=C sed 's/"members":"2"/"members":"0"/' tag.safetensors >zero
	says 1 'hp-tag: ...zero: members is 0: expected 2 to 16' messages hp-tag -m ./zero /dev/null
	says 2 '...members...1 to 16...' dep -e 1 -o none.safetensors --set members=17
	LC_ALL=C sed 's/"members":"2"/"members":"1"/' rst.safetensors >one
	says 1 'hp-decode: ...one: members is 1: expected 2 to 16' messages hp-decode -m ./one /dev/null
	LC_ALL=C sed 's/"members":"2"/"members":"3"/' rst.safetensors >three
	says 1 'hp-encode: ...three: ...member.2.encoder...' messages hp-encode -m ./three /dev/null
	# Fewer than there are tensors for.
	LC_ALL=C sed 's/"members":"3"/"members":"2"/' dep.safetensors >two
	says 1 'hp-encode: ...two: tensor `member.2...` has no place in the network that the metadata describes' \
		messages hp-encode -m ./two /dev/null
}
