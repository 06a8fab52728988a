#!/bin/bash
# "make install" with DESTDIR, a program that uses the installed library by its pkg-config file, "make uninstall".
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"

${MAKE:-make} -C "$builddir" install DESTDIR="$work/dest" >"$work/why" 2>&1
point $? "make install DESTDIR=..."
file=$(find "$work/dest" -name hp.pc)
prefix=${file%/lib/pkgconfig/hp.pc}

for program in $programs; do
	name=$(basename "$program")
	[ -x "$prefix/bin/$name" ] && [ -e "$prefix/share/man/man1/$name.1" ]
	point $? "$name and its page are installed"
done

[ -e "$prefix/share/doc/hptools/README" ] && [ -e "$prefix/share/doc/hptools/examples/sample.conllu" ]
point $? "README and the examples are installed"

# An installation that has been moved finds what is beside it, without any variable: the programs and the library.
cp -r "$prefix" "$work/moved"
mkdir -p "$work/moved/share/hptools/models"
"$builddir/tests/make-model" "$work/moved/share/hptools/models/moved.safetensors"
(
	cd "$work" && unset HP_MODEL HP_MODEL_PATH HP_MAP_PATH
	PATH=/usr/bin:/bin "$work/moved/bin/hp-parse" -m moved "$srcdir/examples/sample.conllu" >out 2>why && [ -s out ] &&
		"$work/moved/bin/rst-extract" -l rst-dt "$srcdir/examples/library.rs3" >out 2>why && [ -s out ]
)
point $? "a moved installation finds its models and maps"

export PKG_CONFIG_PATH=${file%/hp.pc}
[ -e "$prefix/lib/libhp.so" ] && static= || static=--static
flags=$(pkg-config --define-prefix --cflags hp) && libs=$(pkg-config --define-prefix $static --libs hp)
point $? "pkg-config finds hp"

nm "$builddir"/.libs/libhp.a 2>/dev/null | grep -q __asan_init && sanitized=yes || sanitized=
if [ -n "$sanitized" ]; then
	skip "a program uses the installed library" "the sanitizer is not linked in"
else
	# shellcheck disable=SC2086 # lists of options
	${CC:-cc} -Wall -Werror $flags "$srcdir/examples/parse.c" $libs -o "$work/parse" >"$work/why" 2>&1 &&
		[ "$(LD_LIBRARY_PATH=$prefix/lib "$work/parse" 2>&1)" = 'usage: parse MODEL WORD...' ]
	point $? "a program uses the installed library"
fi
if [ -n "$static$sanitized" ]; then
	skip "the library of a moved installation finds its models" "no shared library was built"
else
	(
		unset HP_MODEL HP_MODEL_PATH
		cd "$work" && LD_LIBRARY_PATH=$work/moved/lib ./parse moved She reads . >out 2>why && [ "$(wc -l <out)" -eq 3 ]
	)
	point $? "the library of a moved installation finds its models"
fi

${MAKE:-make} -C "$builddir" uninstall DESTDIR="$work/dest" >"$work/why" 2>&1
find "$prefix" -mindepth 1 ! -type d >"$work/why" && [ ! -s "$work/why" ] &&
	(cd "$prefix" && find . -mindepth 1 -ipath '*hp*') >"$work/why" && [ ! -s "$work/why" ]
point $? "make uninstall leaves no file, and no folder of ours"
plan
