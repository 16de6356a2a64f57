#include "cli/command.h"

COMMAND(user_skill_sync) = {
	.name = "user-skill sync",
	.summary = "bring the files of the library into the store",
	.description =
		"The library is 'skills/', or the setting SKILL_LIBRARY_PATH; the files are\n"
		"<category>/<id>/SKILL.md there. What has changed is written, and nothing else. A skill\n"
		"whose file is gone is kept and marked, and is back when the file is. One with errors is\n"
		"left aside, and what there was of it stays; the exit code is 2 then, and everything\n"
		"else is done. The host does the same when it starts.",
	.section = SECTION_ASSISTANT,
};
