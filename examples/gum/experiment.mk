# From train.dis, dev.dis (not needed if DEV is empty) and test.dis to table.txt, table.csv and FIGURES:
# every fusion, every seed, both ways of selecting.  For examples/gum and examples/rst-dt.
# VECTORS, HYPER and EPOCHS come from the Makefile that includes this one.  ELMO=FILE, a model that elmo-convert(1) has
# made, takes its embeddings of the words in place of VECTORS; ELMOFLAGS are further options of hp-embed, as --carry.
# QUEUE='srun -Q --exclusive' sends every training and every parse to Slurm, a node each, as many at a time as make -j says.
QUEUE =
BIN =
override BIN := $(patsubst %,%/,$(BIN:%/=%))
# In hptools' sources the relation maps need not be installed.
ifneq ($(wildcard ../../maps/gum.csv),)
export HP_MAP_PATH ?= ../../maps
endif
DEV ?= dev.dis
SEEDS = 1 2 3
FUSIONS = T P PS PST
# One training keeps two models, the best on dev by Span and the best by Relation.
SELECTIONS = span relation
TOOLS ?= .
# Options of hp-train, and what hp-embed reads: the structure of trees is not looked at.
TAGS ?=
PARSE ?= --input=dis test.dis
# Further trees to learn from; the network's own options; what the table and the figure show.
MORE ?=
NETWORK ?=
EDU_BINS ?= 2,3,4,5,6,7
DEPTH_BINS ?= 1,2,3,4,5,6
FIGURES ?= span-by-edus.svg
PARSEVAL ?=

RUNS = $(foreach f,$(FUSIONS),$(foreach s,$(SEEDS),$f-$s))
SCORES = $(foreach r,$(RUNS),$(SELECTIONS:%=$r.%.csv))

results: table.txt table.csv $(FIGURES)

trees: train.dis $(MORE) $(DEV) test.dis

ifdef ELMO
STREAMS = train.stream $(DEV:.dis=.stream) test.stream
WORDS = --train-stream train.stream $(DEV:%.dis=--dev-stream %.stream)
EMBED = cat test.stream
else
WORDS = --vectors $(VECTORS)
EMBED = $(BIN)hp-embed -m ./$< $(PARSE)
endif

%.stream: | %.dis
	$(QUEUE) $(BIN)hp-embed --elmo $(ELMO) $(ELMOFLAGS) --input=dis $*.dis >$@.part
	mv $@.part $@

$(RUNS:%=%.span.safetensors): %.span.safetensors: | trees $(STREAMS)
	$(QUEUE) $(BIN)hp-train --task=rst --train train.dis $(MORE:%=--train %) $(DEV:%=--dev %) $(WORDS) --hyper $(HYPER) --epochs $(EPOCHS) $(TAGS) $(NETWORK) \
		--fusion $(word 1,$(subst -, ,$*)) --seed $(word 2,$(subst -, ,$*)) --log $*.log.csv \
		--output $@ --output-relation $*.relation.safetensors
$(RUNS:%=%.relation.safetensors): %.relation.safetensors: %.span.safetensors ;

%.parsed.dis: %.safetensors
	$(QUEUE) sh -c '$(EMBED) | $(BIN)hp-encode -m ./$< | $(BIN)hp-decode | $(BIN)hp-label' >$@.part
	mv $@.part $@

# The name in the table: fusion and selection, without the seed.
$(SCORES): %.csv: %.parsed.dis
	name=$*; $(BIN)hp-eval --csv --by=edus,depth --edu-bins=$(EDU_BINS) --depth-bins=$(DEPTH_BINS) \
		--name="$${name%%-*} $${name##*.}" test.dis $< >$@.part
	mv $@.part $@

table.csv: $(SCORES)
	$(BIN)hp-eval --csv --summarize $(SCORES) >$@.part
	mv $@.part $@

table.txt: table.csv
	awk -v parseval=$(PARSEVAL) -f $(TOOLS)/table.awk table.csv >$@.part
	mv $@.part $@
	cat $@

span-by-%.svg: table.csv
	gnuplot -e "by = '$*'; documents = $(if $(PARSEVAL),1,0)" $(TOOLS)/figure.gp >$@.part
	mv $@.part $@

clean:
	rm -f *.parsed.dis $(SCORES) *.part table.txt table.csv span-by-edus.svg span-by-depth.svg

distclean: clean
	rm -f train.dis sentences.dis $(DEV) test.dis train.conllu sentences.conllu dev.conllu test.conllu *.stream *.safetensors *.log.csv

.PHONY: all results trees clean distclean
.SECONDARY:
.DELETE_ON_ERROR:
