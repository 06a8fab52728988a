#include "nn/beam.h"

int hp_offer(hp_choice *list, int count, int width, hp_choice c)
{
	int i = count;
	if (i == width) {
		if (!(c.score > list[i - 1].score))
			return count;
		i--;
	} else {
		count++;
	}
	for (; i > 0 && c.score > list[i - 1].score; i--)
		list[i] = list[i - 1];
	list[i] = c;
	return count;
}
