# models/: the models that are installed with the programs.
modeldir = $(pkgdatadir)/models
dist_model_DATA = models/README
