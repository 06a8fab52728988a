# maps/: relations and their classes, for rst-extract --labels.
mapdir = $(pkgdatadir)/maps
dist_map_DATA = maps/rst-dt.csv maps/gum.csv
