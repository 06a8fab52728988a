# models/: the models that are installed with the programs.
modeldir = $(pkgdatadir)/models
dist_model_DATA = models/README
nodist_model_DATA =
if HAVE_EN_DEP
nodist_model_DATA += models/en-dep.safetensors
endif
if HAVE_EN_RST
nodist_model_DATA += models/en-rst.safetensors
endif
EXTRA_DIST += $(nodist_model_DATA)
