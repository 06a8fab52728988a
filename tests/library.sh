#!/bin/bash
# The shared library exports what hp.h declares, and libhp neither prints nor exits nor keeps writable globals.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"

shared=$(ls "$builddir"/.libs/libhp.so 2>/dev/null)
static=$builddir/.libs/libhp.a
[ -e "$static" ] || static=$builddir/libhp.a

# The lines of hp.h that begin with a type and have a function's name.
declared=$(sed -n 's/^[a-z].* \**\(hp_[a-z0-9_]*\)(.*/\1/p' "$srcdir/lib/hp.h" | sort)
if [ -n "$shared" ]; then
	diff <(echo "$declared") <(nm -D --defined-only "$shared" | awk '{ print $3 }' | sort) >"$work/why"
	point $? "what hp.h declares is exported, nothing else"
else
	skip "what hp.h declares is exported, nothing else" "no shared library was built"
fi
nm "$static" 2>/dev/null | awk 'NF == 3 && $2 ~ /^[A-Z]$/ && $3 !~ /^(hp_|__)/' >"$work/why"
[ ! -s "$work/why" ]
point $? "what is not static in libhp begins with hp_"

nm -A "$static" 2>/dev/null | awk '$2 == "U" && $3 ~ /^(exit|_exit|abort|printf|puts|putchar|perror|vprintf|err|errx|warn|warnx|stderr|stdout)$/' >"$work/why"
[ ! -s "$work/why" ]
point $? "libhp neither prints nor exits"

if nm "$static" 2>/dev/null | grep -q __asan_init; then
	skip "libhp has no writable globals" "the sanitizer adds its own"
else
	# Constant tables of addresses lie in .data.rel.ro, which is read-only at run time.  Something that is asked
	# once a process is allowed, named once..., and where the functions of OpenBLAS are, which is opened once a process.
	objdump -t "$static" 2>/dev/null | awk '
		/file format/ { file = $1 }
		/ O / && $(NF - 2) ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && $(NF - 2) !~ /^\.data\.rel\.ro/ && $NF !~ /^once/ && !(file ~ /blas/ && $NF == "blas") {
			print file, $NF
		}' >"$work/why"
	[ ! -s "$work/why" ]
	point $? "libhp has no writable globals"
fi
if command -v "${CXX:-c++}" >/dev/null; then
	printf '#include "hp.h"\nint main() { return hp_parse_batch(nullptr, 0, nullptr, nullptr, nullptr); }\n' |
		"${CXX:-c++}" -x c++ -std=c++11 -fsyntax-only -Wall -Wextra -Werror -I"$srcdir/lib" - >"$work/why" 2>&1
	point $? "hp.h is for C++ too"
else
	skip "hp.h is for C++ too" "no C++ compiler"
fi
plan
