# examples/: installed as documentation; the examples of the manual pages run in a copy of this folder.
exampledir = $(docdir)/examples
dist_example_DATA = examples/sample.conllu
dist_example_SCRIPTS = examples/pipeline.sh
