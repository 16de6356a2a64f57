/*
 * A skill as the agent gets it, clearly separated from the person's messages:
 *
 *	<skill id="skill_daily_brief_001" name="Daily brief" version="1.0" command="/brief">
 *	<instructions>…</instructions>
 *	<context_required>…</context_required>
 *	<output_format channel="local">…</output_format>
 *	<quality_criteria>…</quality_criteria>
 *	</skill>
 *	<messages>
 *	…
 *
 * The texts are escaped like messages (context.h), so that neither a skill nor a person can end
 * an element of the other.
 */
#ifndef HOST_SKILL_SKILL_PROMPT_H
#define HOST_SKILL_SKILL_PROMPT_H

#include "base/buf.h"
#include "userskill/text/skill.h"

/*
 * `channel` is the name of the chat's; `command` may be NULL. `source` is where an imported skill
 * comes from; NULL: it was not imported.
 */
void skill_prompt_format(const struct user_skill *skill, const char *source,
	const char *command, const char *channel, struct buf *out);

#endif
