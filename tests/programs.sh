#!/bin/bash
# What holds for every program: --help and --version on standard output, wrong usage is status 2 with nothing
# on standard output, and a full disk is noticed.
# shellcheck source=tests/lib.sh
. "${srcdir:-.}/tests/lib.sh"

for program in $programs; do
	name=$(basename "$program")

	"$name" --help >"$work/out" 2>"$work/why" && [ ! -s "$work/why" ] && grep -q "^Usage: $name" "$work/out"
	point $? "$name --help"

	! grep '.\{81\}' "$work/out" >"$work/why"
	point $? "$name --help fits a terminal of 80 columns"

	"$name" --version >"$work/out" 2>"$work/why" && [ ! -s "$work/why" ] && grep -q "^$name (hptools) [0-9]" "$work/out"
	point $? "$name --version"

	for short in h V; do
		case $short in h) long=help ;; V) long=version ;; esac
		"$name" --$long >"$work/long" 2>&1
		"$name" -$short >"$work/why" 2>&1 && cmp -s "$work/long" "$work/why"
		point $? "$name -$short is --$long"
	done

	"$name" --no-such-option >"$work/out" 2>"$work/why" </dev/null
	[ $? -eq 2 ] && [ ! -s "$work/out" ] && [ -s "$work/why" ]
	point $? "$name --no-such-option is wrong usage"

	"$name" $'--no-\e[31m\u202e\xff' >"$work/out" 2>"$work/why" </dev/null
	[ $? -eq 2 ] && grep -qF -- '--no-\x1B[31m\xE2\x80\xAE\xFF' "$work/why" && ! grep -q $'\e' "$work/why"
	point $? "$name shows what it refuses without what a terminal obeys"

	"$name" --help >/dev/full 2>"$work/why"
	[ $? -eq 1 ] && grep -q "^$name: " "$work/why"
	point $? "$name --help on a full disk"

	"$name" --version >/dev/full 2>"$work/why"
	[ $? -eq 1 ] && grep -q "^$name: " "$work/why"
	point $? "$name --version on a full disk"
done
plan
