#include "cli/service.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/helper.h"
#include "cli/workplace.h"
#include "util/file.h"
#include "util/process.h"
#include "util/replace.h"
#include "util/sys.h"

#define MARK           "# Written by 'nanoclaw service install'.\n"
#define SYSTEM_FOLDER  "/etc/systemd/system"
#define USER_FOLDER    "systemd/user"
#define MAX_UNIT       ((size_t)64 * 1024)
#define SYSTEMCTL_MS   (90 * 1000)
#define MAX_COMPLAINTS ((size_t)4096)

const struct option service_options[] = {
	{.name = "system", .help = "a service of the system, not of the user; needs root"},
	{.name = "name",
		.argument = "NAME",
		.help = "the name of the service (nanoclaw); one for each project"},
	{0},
};

void service_release(struct service *service)
{
	free(service->root);
	free(service->program);
	free(service->folder);
	free(service->unit);
	free(service->user);
}

/* --- which one ----------------------------------------------------------------- */

static int find_folder(struct service *service, struct error *err)
{
	const char *config = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	if (service->system)
		service->folder = xstrdup(SYSTEM_FOLDER);
	else if (config && config[0] == '/')
		service->folder = xasprintf("%s/" USER_FOLDER, config);
	else if (home && home[0] == '/')
		service->folder = xasprintf("%s/.config/" USER_FOLDER, home);
	else
		return error_set(err, ERROR_INVALID, "HOME is not set");
	return 0;
}

/* Whose the folder is: that is who the service shall be. */
static int find_user(struct service *service, struct error *err)
{
	const struct passwd *entry;
	struct stat st;

	if (stat(service->root, &st) < 0)
		return error_errno(err, "cannot look at '%s'", service->root);
	entry = getpwuid(st.st_uid);
	if (!entry)
		return error_set(err, ERROR_INVALID, "'%s' belongs to nobody that is known",
			service->root);
	service->user = xstrdup(entry->pw_name);
	return 0;
}

static bool is_name(const char *name)
{
	return *name && strlen(name) <= 64 && name[0] != '-' &&
	       strspn(name,
		       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") ==
		       strlen(name);
}

int service_find(const struct arguments *args, struct service *ret_service, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(service_release) struct service service = {0};
	const char *name = helper_value(args, "name");
	bool running;

	if (name && !is_name(name))
		return error_set(err, ERROR_INVALID,
			"the name of a service has letters, digits, '-' and '_'");
	if (workplace_look(&project, &running, err) < 0)
		return -1;
	service.system = helper_flag(args, "system");
	service.root = realpath(project.path, NULL);
	service.program = realpath("/proc/self/exe", NULL);
	service.unit = xasprintf("%s.service", name ? name : "nanoclaw");
	if (!service.root || !service.program)
		return error_errno(err, "cannot find out where this is");
	if (strchr(service.root, '\n') || strchr(service.program, '\n'))
		return error_set(err, ERROR_INVALID,
			"a service cannot be in a folder with a newline in its name");
	if (find_folder(&service, err) < 0 || find_user(&service, err) < 0)
		return -1;
	*ret_service = service;
	service = (struct service){0};
	return 0;
}

/* --- the unit ------------------------------------------------------------------ */

/* '%' begins a specifier everywhere, '$' a variable in a command. */
static void append_escaped(const char *text, bool in_command, struct buf *out)
{
	for (; *text; text++) {
		if (*text == '%' || (*text == '$' && in_command))
			buf_append_char(out, *text);
		if ((*text == '"' || *text == '\\') && in_command)
			buf_append_char(out, '\\');
		buf_append_char(out, *text);
	}
}

/*
 * What is forbidden to the service. Agents get sandboxes of their own in it, by user
 * namespaces; so namespaces stay allowed, and nothing may cover parts of /proc
 * (ProtectKernelLogs, ProtectKernelTunables), over which no new /proc can be mounted.
 * What needs a mount namespace is left to the system's manager.
 */
static void append_limits(const struct service *service, struct buf *out)
{
	static const char *const always = "NoNewPrivileges=yes\n"
					  "LockPersonality=yes\n"
					  "RestrictRealtime=yes\n"
					  "RestrictSUIDSGID=yes\n"
					  "SystemCallArchitectures=native\n"
					  "UMask=0077\n";
	static const char *const of_system = "CapabilityBoundingSet=\n"
					     "PrivateDevices=yes\n"
					     "PrivateTmp=yes\n"
					     "ProtectClock=yes\n"
					     "ProtectControlGroups=yes\n"
					     "ProtectHostname=yes\n"
					     "ProtectKernelModules=yes\n"
					     "ProtectSystem=full\n";

	buf_append_str(out, always);
	if (service->system)
		buf_append_str(out, of_system);
}

void service_unit(const struct service *service, struct buf *out)
{
	buf_append_str(out, MARK "[Unit]\nDescription=NanoClaw in ");
	append_escaped(service->root, false, out);
	buf_append_str(out, "\nDocumentation=man:nanoclaw(1)\n");
	if (service->system)
		buf_append_str(out, "Wants=network-online.target\n"
				    "After=network-online.target\n");
	buf_append_str(out, "\n[Service]\nType=notify\nNotifyAccess=main\n");
	if (service->system)
		buf_appendf(out, "User=%s\n", service->user);
	buf_append_str(out, "WorkingDirectory=");
	append_escaped(service->root, false, out);
	buf_append_str(out, "\nExecStart=\"");
	append_escaped(service->program, true, out);
	buf_append_str(out, "\" run\nRestart=on-failure\nRestartSec=5\nTimeoutStopSec=30\n"
			    "# exit code 4: another host is running here\n"
			    "RestartPreventExitStatus=2 4\n");
	append_limits(service, out);
	buf_appendf(out, "\n[Install]\nWantedBy=%s\n",
		service->system ? "multi-user.target" : "default.target");
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
static bool is_of(const struct service *service, const char *text)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	buf_append_str(&line, "\nWorkingDirectory=");
	append_escaped(service->root, false, &line);
	buf_append_char(&line, '\n');
	return strstr(text, line.data) != NULL;
}

/* The text of the unit; an empty one if there is none. */
static int read_unit(const struct service *service, struct buf *ret_text, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/%s", service->folder, service->unit);

	buf_clear(ret_text);
	if (file_read(path, MAX_UNIT, ret_text, &missing) < 0 && missing.errnum != ENOENT)
		return error_set(err, ERROR_FAILED, "%s", missing.message);
	if (ret_text->len && !view_starts_with(view_of_buf(ret_text), MARK)) {
		error_set(err, ERROR_INVALID, "'%s' was not written by nanoclaw", path);
		return error_hint(err, "choose another name with '--name'");
	}
	if (ret_text->len && !is_of(service, ret_text->data)) {
		error_set(err, ERROR_INVALID, "the service '%s' is that of another project",
			service->unit);
		return error_hint(
			err, "'%s' says which; choose another name with '--name'", path);
	}
	return 0;
}

static int open_folder(const struct service *service, int *ret_fd, struct error *err)
{
	*ret_fd = open(service->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *ret_fd < 0 ? error_errno(err, "cannot open '%s'", service->folder) : 0;
}

static int write_unit(const struct service *service, const struct buf *text, struct error *err)
{
	CLEANUP(closep) int folder = -1;

	if (make_folders(service->folder, err) < 0 || open_folder(service, &folder, err) < 0)
		return -1;
	if (!text->len)
		return replace_delete(folder, service->unit, 0, err);
	return replace_file(folder, service->unit, view_of_buf(text), 0644, NULL, 0, err);
}

/* --- systemctl ----------------------------------------------------------------- */

static int systemctl(const struct service *service, const char *const *words,
	struct process_result *ret_result, struct error *err)
{
	struct process_request request = PROCESS_REQUEST_INIT;
	const char *argv[8] = {"systemctl", service->system ? "--system" : "--user"};
	size_t count = 2;

	for (; *words && count < ARRAY_SIZE(argv) - 1; words++)
		argv[count++] = *words;
	request.argv = argv;
	request.timeout_ms = SYSTEMCTL_MS;
	request.output = (struct process_stream){PROCESS_CAPTURE_TAIL, MAX_COMPLAINTS};
	request.errors = (struct process_stream){PROCESS_CAPTURE_TAIL, MAX_COMPLAINTS};
	return process_run(&request, ret_result, err);
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

static int reload(const struct service *service, struct error *err)
{
	return ask_manager(service, (const char *const[]){"daemon-reload", NULL}, err);
}

static int start_it(const struct service *service, struct error *err)
{
	/* Not "--now": one that runs already shall take the new unit. */
	if (reload(service, err) < 0 ||
		ask_manager(
			service, (const char *const[]){"enable", service->unit, NULL}, err) < 0)
		return -1;
	return ask_manager(service, (const char *const[]){"restart", service->unit, NULL}, err);
}

/* As it was, as far as the manager goes along. */
static void take_back(const struct service *service, const struct buf *before)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *const disable[] = {"disable", "--now", service->unit, NULL};

	if (!before->len)
		ask_manager(service, disable, &ignored);
	error_clear(&ignored);
	write_unit(service, before, &ignored);
	error_clear(&ignored);
	reload(service, &ignored);
}

int service_install(const struct service *service, bool start, struct error *err)
{
	CLEANUP(buf_release) struct buf before = BUF_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (read_unit(service, &before, err) < 0)
		return -1;
	service_unit(service, &text);
	if (write_unit(service, &text, err) < 0)
		return -1;
	if (!start || start_it(service, err) == 0)
		return 0;
	take_back(service, &before);
	return error_hint(err, "the unit is as it was before; '--only-write' writes it and "
			       "starts nothing");
}

/* One word, as `systemctl is-active` prints it. */
static void ask_word(
	const struct service *service, const char *question, char ret_word[static 32])
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct view word = {"", 0};

	if (systemctl(service, (const char *const[]){question, service->unit, NULL}, &result,
		    &ignored) == 0)
		word = view_trim(view_of_buf(&result.output));
	if (!word.len || word.len > 31 || memchr(word.data, '\n', word.len))
		word = view_of("unknown");
	snprintf(ret_word, 32, "%.*s", VIEW_ARGS(word));
}

int service_look(
	const struct service *service, struct service_state *ret_state, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (read_unit(service, &text, err) < 0)
		return -1;
	*ret_state = (struct service_state){text.len > 0, "inactive", "disabled"};
	if (ret_state->installed) {
		ask_word(service, "is-active", ret_state->active);
		ask_word(service, "is-enabled", ret_state->enabled);
	}
	return 0;
}

int service_remove(const struct service *service, struct error *err)
{
	CLEANUP(error_release) struct error complaint = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const char *const disable[] = {"disable", "--now", service->unit, NULL};
	const struct buf nothing = BUF_INIT;

	if (read_unit(service, &text, err) < 0)
		return -1;
	if (!text.len) {
		error_set(err, ERROR_INVALID, "there is no service '%s'", service->unit);
		return error_hint(err, "'nanoclaw service install' makes one");
	}
	/* Without a manager nothing of it runs. */
	if (ask_manager(service, disable, &complaint) < 0 && complaint.errnum != ENOENT &&
		!strstr(complaint.message, "bus"))
		return error_set(err, ERROR_FAILED, "%s", complaint.message);
	if (write_unit(service, &nothing, err) < 0)
		return -1;
	error_clear(&complaint);
	reload(service, &complaint);
	return 0;
}
