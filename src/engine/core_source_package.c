#include "engine/core_source_parts.h"

int core_package_is(int fd, const char *typed, bool *ret_is, struct error *err)
{
	(void)fd;
	(void)typed;
	(void)err;
	*ret_is = false;
	return 0;
}
int core_package_open(struct core_opening *o, int fd, struct error *err)
{
	(void)o;
	(void)fd;
	return error_set(err, ERROR_INVALID, "not yet");
}
