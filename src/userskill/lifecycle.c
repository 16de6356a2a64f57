#include "userskill/lifecycle.h"

#include "base/buf.h"

#define TO(status) (1u << (status))

static const unsigned ways[] = {
	[STATUS_OBSERVED] = TO(STATUS_PROPOSED) | TO(STATUS_RETIRED),
	[STATUS_PROPOSED] = TO(STATUS_APPROVED) | TO(STATUS_RETIRED),
	[STATUS_APPROVED] = TO(STATUS_ACTIVE) | TO(STATUS_RETIRED),
	[STATUS_ACTIVE] = TO(STATUS_REFINED) | TO(STATUS_RETIRED),
	[STATUS_REFINED] = TO(STATUS_ACTIVE) | TO(STATUS_RETIRED),
	[STATUS_RETIRED] = TO(STATUS_ACTIVE),
};

bool lifecycle_usable(enum skill_status status)
{
	return status == STATUS_ACTIVE || status == STATUS_REFINED;
}

bool lifecycle_allows(enum skill_status from, enum skill_status to)
{
	return ways[from] & TO(to);
}

int lifecycle_require(
	const char *id, enum skill_status from, enum skill_status to, struct error *err)
{
	CLEANUP(buf_release) struct buf next = BUF_INIT;

	if (lifecycle_allows(from, to))
		return 0;
	for (int status = STATUS_OBSERVED; status <= STATUS_RETIRED; status++)
		if (lifecycle_allows(from, status))
			buf_appendf(&next, "%s%s", next.len ? " or " : "",
				skill_status_name(status));
	error_set(err, ERROR_INVALID, "'%s' is %s, and cannot become %s", id,
		skill_status_name(from), skill_status_name(to));
	return error_hint(err, "it can become %s", next.data);
}

bool lifecycle_stated(enum skill_status before, enum skill_status stated,
	enum skill_status states, enum skill_status *ret_status)
{
	*ret_status = before;
	if (states == before || states == stated)
		return true;
	if (!lifecycle_allows(before, states))
		return false;
	*ret_status = states;
	return true;
}
