#include "skill_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "ledger/tasks.h"
#include "time/timestamp.h"

void skill_setup_write(struct driver *d, const struct skill_sample *sample)
{
	CLEANUP(freep) char *library = xasprintf("%s/skills", d->root);
	CLEANUP(freep) char *category = xasprintf("%s/planning", library);
	CLEANUP(freep) char *folder = xasprintf("%s/%s", category, sample->id);
	CLEANUP(freep) char *path = xasprintf("%s/SKILL.md", folder);
	FILE *file;

	mkdir(library, 0755);
	mkdir(category, 0755);
	mkdir(folder, 0755);
	file = fopen(path, "w");
	if (!file)
		driver_fail(d, "cannot write '%s'", path);
	fprintf(file,
		"# SKILL: A sample\n\n## Metadata\n\n- ID: %s\n- Version: 1.0\n"
		"- Category: planning\n- Generated: 2026-11-16\n- Source: Pre-built\n"
		"- Status: Active\n\n## Trigger\n\n- `/%s`: %s\n%s%s\n\n## Context Required\n\n"
		"- %s\n\n## Instructions\n\n1. Look.\n2. Weigh.\n3. Write.\n\n"
		"## Output Format\n\nA list.\n\n## Quality Criteria\n\n- Short\n",
		sample->id, sample->command, sample->help ? sample->help : "a sample",
		sample->schedule ? "- Schedule: " : "",
		sample->schedule ? sample->schedule : "",
		sample->needs ? sample->needs : "None");
	if (sample->asks)
		fprintf(file, "\n## Feedback Loop\n\n- Ask: every 1 uses\n- %s\n",
			sample->asks);
	if (fclose(file))
		driver_fail(d, "cannot write '%s'", path);
}

void skill_setup_run(struct driver *d, const char *const *words)
{
	int exit_code;
	CLEANUP(freep) char *output = driver_run(d, words, &exit_code);

	if (exit_code)
		driver_fail(d, "%s %s: %s", words[0], words[1], output);
}

void skill_setup_assign(struct driver *d, const char *id, const char *folder)
{
	skill_setup_run(d, (const char *const[]){"user-skill", "sync", NULL});
	skill_setup_run(d, (const char *const[]){"user-skill", "assign", id, folder, NULL});
}

void skill_setup_due(struct driver *d, const char *id, const char *folder)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	CLEANUP(task_release) struct task task = TASK_INIT;
	CLEANUP(freep) char *key = xasprintf("skill:%s:%s:1", id, folder);

	if (store_open(d->root, STORE_WRITE, &store, &err) < 0 ||
		store_task_by_key(store, key, &task, &err) < 0)
		driver_fail(d, "%s", err.message);
	if (!task.id)
		driver_fail(d, "there is no task '%s'", key);
	task.next_run = timestamp_clock() - 1000;
	if (store_task_update(store, &task, &err) < 0)
		driver_fail(d, "%s", err.message);
}
