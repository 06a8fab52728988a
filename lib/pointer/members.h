/* members.h: what the members of a network say together.  They are networks of one kind with initial values and dropout of
 * their own, which share what stands for the words; each decides with the same things before its eyes, and what counts is
 * the mean of their probabilities (an ensemble; Dietterich 2000).
 *
 * Rows of h, init and d have those of all members side by side. */
#ifndef HP_MEMBERS_H
#define HP_MEMBERS_H
#include "pointer/net.h"

/* Member M's rows [ROWS × WIDTH] into, or out of, those of all [ROWS × M·WIDTH]. */
void hp_member_put(const hp_net *net, size_t m, size_t width, size_t rows, const float *from, float *all);
void hp_member_take(const hp_net *net, size_t m, size_t width, size_t rows, const float *all, float *to);

/* Adds the probabilities of which the next member has found the logarithms, LOGP [N], to SUM [N]; the first one's take the
 * place of what SUM held, and may be in it already. */
void hp_members_add(size_t m, size_t n, const float *logp, float *sum);
/* SUM becomes the logarithm of the mean of all M members. */
void hp_members_mean(size_t members, size_t n, float *sum);

#endif
