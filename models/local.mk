# models/: the models that are installed with the programs.
modeldir = $(pkgdatadir)/models
dist_model_DATA = models/README
if HAVE_MODEL
nodist_model_DATA = models/en-dep.safetensors
EXTRA_DIST += models/en-dep.safetensors
endif
