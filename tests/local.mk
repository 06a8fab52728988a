# make check: programs of tests/test_*.c (cmocka) and command lines in tests/*.bats, all speaking TAP.
# A new test_NAME.c: one line in check_PROGRAMS and one in its SOURCES; a new NAME.bats: one line in BATS_TESTS.
# Data and scripts that tests read: EXTRA_DIST, or "make distcheck" will not find them.
TEST_LIBS = libhp.la $(CMOCKA_LIBS) $(OPENBLAS_LIBS) $(JANSSON_LIBS) $(UTF8PROC_LIBS) $(CSV_LIBS) $(SYSTEM_LIBS)

UNIT_TESTS =
BATS_TESTS =

check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS) $(BATS_TESTS)
EXTRA_DIST += $(BATS_TESTS)

TEST_EXTENSIONS = .bats
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
BATS_LOG_DRIVER = $(LOG_DRIVER)
BATS_LOG_COMPILER = bats
AM_BATS_LOG_FLAGS = --tap
AM_TESTS_ENVIRONMENT = \
	PATH='$(abs_top_builddir)/bin':$$PATH; export PATH; \
	srcdir='$(abs_top_srcdir)'; export srcdir; \
	builddir='$(abs_top_builddir)'; export builddir; \
	HP_MODEL_PATH='$(abs_top_srcdir)/models'; export HP_MODEL_PATH; unset HP_MODEL; \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	LC_ALL=C.UTF-8; export LC_ALL;
