# models/: those that are there when configure runs are installed with the programs.
modeldir = $(pkgdatadir)/models
dist_model_DATA = models/README models/LICENSE.fr
nodist_model_DATA = @MODELS@
EXTRA_DIST += $(nodist_model_DATA)
