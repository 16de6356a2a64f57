#include "cli/service/service.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "builds/builds.h"
#include "cli/project.h"
#include "cli/service/service_unit.h"
#include "fs/file.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "proc/process.h"

#define SYSTEM_FOLDER   "/etc/systemd/system"
#define USER_FOLDER     "systemd/user"
#define MAX_UNIT        ((size_t)64 * 1024)
#define SYSTEMCTL_MS    (90 * 1000)
#define MAX_COMPLAINTS  ((size_t)4096)
#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

const struct option service_options[] = {
	{.name = "user", .help = "a user service (the default, except for root)"},
	{.name = "system", .help = "a system service; needs root"},
	{.name = "name",
		.argument = "NAME",
		.help = "the name of the service (default: the folder's name and a few digits)"},
	{0},
};

void service_release(struct service *service)
{
	free(service->root);
	free(service->program);
	free(service->folder);
	free(service->unit);
	free(service->user);
	free(service->home);
}

/* --- the service ----------------------------------------------------------------- */

/* A system service runs as the owner of the folder. */
static int find_user(struct service *service, struct error *err)
{
	const struct passwd *entry;
	struct stat st;

	if (!service->system) {
		service->home = getenv("HOME") ? xstrdup(getenv("HOME")) : NULL;
		return 0;
	}
	if (stat(service->root, &st) < 0)
		return error_errno(err, "cannot access '%s'", service->root);
	entry = getpwuid(st.st_uid);
	if (!entry)
		return error_set(
			err, ERROR_INVALID, "the owner of '%s' is unknown", service->root);
	if (st.st_uid)
		service->user = xstrdup(entry->pw_name);
	service->home = xstrdup(entry->pw_dir);
	return 0;
}

/* The same name for the same folder, and different names for different folders. */
static char *name_for(const char *root)
{
	char hex[HASH_HEX_SIZE];
	CLEANUP(buf_release) struct buf folder = BUF_INIT_MAX(40);

	hash_hex_of(view_of(root), hex);
	for (const char *c = strrchr(root, '/') + 1; *c; c++)
		buf_append_char(&folder, strchr(NAME_CHARACTERS, *c) ? *c : '-');
	return xasprintf("nanoclaw-%s-%.6s", folder.data, hex);
}

static int check_options(const struct arguments *args, struct error *err)
{
	const char *name = arguments_value(args, "name");

	if (name && (!*name || strlen(name) > 64 || name[0] == '-' ||
			    name[strspn(name, NAME_CHARACTERS)]))
		return error_set(err, ERROR_INVALID,
			"the name of a service has letters, digits, '-' and '_'");
	if (arguments_flag(args, "user") && arguments_flag(args, "system"))
		return error_set(
			err, ERROR_INVALID, "'--user' and '--system' cannot be used together");
	return 0;
}

/*
 * In NanoClaw's own source it is the previous build, which has proved itself: it starts the
 * current build, or rolls it back (current_build.h). A switch needs no new unit.
 */
static char *find_program(const struct project *project, struct error *err)
{
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	CLEANUP(freep) char *before = NULL;

	if (builds_open(project->root, project->path, &builds, err) < 0)
		return NULL;
	before = builds_before(&builds);
	return before ? xasprintf("%s/before/" BUILDS_PROGRAM, builds.path)
		      : realpath("/proc/self/exe", NULL);
}

int service_find(const struct arguments *args, struct service *ret_service, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(service_release) struct service service = {0};
	CLEANUP(freep) char *name = NULL;
	bool running;
	const char *config;
	const char *home;

	if (check_options(args, err) < 0 || project_open_reading(&project, &running, err) < 0)
		return -1;
	service.system =
		arguments_flag(args, "system") || (!geteuid() && !arguments_flag(args, "user"));
	service.root = realpath(project.path, NULL);
	service.program = find_program(&project, err);
	if (!service.root || !service.program)
		return error_errno(err, "cannot determine the current folder");
	if (!service_unit_can_name(service.root) || !service_unit_can_name(service.program)) {
		error_set(err, ERROR_INVALID,
			"the folder's name cannot be used in a systemd unit");
		return error_hint(err,
			"rename it: no control characters, and no space or backslash at "
			"the end");
	}
	name = arguments_value(args, "name") ? xstrdup(arguments_value(args, "name"))
					     : name_for(service.root);
	service.unit = xasprintf("%s.service", name);
	config = getenv("XDG_CONFIG_HOME");
	home = getenv("HOME");
	if (service.system)
		service.folder = xstrdup(SYSTEM_FOLDER);
	else if (config && config[0] == '/')
		service.folder = xasprintf("%s/" USER_FOLDER, config);
	else if (home && home[0] == '/')
		service.folder = xasprintf("%s/.config/" USER_FOLDER, home);
	else
		return error_set(err, ERROR_INVALID, "HOME is not set");
	if (find_user(&service, err) < 0)
		return -1;
	*ret_service = service;
	service = (struct service){0};
	return 0;
}

int service_keep_program(struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	CLEANUP(freep) char *program = realpath("/proc/self/exe", NULL);
	struct stat st;
	bool running;

	if (project_open_reading(&project, &running, err) < 0)
		return -1;
	if (!build_source_is_own(project.root) || fstat(project.root, &st) < 0 ||
		st.st_uid != geteuid() || !program)
		return 0;
	if (builds_open_locked(project.root, project.path, &builds, err) < 0)
		return -1;
	return builds_keep_first(&builds, program, err);
}

/* --- systemctl ----------------------------------------------------------------- */

/* Without a service, of no manager in particular. */
static int systemctl(const struct service *service, const char *const *words,
	struct process_result *ret_result, struct error *err)
{
	struct process_request request = PROCESS_REQUEST_INIT;
	const char *argv[8] = {"systemctl"};
	size_t count = 1;

	if (service)
		argv[count++] = service->system ? "--system" : "--user";
	for (; *words && count < ARRAY_SIZE(argv) - 1; words++)
		argv[count++] = *words;
	request.argv = argv;
	request.timeout_ms = SYSTEMCTL_MS;
	request.output = (struct process_stream){PROCESS_CAPTURE_TAIL, MAX_COMPLAINTS};
	request.errors = (struct process_stream){PROCESS_CAPTURE_TAIL, MAX_COMPLAINTS};
	return process_run(&request, ret_result, err);
}

/* --- the unit ------------------------------------------------------------------ */

/* "systemd 252 (252.38-1)": 0 if there is no such answer. */
static unsigned systemd_version(void)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	unsigned version;

	if (systemctl(NULL, (const char *const[]){"--version", NULL}, &result, &ignored) < 0 ||
		sscanf(result.output.data, "systemd %u", &version) != 1)
		return 0;
	return version;
}

void service_text(const struct service *service, struct buf *out)
{
	struct service_unit unit = {
		.root = service->root,
		.program = service->program,
		.user = service->user,
		.home = service->home,
		.path = getenv("PATH"),
		.systemd = systemd_version(),
		.system = service->system,
	};

	service_unit_write(&unit, out);
}

/* --- the file ------------------------------------------------------------------ */

/* Folder by folder, from the root; links are the person's own business here. */
static int make_folders(const char *path, struct error *err)
{
	CLEANUP(freep) char *part = xstrdup(path);

	for (char *slash = strchr(part + 1, '/');; slash = strchr(slash + 1, '/')) {
		if (slash)
			*slash = '\0';
		if (sys.mkdir(AT_FDCWD, part, 0755) < 0 && errno != EEXIST)
			return error_errno(err, "cannot make '%s'", part);
		if (!slash)
			return 0;
		*slash = '/';
	}
}

/* Is this the unit of this very project? */
static bool unit_is_of(const struct service *service, const char *text)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	service_unit_place(service->root, &line);
	return strstr(text, line.data) != NULL;
}

/* The text of the unit; empty if it does not exist. */
static int read_unit(const struct service *service, struct buf *ret_text, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/%s", service->folder, service->unit);

	buf_clear(ret_text);
	if (file_read(path, MAX_UNIT, ret_text, &missing) < 0 && missing.errnum != ENOENT)
		return error_move(err, &missing);
	if (ret_text->len && !view_starts_with(view_of_buf(ret_text), SERVICE_UNIT_MARK)) {
		error_set(err, ERROR_INVALID, "'%s' was not written by nanoclaw", path);
		return error_hint(err, "choose another name with '--name'");
	}
	if (ret_text->len && !unit_is_of(service, ret_text->data)) {
		error_set(err, ERROR_INVALID, "the service '%s' belongs to another project",
			service->unit);
		return error_hint(
			err, "'%s' says which; choose another name with '--name'", path);
	}
	return 0;
}

static int write_unit(const struct service *service, const struct buf *text, struct error *err)
{
	CLEANUP(closep) int folder = -1;

	if (make_folders(service->folder, err) < 0)
		return -1;
	folder = open(service->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return error_errno(err, "cannot open '%s'", service->folder);
	if (!text->len)
		return replace_delete(folder, service->unit, 0, err);
	return replace_file(folder, service->unit, view_of_buf(text), 0644, NULL, 0, err);
}

static int ask_manager(
	const struct service *service, const char *const *words, struct error *err)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct view complaint;

	if (systemctl(service, words, &result, err) < 0)
		return -1;
	if (!result.exit_code)
		return 0;
	complaint = view_trim(view_of_buf(&result.errors));
	return error_set(err, ERROR_FAILED, "systemctl %s: %.*s", words[0],
		VIEW_ARGS(complaint.len ? complaint : view_of("failed")));
}

/* One word, as `systemctl is-active` prints it, else "unknown". */
static void ask_word(const struct service *service, const char *const *words,
	char ret_word[static SERVICE_WORD_SIZE])
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct view word = {"", 0};

	if (systemctl(service, words, &result, &ignored) == 0)
		word = view_trim(view_of_buf(&result.output));
	if (!word.len || word.len >= SERVICE_WORD_SIZE || memchr(word.data, '\n', word.len))
		word = view_of("unknown");
	snprintf(ret_word, SERVICE_WORD_SIZE, "%.*s", VIEW_ARGS(word));
}

static int units_reload(const struct service *service, struct error *err)
{
	return ask_manager(service, (const char *const[]){"daemon-reload", NULL}, err);
}

/* The state of the service manager, in one word; "offline" if there is none. */
static bool service_has_manager(const struct service *service)
{
	static const char *const words[] = {
		"degraded", "initializing", "maintenance", "running", "starting", "stopping"};
	char word[SERVICE_WORD_SIZE];

	ask_word(service, (const char *const[]){"is-system-running", NULL}, word);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}

static int service_start(const struct service *service, bool now, struct error *err)
{
	/* Not "--now": a running service must take the new unit. */
	if (units_reload(service, err) < 0 ||
		ask_manager(
			service, (const char *const[]){"enable", service->unit, NULL}, err) < 0)
		return -1;
	if (!now)
		return 0;
	return ask_manager(service, (const char *const[]){"restart", service->unit, NULL}, err);
}

/* Restore the earlier unit, as far as the service manager allows. */
static void service_take_back(const struct service *service, const struct buf *before)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *const disable[] = {"disable", "--now", service->unit, NULL};

	if (!before->len)
		ask_manager(service, disable, &ignored);
	error_clear(&ignored);
	write_unit(service, before, &ignored);
	error_clear(&ignored);
	units_reload(service, &ignored);
}

int service_install(const struct service *service, bool start, enum service_installed *ret,
	struct error *err)
{
	CLEANUP(buf_release) struct buf before = BUF_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (read_unit(service, &before, err) < 0)
		return -1;
	service_text(service, &text);
	if (write_unit(service, &text, err) < 0)
		return -1;
	if (!service_has_manager(service)) {
		*ret = SERVICE_WRITTEN;
		return 0;
	}
	if (service_start(service, start, err) < 0) {
		service_take_back(service, &before);
		return error_hint(err,
			"everything is as it was before; its log: journalctl %s-u %s",
			service->system ? "" : "--user ", service->unit);
	}
	*ret = start ? SERVICE_STARTED : SERVICE_ENABLED;
	return 0;
}

/* Are they the same except for PATH, which is the caller's? */
static bool unit_is_same(struct view one, struct view two)
{
	struct view a, b;

	while (view_next(&one, '\n', &a)) {
		if (!view_next(&two, '\n', &b))
			return false;
		if (!view_equal(a, b) && !(view_starts_with(a, "Environment=") &&
						 view_starts_with(b, "Environment=")))
			return false;
	}
	return !two.len;
}

int service_look(
	const struct service *service, struct service_state *ret_state, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf now = BUF_INIT;

	if (read_unit(service, &text, err) < 0)
		return -1;
	*ret_state = (struct service_state){.active = "inactive", .enabled = "disabled"};
	ret_state->installed = text.len > 0;
	if (!ret_state->installed)
		return 0;
	service_text(service, &now);
	ret_state->current = unit_is_same(view_of_buf(&text), view_of_buf(&now));
	ask_word(service, (const char *const[]){"is-active", service->unit, NULL},
		ret_state->active);
	ask_word(service, (const char *const[]){"is-enabled", service->unit, NULL},
		ret_state->enabled);
	return 0;
}

/* The links that `systemctl enable` made, if no manager can remove them. */
static void remove_link(const struct service *service)
{
	CLEANUP(freep)
	char *link = xasprintf("%s/%s.wants/%s", service->folder,
		service->system ? "multi-user.target" : "default.target", service->unit);
	struct stat st;

	if (lstat(link, &st) == 0 && S_ISLNK(st.st_mode))
		sys.unlink(AT_FDCWD, link, 0);
}

int service_remove(const struct service *service, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const char *const disable[] = {"disable", "--now", service->unit, NULL};
	const struct buf nothing = BUF_INIT;
	bool manager;

	if (read_unit(service, &text, err) < 0)
		return -1;
	if (!text.len) {
		error_set(err, ERROR_INVALID, "there is no service '%s'", service->unit);
		return error_hint(err, "'nanoclaw service install' creates one");
	}
	manager = service_has_manager(service);
	if (manager && ask_manager(service, disable, err) < 0)
		return error_hint(
			err, "the unit still exists: '%s/%s'", service->folder, service->unit);
	if (write_unit(service, &nothing, err) < 0)
		return -1;
	if (manager)
		units_reload(service, &ignored);
	else
		remove_link(service);
	return 0;
}
