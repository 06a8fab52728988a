/* beam.h: the best few of many choices. */
#ifndef HP_BEAM_H
#define HP_BEAM_H

typedef struct hp_choice {
	double score; /* of the hypothesis it makes */
	float logp; /* of the action alone */
	int hypothesis, action;
} hp_choice;

/* Puts C into LIST, which holds COUNT choices by falling score and keeps the best WIDTH: of equal scores the earlier
 * ones.  Returns how many there are now. */
int hp_offer(hp_choice *list, int count, int width, hp_choice c);

#endif
