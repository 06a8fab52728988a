# examples/: installed as documentation; the examples of the manual pages run in a copy of this folder.
exampledir = $(docdir)/examples
dist_example_DATA = examples/sample.conllu examples/sample.dis examples/library.rs3 examples/library.txt examples/parse.c examples/parse_edus.c examples/parse_text.c examples/parse_document.c examples/dep.csv examples/rst.csv
dist_example_SCRIPTS = examples/pipeline.sh examples/queries.sh examples/plot-log.sh examples/parse_text.py examples/stream_example.py examples/ngram_embed.py
AM_INSTALLCHECK_STD_OPTIONS_EXEMPT = $(dist_example_SCRIPTS) $(dist_examplegum_SCRIPTS) $(dist_exampleud_SCRIPTS) $(dist_examplecluster_SCRIPTS)

# The smallest programs that use libhp.
check_PROGRAMS += examples/parse examples/parse_edus examples/parse_text examples/parse_document
examples_parse_SOURCES = examples/parse.c
examples_parse_LDADD = libhp.la
examples_parse_edus_SOURCES = examples/parse_edus.c
examples_parse_edus_LDADD = libhp.la
examples_parse_text_SOURCES = examples/parse_text.c
examples_parse_text_LDADD = libhp.la
examples_parse_document_SOURCES = examples/parse_document.c
examples_parse_document_LDADD = libhp.la

# A training experiment with a Makefile of its own.
exampletraindir = $(docdir)/examples/train
dist_exampletrain_DATA = examples/train/Makefile examples/train/README examples/train/small.csv \
	examples/train/train.conllu examples/train/dev.conllu

# The same with embeddings that another program makes.
exampleembeddingsdir = $(docdir)/examples/embeddings
dist_exampleembeddings_DATA = examples/embeddings/Makefile examples/embeddings/README \
	examples/embeddings/train.dis examples/embeddings/dev.dis
# The experiments on rhetorical trees: GUM's, and that of the RST Discourse Treebank, which shares its rules.
examplegumdir = $(docdir)/examples/gum
dist_examplegum_DATA = examples/gum/Makefile examples/gum/README examples/gum/docs.train examples/gum/docs.dev \
	examples/gum/docs.test examples/gum/experiment.mk examples/gum/figure.gp examples/gum/hyper.csv examples/gum/table.awk
dist_examplegum_SCRIPTS = examples/gum/states.py
examplerstdtdir = $(docdir)/examples/rst-dt
dist_examplerstdt_DATA = examples/rst-dt/Makefile examples/rst-dt/README

# The experiments on dependency trees.
exampleuddir = $(docdir)/examples/ud
dist_exampleud_DATA = examples/ud/Makefile examples/ud/README examples/ud/figure.gp examples/ud/table.awk
dist_exampleud_SCRIPTS = examples/ud/report.sh

# Parsing on several machines; share.job is read by sbatch, shares.sh by both scripts.
exampleclusterdir = $(docdir)/examples/cluster
dist_examplecluster_DATA = examples/cluster/README examples/cluster/shares.sh examples/cluster/share.job
dist_examplecluster_SCRIPTS = examples/cluster/parse-ssh examples/cluster/parse-slurm
