#!/usr/bin/env bats
# hp-draw: pictures as text, SVG, HTML and LaTeX, and what it makes of texts that are hard to draw.

bats_require_minimum_version 1.5.0
load filters

setup() {
	enter
	unset COLUMNS
}

# words HEAD...: a sentence of words w1, w2 ... of which each has its head.
words() {
	local n=0 head
	for head; do
		n=$((n + 1))
		w $n "w$n" NOUN "$head" "r$head"
	done
	echo
}

@test "a sentence that fits goes across" {
	words 2 0 4 2 >in
	says 0 '  ┌─────┬───────────┐
  │     │     ┌─────┤
  ▼     │     ▼     ▼
  w1    w2    w3    w4
 NOUN  NOUN  NOUN  NOUN
  r2    r0    r4    r2' hp-draw in
}

@test "one that does not goes down" {
	words 2 0 4 2 >in
	says 0 ' ┌───► 1 w1  NOUN  r2
 ├──── 2 w2  NOUN  r0
 │ ┌─► 3 w3  NOUN  r4
 └─┴─► 4 w4  NOUN  r2' hp-draw -w 20 in
	hp-draw -w 20 in >narrow
	hp-draw --down in | cmp - narrow
	COLUMNS=20 hp-draw in | cmp - narrow
}
