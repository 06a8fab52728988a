/* terminal.c: lines of text for terminals. */
#include "draw/terminal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/grow.h"
#include "base/utf8.h"

void hp_terminal_free(hp_terminal *t)
{
	free(t->line);
	t->line = NULL;
	t->size = t->capacity = 0;
}

static void put(hp_terminal *t, const char *s, size_t size)
{
	if (t->failed || !hp_grow(&t->line, &t->capacity, t->size + size, 1)) {
		t->failed = true;
		return;
	}
	memcpy(t->line + t->size, s, size);
	t->size += size;
}

static void put_text(hp_terminal *t, const char *s)
{
	put(t, s, strlen(s));
}

void hp_terminal_blanks(hp_terminal *t, int count)
{
	for (int i = 0; i < count; i++)
		put(t, " ", 1);
	t->column += count > 0 ? count : 0;
}

void hp_terminal_to(hp_terminal *t, int column)
{
	hp_terminal_blanks(t, column - t->column);
}

static void begin_colour(hp_terminal *t, hp_colour colour)
{
	static const char *const codes[] = {"",         "\033[1m",  "\033[2m",  "\033[34m",
	                                    "\033[36m", "\033[31m", "\033[32m", "\033[35m"};

	if (t->colours)
		put_text(t, codes[colour]);
}

static void end_colour(hp_terminal *t, hp_colour colour)
{
	if (t->colours && colour != HP_PLAIN)
		put_text(t, "\033[0m");
}

/* TEXT, but for characters that are not shown. */
static void put_shown(hp_terminal *t, hp_slice text)
{
	for (size_t at = 0; at < text.size;) {
		int32_t code;
		int length = hp_utf8_decode(text.s + at, text.size - at, &code);

		if (length == 0 || hp_draw_shown(code) != code)
			put_text(t, "\xEF\xBF\xBD");
		else
			put(t, text.s + at, length);
		at += length ? length : 1;
	}
}

void hp_terminal_text(hp_terminal *t, hp_slice text, int columns, hp_colour colour)
{
	const char *dots = t->ascii ? ".." : "…";
	int used, room = t->ascii ? 2 : 1;
	size_t size = hp_draw_fit(text, columns, &used);
	bool cut = size < text.size && columns > room;

	if (text.size == 0)
		return;
	if (cut)
		size = hp_draw_fit(text, columns - room, &used);
	begin_colour(t, colour);
	put_shown(t, (hp_slice){text.s, size});
	if (cut)
		put_text(t, dots);
	end_colour(t, colour);
	t->column += used + (cut ? room : 0);
}

void hp_terminal_word(hp_terminal *t, const char *text, hp_colour colour)
{
	hp_terminal_text(t, (hp_slice){text, strlen(text)}, INT_MAX, colour);
}

void hp_terminal_lines(hp_terminal *t, int directions, int count)
{
	static const char *const box[] = {" ", "╵", "╷", "│", "╴", "┘", "┐", "┤", "╶", "└", "┌", "├", "─", "┴", "┬", "┼"};
	static const char *const plain[] = {" ", "|", "|", "|", "-", "+", "+", "+", "-", "+", "+", "+", "-", "+", "+", "+"};

	for (int i = 0; i < count; i++)
		put_text(t, (t->ascii ? plain : box)[directions]);
	t->column += count > 0 ? count : 0;
}

void hp_terminal_sign(hp_terminal *t, const char *sign, const char *ascii, hp_colour colour)
{
	hp_terminal_word(t, t->ascii ? ascii : sign, colour);
}

int hp_terminal_end_line(hp_terminal *t, hp_error *err)
{
	while (t->size > 0 && t->line[t->size - 1] == ' ')
		t->size--;
	if (t->failed)
		return hp_fail_memory(err);
	put(t, "\n", 1);
	if (t->failed)
		return hp_fail_memory(err);
	(void)fwrite(t->line, 1, t->size, t->out);
	t->size = 0;
	t->column = 0;
	return ferror(t->out) ? hp_fail_errno(err, "output") : 0;
}

int hp_terminal_title(hp_terminal *t, const hp_title *title, hp_error *err)
{
	int note = hp_draw_columns(title->note), room = t->width - (note ? note + 2 : 0);

	if (title->label.size == 0)
		return 0;
	if (room > 0) {
		hp_terminal_text(t, title->label, room, HP_FAINT);
		hp_terminal_blanks(t, note ? 2 : 0);
	}
	hp_terminal_text(t, title->note, t->width - t->column, HP_CYAN);
	return hp_terminal_end_line(t, err);
}
