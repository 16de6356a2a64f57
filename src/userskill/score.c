#include "userskill/score.h"

/* One good and one bad. */
static double drawn(double good, double all)
{
	return (good + 1) / (all + 2);
}

bool skill_score(const struct skill_numbers *numbers, double *ret_score)
{
	double ended = (double)(numbers->completed + numbers->failed);
	double completion;

	if (!ended && !numbers->answers)
		return false;
	completion = drawn((double)numbers->completed, ended);
	*ret_score = completion;
	if (numbers->answers)
		*ret_score = (completion + drawn((double)numbers->score_sum / 1000,
						   (double)numbers->answers)) /
			     2;
	return true;
}
