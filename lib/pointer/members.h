/* members.h: rows of a network of several members.  They are networks of one kind with initial values and dropout of
 * their own, which share what stands for the words, or have embeddings of their own; each decides with the same things before
 * its eyes, and what counts is the mean of their probabilities (hp_vec_ensemble).
 *
 * Rows of h, init and d, and of x unless it is shared, have those of all members side by side. */
#ifndef HP_MEMBERS_H
#define HP_MEMBERS_H
#include "pointer/net.h"

/* Member M's rows [ROWS × WIDTH] into, or out of, those of all [ROWS × M·WIDTH]. */
void hp_member_put(const hp_net *net, size_t m, size_t width, size_t rows, const float *from, float *all);
void hp_member_take(const hp_net *net, size_t m, size_t width, size_t rows, const float *all, float *to);

#endif
