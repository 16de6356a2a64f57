#include "veil/veil.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/view.h"
#include "fs/file.h"
#include "proc/log.h"
#include "proc/process.h"

#define PROBE_MS 20000

/* In the home folder. */
static const char *const in_home[] = {
	".ICEauthority",
	".Xauthority",
	".aws",
	".azure",
	".bash_history",
	".cargo/credentials",
	".cargo/credentials.toml",
	".claude",
	".claude.json",
	".codex",
	".config/BraveSoftware",
	".config/chromium",
	".config/containers/auth.json",
	".config/doctl",
	".config/gcloud",
	".config/gh",
	".config/git/credentials",
	".config/glab-cli",
	".config/google-chrome",
	".config/hub",
	".config/op",
	".config/rclone",
	".docker",
	".gem/credentials",
	".gemini",
	".git-credentials",
	".gnupg",
	".kube",
	".local/share/keyrings",
	".local/share/kwalletd",
	".local/state/nanoclaw",
	".mozilla",
	".my.cnf",
	".netrc",
	".password-store",
	".pgpass",
	".pypirc",
	".python_history",
	".ssh",
	".terraform.d",
	".thunderbird",
	".vault-token",
	".zsh_history",
};

/* Configuration of package managers, with tokens. */
static const char *const of_installs[] = {
	".bunfig.toml",
	".config/pnpm/rc",
	".npmrc",
	".yarnrc",
	".yarnrc.yml",
};

/* What programs that act for the caller listen on; `%u` is the user, `*` a wildcard. */
static const char *const in_system[] = {
	"/run/containerd",
	"/run/dbus",
	"/run/docker.sock",
	"/run/podman",
	"/run/screen",
	"/run/user/%u",
	"/tmp/.X11-unix",
	"/tmp/krb5cc_%u*",
	"/tmp/ssh-*",
	"/tmp/tmux-%u",
};

/* Variables that name such a file. */
static const char *const in_variables[] = {
	"AWS_SHARED_CREDENTIALS_FILE",
	"CLAUDE_CONFIG_DIR",
	"DOCKER_CONFIG",
	"GH_CONFIG_DIR",
	"GNUPGHOME",
	"GOOGLE_APPLICATION_CREDENTIALS",
	"KUBECONFIG",
	"SSH_AUTH_SOCK",
	"XAUTHORITY",
	"XDG_RUNTIME_DIR",
};

/*
 * Root keeps its rights over files, but not those with which it could take a mount away, look
 * into processes outside, or read a disk directly. An ordinary user, and root in a container,
 * needs a user namespace.
 */
static const char *const root_words[] = {
	"--mount", "--pid", "--fork", "--kill-child", "--mount-proc", NULL};
static const char *const root_sandbox[] = {"--die-with-parent", "--cap-drop", "CAP_BPF",
	"--cap-drop", "CAP_DAC_READ_SEARCH", "--cap-drop", "CAP_MKNOD", "--cap-drop",
	"CAP_SYS_ADMIN", "--cap-drop", "CAP_SYS_MODULE", "--cap-drop", "CAP_SYS_PTRACE",
	"--cap-drop", "CAP_SYS_RAWIO", "--dev-bind", "/", "/", "--dev", "/dev",
	"--dev-bind-try", "/dev/fuse", "/dev/fuse", "--dev-bind-try", "/dev/kvm", "/dev/kvm",
	"--dev-bind-try", "/dev/net", "/dev/net", "--dev-bind-try", "/dev/shm", "/dev/shm",
	NULL};
static const char *const user_words[] = {"--user", "--map-root-user", NULL};
static const char *const user_sandbox[] = {"--unshare-user", "--die-with-parent", "--cap-drop",
	"ALL", "--dev-bind", "/", "/", NULL};

enum veil_kind { VEIL_UNKNOWN, VEIL_ROOT, VEIL_USER, VEIL_NONE };

static struct string_array projects;

void veil_protect(const char *root)
{
	string_array_add_new(&projects, root);
}

/* --- what is hidden ---------------------------------------------------------- */

struct veiling {
	struct veil *veil;
	struct string_array masked; /* folders */
	const char *folder;         /* what it works with, which stays */
};

static bool is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && (path[len] == '/' || !path[len]);
}

/* Its real place, because bwrap cannot mount on a link. A folder that is needed stays. */
static void veiling_hide(struct veiling *veiling, const char *path)
{
	CLEANUP(freep) char *real = *path == '/' ? realpath(path, NULL) : NULL;
	const char *temporary = getenv("TMPDIR");
	struct string_array *argv = &veiling->veil->argv;
	struct stat st;

	if (!real || stat(real, &st) < 0 || !strcmp(real, "/") || S_ISCHR(st.st_mode) ||
		(veiling->folder && is_below(veiling->folder, real)) ||
		(temporary && is_below(temporary, real)))
		return;
	for (size_t i = 0; i < veiling->masked.count; i++)
		if (is_below(real, veiling->masked.list[i]))
			return;
	if (S_ISDIR(st.st_mode)) {
		string_array_add(&veiling->masked, real);
		STRING_ARRAY_ADD(argv, "--perms", "0700", "--tmpfs", real);
	} else if (veiling->veil->fd_count < VEIL_MAX_FILES) {
		string_array_add(&veiling->masked, real);
		STRING_ARRAY_ADD(argv, "--perms", "0400", "--ro-bind-data");
		string_array_addf(argv, "%zu", STDERR_FILENO + 1 + veiling->veil->fd_count++);
		string_array_add(argv, real);
	}
}

static void veiling_hide_home(struct veiling *veiling, bool installs)
{
	const char *home = getenv("HOME");

	for (size_t i = 0; home && i < ARRAY_SIZE(in_home); i++) {
		CLEANUP(freep) char *path = xasprintf("%s/%s", home, in_home[i]);

		veiling_hide(veiling, path);
	}
	for (size_t i = 0; home && !installs && i < ARRAY_SIZE(of_installs); i++) {
		CLEANUP(freep) char *path = xasprintf("%s/%s", home, of_installs[i]);

		veiling_hide(veiling, path);
	}
}

static void veiling_hide_agents(struct veiling *veiling)
{
	const char *state = getenv("XDG_STATE_HOME");
	CLEANUP(freep) char *agreed = state ? xasprintf("%s/nanoclaw", state) : NULL;

	if (agreed)
		veiling_hide(veiling, agreed);
	for (size_t i = 0; i < ARRAY_SIZE(in_system); i++) {
		const char *user = strstr(in_system[i], "%u");
		int len = user ? (int)(user - in_system[i]) : 0;
		CLEANUP(freep)
		char *pattern = user ? xasprintf("%.*s%u%s", len, in_system[i], getuid(),
					       user + strlen("%u"))
				     : xstrdup(in_system[i]);
		CLEANUP(globfree) glob_t found = {0};

		glob(pattern, GLOB_NOSORT, NULL, &found);
		for (size_t j = 0; j < found.gl_pathc; j++)
			veiling_hide(veiling, found.gl_pathv[j]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(in_variables); i++) {
		const char *value = getenv(in_variables[i]);
		CLEANUP(freep)
		char *variable = value ? xasprintf("%s=%s", in_variables[i], value) : NULL;

		if (value && !veil_passes(variable))
			veiling_hide(veiling, value);
	}
}

/* '.env', '.env.local' and so on; but not those that a project ships. */
static bool is_environment(const char *name)
{
	static const char *const shipped[] = {
		".env.dist", ".env.example", ".env.sample", ".env.template"};

	for (size_t i = 0; i < ARRAY_SIZE(shipped); i++)
		if (!strcmp(name, shipped[i]))
			return false;
	return !strcmp(name, ".env") || view_starts_with(view_of(name), ".env.");
}

static void veiling_hide_environments(struct veiling *veiling, const char *folder)
{
	CLEANUP(closedirp) DIR *dir = opendir(folder);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		CLEANUP(freep) char *path = xasprintf("%s/%s", folder, entry->d_name);

		if (is_environment(entry->d_name))
			veiling_hide(veiling, path);
	}
}

/* The project may be part of a larger one, and copies for a test are in the project. */
static void veiling_hide_project(struct veiling *veiling, const char *root)
{
	static const char *const of_assistant[] = {"data", "store"};
	CLEANUP(freep) char *ledger = xasprintf("%s/store/nanoclaw.db", root);
	CLEANUP(freep) char *above = xstrdup(root);
	bool is_assistant = !access(ledger, F_OK);

	veiling_hide_environments(veiling, root);
	for (char *slash; (slash = strrchr(above, '/')) && slash > above;) {
		CLEANUP(freep) char *path = NULL;

		*slash = '\0';
		path = xasprintf("%s/.env", above);
		veiling_hide(veiling, path);
	}
	for (size_t i = 0; is_assistant && i < ARRAY_SIZE(of_assistant); i++) {
		CLEANUP(freep) char *path = xasprintf("%s/%s", root, of_assistant[i]);

		veiling_hide(veiling, path);
	}
}

/* --- the command line -------------------------------------------------------- */

/* Without `request`: for the trial, in which no project has a say. */
static bool veil_compose(
	struct veil *veil, enum veil_kind kind, const struct veil_request *request)
{
	CLEANUP(freep) char *unshare = process_find("unshare"), *bwrap = process_find("bwrap");
	struct veiling veiling = {.veil = veil, .folder = request ? request->folder : NULL};

	if (!unshare || !bwrap)
		return false;
	string_array_add(&veil->argv, unshare);
	if (kind == VEIL_USER)
		string_array_add_all(&veil->argv, user_words);
	string_array_add_all(&veil->argv, root_words);
	string_array_add(&veil->argv, bwrap);
	string_array_add_all(&veil->argv, kind == VEIL_ROOT ? root_sandbox : user_sandbox);
	if (kind == VEIL_USER) {
		string_array_add(&veil->argv, "--uid");
		string_array_addf(&veil->argv, "%u", geteuid());
		string_array_add(&veil->argv, "--gid");
		string_array_addf(&veil->argv, "%u", getegid());
		/* Without it, Linux lets nobody map root into another namespace. */
		if (!geteuid())
			STRING_ARRAY_ADD(&veil->argv, "--cap-add", "CAP_SETFCAP");
	}
	veiling_hide_home(&veiling, request && request->installs);
	veiling_hide_agents(&veiling);
	if (request) {
		veiling_hide_project(&veiling, request->folder);
		for (size_t i = 0; i < projects.count; i++)
			veiling_hide_project(&veiling, projects.list[i]);
		STRING_ARRAY_ADD(&veil->argv, "--chdir", request->folder);
	}
	string_array_release(&veiling.masked);
	string_array_add(&veil->argv, "--");
	if (veil->fd_count)
		veil->fds[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	for (size_t i = 1; i < veil->fd_count; i++)
		veil->fds[i] = veil->fds[0];
	return true;
}

static bool veil_works(enum veil_kind kind)
{
	CLEANUP(veil_release) struct veil veil = VEIL_INIT;
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;

	if (!veil_compose(&veil, kind, NULL))
		return false;
	string_array_add(&veil.argv, "true");
	request.argv = (const char *const *)veil.argv.list;
	request.fds = veil.fds;
	request.fd_count = veil.fd_count;
	request.timeout_ms = PROBE_MS;
	request.output.mode = request.errors.mode = PROCESS_DISCARD;
	return process_run(&request, &result, &ignored) == 0 && result.exit_code == 0;
}

static enum veil_kind known;

void veil_never(void)
{
	known = VEIL_NONE;
}

static enum veil_kind veil_kind_here(void)
{
	if (known == VEIL_UNKNOWN)
		known = !geteuid() && veil_works(VEIL_ROOT) ? VEIL_ROOT
			: veil_works(VEIL_USER)             ? VEIL_USER
							    : VEIL_NONE;
	return known;
}

void veil_put_on(struct veil *veil, const struct veil_request *request)
{
	enum veil_kind kind = veil_kind_here();

	veil->on = kind != VEIL_NONE && veil_compose(veil, kind, request);
	if (!veil->on) {
		log_debug("commands run without a sandbox: none can be made here");
		prctl(PR_SET_DUMPABLE, 0); /* nobody else reads /proc/PID/environ */
	}
	string_array_add_all(&veil->argv, request->argv);
}

void veil_release(struct veil *veil)
{
	string_array_release(&veil->argv);
	if (veil->fd_count)
		closep(&veil->fds[0]);
}
