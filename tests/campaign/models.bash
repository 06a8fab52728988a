# shellcheck shell=bash
# models: changed models, language models and checkpoints; a checkpoint with a changed byte is always refused.
# shellcheck source=tests/campaign/lib.bash
. "${srcdir:?}/tests/campaign/lib.bash"
models
streams
bank 12 >bank.conllu
sizes=(-s hidden=4 -s layers=1 -s decoder_hidden=4 -s decoder_input=4 -s arc_mlp=4 -s label_mlp=4 -s word_dim=4 -s char_dim=4
	-s pos_dim=4 -s char_filters=4 -s batch=4)
train=(-t bank.conllu -d bank.conllu -o best.safetensors -c checkpoint --resume -j 1 -q "${sizes[@]}")
"$plain/bin/hp-train" "${train[@]}" -e 2
cp checkpoint good.checkpoint
cp best.safetensors good.safetensors
"$plain/bin/hp-train" "${train[@]}" -e 3
mv best.safetensors end.safetensors

parsing() {
	local model stage input options
	one_of tiny discourse layers elmo segmenter; model=$REPLY
	case $model in
	elmo) stage=embed input=text.edus options=(--elmo changed.safetensors) ;;
	segmenter) stage=segment input=text.conllu options=(-m ./changed.safetensors) ;;
	layers) stage=encode input=rst.elmo options=(-m ./changed.safetensors) ;;
	*)
		one_of embed encode decode label; stage=$REPLY
		options=(-m ./changed.safetensors)
		input=dep
		[ "$model" = tiny ] || input=rst
		case $stage in
		embed) [ "$model" = tiny ] && input=text.conllu || input=text.edus ;;
		encode) input=$input.embed ;;
		decode) input=$input.encode ;;
		label) input=$input.decode ;;
		esac
		;;
	esac
	one_of image image image bytes cut
	how=$REPLY
	below 1000000000
	"$plain/tests/campaign/mutate" "$REPLY" "$how" "models/$model.safetensors" changed.safetensors
	one_of "" --int8
	[ -z "$REPLY" ] || [ "$stage" = embed ] || options+=("$REPLY")
	at_most 20 "$sanitize/bin/hp-$stage" "${options[@]}" "$input" >out 2>said
	status=$?
	survives "hp-$stage ${options[*]} $input with a changed $model ($how)" changed.safetensors "$input" || return
	[ "$how" != cut ] || [ "$status" -eq 1 ] || finding "hp-$stage ${options[*]} $input does not notice a cut $model" changed.safetensors
}

# A byte that is no part of the contents, such as a blank in the header, may change.
going_on() {
	one_of image byte byte cut
	how=$REPLY
	below 1000000000
	cp good.safetensors best.safetensors
	"$plain/tests/campaign/mutate" "$REPLY" "$how" good.checkpoint checkpoint
	cp checkpoint changed.checkpoint
	at_most 60 "$sanitize/bin/hp-train" "${train[@]}" -e 3 >out 2>said
	status=$?
	survives "hp-train ${train[*]} -e 3 from a changed checkpoint ($how)" changed.checkpoint good.safetensors bank.conllu || return
	[ "$how" = image ] || [ "$status" -eq 1 ] || cmp -s best.safetensors end.safetensors ||
		finding "hp-train ${train[*]} -e 3 does not notice a damaged checkpoint ($how)" changed.checkpoint good.safetensors bank.conllu
}

while goes_on; do
	parsing
	parsing
	parsing
	going_on
done
done_with
