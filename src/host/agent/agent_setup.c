#include "host/agent/agent_setup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "channels/local/local.h"
#include "fs/beneath.h"
#include "fs/private.h"
#include "fs/sys.h"
#include "group/container_file.h"
#include "host/agent/agent_claude.h"
#include "host/agent/agent_gate.h"
#include "host/agent/agent_native.h"
#include "host/agent/agent_network.h"
#include "host/agent/agent_program.h"
#include "host/agent/sandboxes.h"
#include "host/base/media_file.h"
#include "host/memory/memory.h"
#include "ledger/groups.h"
#include "proc/child.h"
#include "proc/log.h"
#include "proc/process.h"
#include "sandbox/allowlist.h"

#define OFFLINE_PROGRAM "nanoclaw-offline"
#define RELAY_PROGRAM   "nanoclaw-relay"

/* A process lives over many turns, each of which is limited for itself. */
#define LONGEST_LIFE_SECONDS ((uint64_t)7 * 24 * 60 * 60)

/* Numbers of mounts below /opt/agent that no word of a command line has. */
#define RELAY_NUMBER 1000

struct starting {
	const struct agent_desk *desk;
	struct installation *inst;
	struct agent_setup *setup;
	const char *session; /* to resume, or NULL */
	struct group group;
	struct container container;
	struct sandbox_spec spec;
	struct string_array argv;
	struct string_array env;
	const char *command; /* see agent_command_of() */
	bool has_mcp;        /* the offline agent calls the host by itself */
	bool has_relay;      /* in front of its program */
};

static void starting_release(struct starting *starting)
{
	string_array_release(&starting->env);
	string_array_release(&starting->argv);
	sandbox_spec_release(&starting->spec);
	container_release(&starting->container);
	group_release(&starting->group);
}

/* --- the environment --------------------------------------------------------- */

static void add_variable(void *data, const char *name, const char *value)
{
	struct starting *starting = data;
	struct string_array *env = &starting->env;
	size_t len = strlen(name);

	if (!value)
		return;
	/* The last one counts. */
	for (size_t i = 0; i < env->count; i++)
		if (!strncmp(env->list[i], name, len) && env->list[i][len] == '=') {
			free(env->list[i]);
			env->list[i] = xasprintf("%s=%s", name, value);
			return;
		}
	string_array_addf(env, "%s=%s", name, value);
}

static void fill_environment(struct starting *starting)
{
	static const char *const usual[] = {"LANG", "LC_ALL"};
	const struct settings *settings = &starting->inst->settings;
	const struct agent_model *model = &starting->setup->model;
	bool claude = !strcmp(starting->command, AGENT_CLAUDE);
	const char *names = settings_get(settings, "NANOCLAW_AGENT_ENV");
	struct view rest = view_of(names ? names : "");
	struct view name;

	for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
		add_variable(starting, usual[i], getenv(usual[i]));
	add_variable(starting, "TZ", settings_get(settings, "TZ"));
	while (view_next(&rest, ',', &name)) {
		struct view trimmed = view_trim(name);
		CLEANUP(freep) char *wanted = xmemdupz(trimmed.data, trimmed.len);

		if (*wanted)
			add_variable(starting, wanted, settings_get(settings, wanted));
	}
	for (size_t i = 0; claude && agent_claude_env[i]; i += 2)
		add_variable(starting, agent_claude_env[i], agent_claude_env[i + 1]);
	if (claude)
		add_variable(starting, "ANTHROPIC_MODEL", model->name);
	add_variable(starting, "ASSISTANT_NAME", settings_assistant(settings));
	add_variable(starting, "HOME", SANDBOX_HOME);
	add_variable(starting, "NANOCLAW_GROUP", starting->group.folder);
	if (starting->has_mcp)
		add_variable(starting, "NANOCLAW_MCP", AGENT_MCP_INSIDE);
	add_variable(starting, "NANOCLAW_MEDIA", MEDIA_INSIDE);
	add_variable(starting, "NANOCLAW_SOCKET", AGENT_SOCKET_INSIDE);
	add_variable(starting, "NANOCLAW_TRIGGER", starting->group.trigger);
	add_variable(starting, "PATH", SANDBOX_PATH);
	if (starting->has_relay)
		gate_environment(starting->setup->access.gate, add_variable, starting);
	if (!strcmp(starting->command, AGENT_NATIVE))
		agent_native_environment(model, add_variable, starting);
	starting->spec.env = (const char *const *)starting->env.list;
}

/* --- the program ------------------------------------------------------------- */

static int fill_words(struct starting *starting, struct error *err)
{
	const char *command = starting->command;
	struct installation *inst = starting->inst;
	struct string_array *argv = &starting->argv;
	CLEANUP(child_free_argv) char **words = NULL;

	if (!strcmp(command, AGENT_OFFLINE)) {
		CLEANUP(freep) char *program = process_find_own(OFFLINE_PROGRAM, err);

		return program ? agent_program_mount(
					 inst, program, 0, &starting->spec, argv, err)
			       : -1;
	}
	if (agent_program_mount_mcp(&starting->spec, err) < 0)
		return -1;
	starting->has_mcp = true;
	if (!strcmp(command, AGENT_CLAUDE))
		return agent_claude_words(inst, &starting->container, starting->setup->servers,
			starting->session, &starting->spec, argv, err);
	if (!strcmp(command, AGENT_NATIVE))
		return agent_native_words(inst, &starting->container, starting->setup->servers,
			starting->session, &starting->spec, argv, err);
	if (!starting->container.agent) {
		if (agent_program_words(inst, command, &starting->spec, argv, err) < 0)
			return -1;
	} else {
		if (child_split(command, &words, err) < 0)
			return -1;
		string_array_add_all(argv, (const char *const *)words);
	}
	if (starting->session)
		STRING_ARRAY_ADD(argv, "--resume", starting->session);
	return 0;
}

/* The way out, and in front of a program that does not know it the relay, which becomes it. */
static int add_gate(struct starting *starting, struct error *err)
{
	CLEANUP(freep) char *program = NULL;
	struct string_array words = {0};
	int fd;

	if (gate_socket(starting->setup->access.gate, &fd, err) < 0)
		return -1;
	sandbox_add_mount(
		&starting->spec, fd, AGENT_API_INSIDE, SANDBOX_WRITABLE | SANDBOX_UNCOUNTED);
	if (!starting->has_relay)
		return 0;
	program = process_find_own(RELAY_PROGRAM, err);
	if (!program || agent_program_mount(starting->inst, program, RELAY_NUMBER,
				&starting->spec, &words, err) < 0)
		return -1;
	STRING_ARRAY_ADD(&words, GATE_PORT, AGENT_API_INSIDE);
	string_array_add_all(&words, (const char *const *)starting->argv.list);
	string_array_release(&starting->argv);
	starting->argv = words;
	return 0;
}

/* The model, if the agent needs one. For an agent that is a command line, a setting says so. */
static int find_model(struct starting *starting, struct error *err)
{
	const struct container_model *own = &starting->container.model;
	const struct settings *settings = &starting->inst->settings;
	struct agent_model *model = &starting->setup->model;

	if (!strcmp(starting->command, AGENT_OFFLINE))
		return 0;
	if (!strcmp(starting->command, AGENT_CLAUDE))
		return agent_model_find_claude(settings, own, model, err);
	if (!strcmp(starting->command, AGENT_NATIVE))
		return agent_model_find(settings, own, model, err) < 0
			       ? -1
			       : agent_native_check(model, err);
	return agent_model_is_set(settings, own) ? agent_model_find(settings, own, model, err)
						 : 0;
}

static int add_program(struct starting *starting, const char *name, struct error *err)
{
	struct agent_setup *setup = starting->setup;
	bool native = !strcmp(starting->command, AGENT_NATIVE);
	/* The agent without a model has no use for allowed hosts. */
	bool network = starting->container.hosts.count &&
		       strcmp(starting->command, AGENT_OFFLINE) != 0;

	if (find_model(starting, err) < 0)
		return -1;
	if (native || !strcmp(starting->command, AGENT_CLAUDE)) {
		setup->servers = xasprintf(LOCAL_FOLDER "/%s.mcp.json", name);
		setup->root = starting->inst->root;
	}
	if (setup->model.provider || network) {
		if (!starting->spec.kind->network)
			return error_set(err, ERROR_INVALID,
				"this agent needs a network, which the sandbox '%s' cannot give; "
				"please ask the owner of this computer to choose another sandbox",
				starting->spec.kind->name);
		if (agent_gate_open(starting->desk->gates, &setup->access, name, &setup->model,
			    &starting->container.hosts, err) < 0)
			return -1;
		starting->has_relay = network || !native;
	}
	if (fill_words(starting, err) < 0 ||
		(setup->access.gate && add_gate(starting, err) < 0))
		return -1;
	starting->spec.argv = (const char *const *)starting->argv.list;
	fill_environment(starting);
	return 0;
}

/* --- mounts ------------------------------------------------------------------ */

/* A file or folder of the project; a missing one is left out. */
static int mount_below(struct starting *starting, const char *name, const char *target,
	unsigned flags, bool folder, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	int fd;

	if (relpath_parse(view_of(name), &path, err) < 0)
		return -1;
	if ((folder ? beneath_open_dir(starting->inst->root, &path, &fd, &missing)
		    : beneath_open_file(starting->inst->root, &path, &fd, NULL, &missing)) < 0)
		return missing.errnum == ENOENT
			       ? 0
			       : error_set(err, missing.kind, "%s", missing.message);
	sandbox_add_mount(&starting->spec, fd, target, flags);
	return 0;
}

static int mount_session(struct starting *starting, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep)
	char *name = xasprintf("data/sessions/%s/.claude/skills", starting->group.folder);
	CLEANUP(freep)
	char *folder = xasprintf("data/sessions/%s/.claude", starting->group.folder);
	CLEANUP(closep) int made = -1;

	if (relpath_parse(view_of(name), &path, err) < 0 ||
		beneath_open_parent(starting->inst->root, &path, BENEATH_CREATE, &made, err) <
			0)
		return -1;
	return mount_below(
		starting, folder, SANDBOX_HOME "/.claude", SANDBOX_WRITABLE, true, err);
}

/* Files that come during its life appear there. */
static int mount_media(struct starting *starting, struct error *err)
{
	int fd;

	if (media_folder_open(starting->inst->root, starting->group.folder, &fd, err) < 0)
		return -1;
	sandbox_add_mount(&starting->spec, fd, MEDIA_INSIDE, 0);
	return 0;
}

static int mount_extra(struct starting *starting, struct error *err)
{
	CLEANUP(allowlist_release) struct allowlist allowlist = ALLOWLIST_INIT;
	const char *home = getenv("HOME");

	if (!starting->container.mount_count)
		return 0;
	if (!home || home[0] != '/')
		return error_set(err, ERROR_INVALID,
			"HOME is not set, so nothing says which "
			"mounts are allowed");
	if (allowlist_read(home, &allowlist, err) < 0)
		return -1;
	for (size_t i = 0; i < starting->container.mount_count; i++) {
		const struct container_mount *mount = &starting->container.mounts[i];
		CLEANUP(freep) char *target = xasprintf("/workspace/extra/%s", mount->name);
		struct allowlist_mount opened;

		if (allowlist_open(&allowlist,
			    &(struct allowlist_request){
				    mount->path, mount->read_only, starting->group.is_main},
			    &opened, err) < 0)
			return error_prefix(err, "the mount '%s'", mount->name);
		sandbox_add_mount(&starting->spec, opened.fd, target,
			(opened.writable ? SANDBOX_WRITABLE : 0) | SANDBOX_UNCOUNTED);
	}
	return 0;
}

static int add_mounts(struct starting *starting, int socket, struct error *err)
{
	CLEANUP(freep) char *folder = xasprintf("groups/%s", starting->group.folder);
	CLEANUP(freep) char *file = container_shown(starting->group.folder);

	sandbox_add_mount(&starting->spec, fcntl(socket, F_DUPFD_CLOEXEC, 3),
		AGENT_SOCKET_INSIDE, SANDBOX_WRITABLE | SANDBOX_UNCOUNTED);
	if (mount_below(starting, folder, SANDBOX_WORKDIR, SANDBOX_WRITABLE, true, err) < 0 ||
		mount_below(starting, file, SANDBOX_WORKDIR "/" CONTAINER_FILE, 0, false, err) <
			0 ||
		mount_below(starting, "container/CLAUDE.md", "/app/CLAUDE.md", 0, false, err) <
			0 ||
		mount_below(starting, "container/skills", "/app/skills", 0, true, err) < 0 ||
		mount_session(starting, err) < 0 || mount_media(starting, err) < 0 ||
		mount_extra(starting, err) < 0)
		return -1;
	if (!starting->group.is_main)
		return 0;
	return sandbox_add_project(&starting->spec, starting->inst->root,
		starting->group.folder, "/workspace/project", err);
}

/* --- the start --------------------------------------------------------------- */

static struct stamp stamp_of_settings(int root, const char *folder)
{
	CLEANUP(freep) char *name = container_shown(folder);

	return stamp_beneath(root, name);
}

bool agent_setup_is_outdated(const struct agent_desk *desk, const struct agent_setup *setup)
{
	struct stamp stamp = stamp_of_settings(desk->inst->root, setup->access.folder);

	return !stamp_equal(&stamp, &setup->settings);
}

/* Its last agent may have taken the modes away that the host needs. */
static void unlock_folders(int root, const char *folder)
{
	CLEANUP(freep) char *group = xasprintf("groups/%s", folder);
	CLEANUP(freep) char *fragments = xasprintf("%s/.claude-fragments", group);
	CLEANUP(freep) char *session = xasprintf("data/sessions/%s", folder);
	CLEANUP(freep) char *memory = xasprintf("%s/.claude", session);
	CLEANUP(freep) char *skills = xasprintf("%s/skills", memory);

	private_entries(root, group);
	private_entries(root, fragments);
	private_entries(root, session);
	private_entries(root, memory);
	private_entries(root, skills);
}

/* The group, its settings, and the kind of its sandbox. */
static int find_settings(struct starting *starting, struct error *err)
{
	struct installation *inst = starting->inst;
	const char *folder = starting->setup->access.folder;
	CLEANUP(closep) int made = -1;
	const struct container_limits *limits;

	if (store_group_by_folder(inst->store, folder, &starting->group, err) < 0)
		return -1;
	if (!starting->group.folder)
		return error_set(err, ERROR_INVALID, "the group '%s' was removed", folder);
	unlock_folders(inst->root, folder);
	if (registry_open_folder(inst->root, folder, &made, err) < 0 ||
		container_load(inst->root, folder, &starting->container, err) < 0 ||
		memory_compose(starting->desk->memory, folder, err) < 0)
		return -1;
	for (size_t i = 0; i < starting->container.warnings.count; i++)
		log_warning("%s", starting->container.warnings.list[i]);
	limits = &starting->container.limits;
	starting->setup->settings = stamp_of_settings(inst->root, folder);
	starting->setup->turn_seconds = (int64_t)limits->seconds;
	starting->spec.group = starting->group.folder;
	starting->spec.image = sandboxes_image(starting->desk->sandboxes);
	starting->spec.limits = (struct sandbox_limits){
		.memory_megabytes = limits->memory_megabytes,
		.processes = limits->processes,
		.cpu_percent = limits->cpu_percent,
		.disk_megabytes = limits->disk_megabytes,
		.seconds = LONGEST_LIFE_SECONDS,
	};
	starting->command =
		agent_command_of(&starting->container, &starting->group, &inst->settings);
	return sandboxes_choose(starting->desk->sandboxes,
		&(struct sandbox_wish){
			.kind = starting->container.sandbox,
			.own_agent = !strcmp(starting->command, AGENT_OFFLINE),
			.stays_here = starting->group.is_main,
		},
		&starting->spec.kind, err);
}

/* Faults of the group or its settings are reported when its agent starts. */
bool agent_setup_known(const struct agent_desk *desk, const struct agent_setup *setup)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct installation *inst = desk->inst;
	const char *folder = setup->access.folder;
	const struct container *container;
	const char *command;

	if (store_group_by_folder(inst->store, folder, &group, &ignored) < 0 || !group.folder ||
		container_cache_look(
			&inst->containers, inst->root, folder, &container, &ignored) < 0)
		return true;
	command = agent_command_of(container, &group, &inst->settings);
	return sandboxes_known(
		desk->sandboxes, &(struct sandbox_wish){
					 .kind = container->sandbox,
					 .own_agent = !strcmp(command, AGENT_OFFLINE),
					 .stays_here = group.is_main,
				 });
}

int agent_setup_start(const struct agent_desk *desk, const struct agent_start *start,
	struct agent_setup *setup, struct agent **ret_agent, struct error *err)
{
	CLEANUP(starting_release)
	struct starting starting = {
		.desk = desk,
		.inst = desk->inst,
		.setup = setup,
		.session = start->session,
		.group = GROUP_INIT,
		.container = CONTAINER_INIT,
		.spec = SANDBOX_SPEC_INIT,
	};
	struct sandbox *sandbox;

	if (find_settings(&starting, err) < 0 ||
		add_mounts(&starting, start->socket, err) < 0 ||
		add_program(&starting, start->name, err) < 0 ||
		sandbox_prepare(
			sandboxes_owner(desk->sandboxes), &starting.spec, &sandbox, err) < 0) {
		agent_setup_end(setup);
		return -1;
	}
	if (agent_start(&desk->inst->loop,
		    &(struct agent_config){
			    .sandbox = sandbox,
			    .grace_ms = (uint64_t)desk->inst->limits.grace_seconds * 1000,
		    },
		    start->handlers, start->data, ret_agent, err) < 0) {
		agent_setup_end(setup);
		return -1;
	}
	return 0;
}

void agent_setup_end(struct agent_setup *setup)
{
	gate_close(setup->access.gate);
	agent_network_close(setup->access.network);
	if (setup->servers)
		sys.unlink(setup->root, setup->servers, 0);
	free(setup->servers);
	setup->servers = NULL;
	agent_model_release(&setup->model);
	setup->access.gate = NULL;
	setup->access.network = NULL;
	setup->turn_seconds = 0;
	setup->settings = (struct stamp){0};
}
