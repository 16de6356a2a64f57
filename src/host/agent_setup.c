#include "host/agent_setup.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/groups.h"
#include "util/child.h"

#define OFFLINE_PROGRAM "nanoclaw-offline"

struct environment {
	char **list;
	size_t count;
	size_t cap;
};

static void environment_release(struct environment *env)
{
	for (size_t i = 0; i < env->count; i++)
		free(env->list[i]);
	free(env->list);
}

static void add(struct environment *env, const char *name, const char *value)
{
	if (!value)
		return;
	GROW(env->list, env->count, env->cap);
	env->list[env->count++] = xasprintf("%s=%s", name, value);
}

static void finish(struct environment *env)
{
	GROW(env->list, env->count, env->cap);
	env->list[env->count] = NULL;
}

static void fill(struct host *host, const struct group *group, const char *socket_path,
	struct environment *env)
{
	static const char *const usual[] = {"HOME", "LANG", "LC_ALL", "PATH", "TMPDIR"};
	const char *names = settings_get(&host->settings, "NANOCLAW_AGENT_ENV");
	struct view rest = view_of(names ? names : "");
	struct view name;

	for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
		add(env, usual[i], getenv(usual[i]));
	add(env, "TZ", settings_get(&host->settings, "TZ"));
	while (view_next(&rest, ',', &name)) {
		struct view trimmed = view_trim(name);
		CLEANUP(freep) char *wanted = xmemdupz(trimmed.data, trimmed.len);

		add(env, wanted, settings_get(&host->settings, wanted));
	}
	add(env, "ASSISTANT_NAME", settings_assistant(&host->settings));
	add(env, "NANOCLAW_GROUP", group->folder);
	add(env, "NANOCLAW_SOCKET", socket_path);
	add(env, "NANOCLAW_TRIGGER", group->trigger);
	finish(env);
}

/* Beside this program, or where it was installed. */
static char *find_offline(void)
{
	CLEANUP(freep) char *self = realpath("/proc/self/exe", NULL);
	char *slash = self ? strrchr(self, '/') : NULL;

	if (slash) {
		CLEANUP(freep) char *path = NULL;

		*slash = '\0';
		path = xasprintf("%s/" OFFLINE_PROGRAM, self);
		if (!access(path, X_OK))
			return TAKE(path);
	}
	return xstrdup(NANOCLAW_LIBEXEC "/" OFFLINE_PROGRAM);
}

static int command_of(
	struct host *host, const struct group *group, char ***ret_argv, struct error *err)
{
	const char *command = settings_get(&host->settings, "NANOCLAW_AGENT");

	if (group->agent)
		command = group->agent;
	if (!command || !strcmp(command, AGENT_OFFLINE)) {
		char **argv = xcalloc(2, sizeof(*argv));

		argv[0] = find_offline();
		*ret_argv = argv;
		return 0;
	}
	if (child_split(command, ret_argv, err) < 0)
		return error_prefix(err, "the command of the agent");
	return 0;
}

int agent_setup_start(struct host *host, const char *folder, const char *socket_path,
	const char *session_id, const struct agent_handlers *handlers, void *data,
	struct agent **ret_agent, struct error *err)
{
	CLEANUP(child_free_argv) char **argv = NULL;
	CLEANUP(environment_release) struct environment env = {0};
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(closep) int cwd = -1;

	if (store_group_by_folder(host->store, folder, &group, err) < 0)
		return -1;
	if (!group.folder)
		return error_set(err, ERROR_INVALID, "there is no group '%s' any more", folder);
	if (command_of(host, &group, &argv, err) < 0 ||
		registry_open_folder(host->root, folder, &cwd, err) < 0)
		return -1;
	fill(host, &group, socket_path, &env);
	return agent_start(&host->loop,
		&(struct agent_config){
			.argv = (const char *const *)argv,
			.env = (const char *const *)env.list,
			.cwd = cwd,
			.session_id = session_id,
			.grace_ms = (uint64_t)host->limits.grace_seconds * 1000,
		},
		handlers, data, ret_agent, err);
}
