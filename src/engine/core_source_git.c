#include "engine/core_git.h"
#include "engine/core_source_parts.h"

int core_git_open(struct core_opening *o, struct error *err)
{
	(void)o;
	return error_set(err, ERROR_INVALID, "not yet");
}
int core_git_read(int root, const char *object, struct buf *ret_content, struct error *err)
{
	(void)root;
	(void)object;
	(void)ret_content;
	return error_set(err, ERROR_INVALID, "not yet");
}
