#include <assert.h>

#include "base/alloc.h"
#include "cli/command.h"
#include "host/ops/operation.h"

char *operation_option_help(const char *operation, const char *argument)
{
	const struct argument *found = operation_argument(operation_find(operation), argument);

	assert(found);
	return xasprintf("%s%s", found->description,
		found->type == ARGUMENT_TEXTS ? "; can be repeated" : "");
}

bool command_is_left_out(const char *name)
{
	(void)name;
	return false;
}
