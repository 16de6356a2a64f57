#include "veil/veil.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/view.h"
#include "fs/file.h"
#include "fs/walk.h"
#include "proc/log.h"
#include "proc/process.h"

#define PROBE_MS    20000
#define MAX_GITFILE 4096

/* Of the home folder, a command sees what builds need: programs and caches without credentials. */
static const char *const of_home[] = {
	".asdf",
	".bun",
	".cabal/bin",
	".cabal/packages",
	".cabal/store",
	".cache/Cypress",
	".cache/bazel",
	".cache/ccache",
	".cache/deno",
	".cache/go-build",
	".cache/ms-playwright",
	".cache/node",
	".cache/node-gyp",
	".cache/pip",
	".cache/pnpm",
	".cache/puppeteer",
	".cache/uv",
	".cache/yarn",
	".cache/zig",
	".cargo/bin",
	".cargo/env",
	".cargo/git",
	".cargo/registry",
	".ccache",
	".deno",
	".dotnet",
	".ghcup",
	".gradle/caches",
	".gradle/wrapper",
	".local/bin",
	".local/lib",
	".local/pipx",
	".local/share/fnm",
	".local/share/mise",
	".local/share/pnpm",
	".local/share/uv",
	".m2/repository",
	".nodenv",
	".npm",
	".nuget/packages",
	".nvm",
	".opam",
	".pyenv",
	".rbenv",
	".rustup",
	".sdkman",
	".volta",
	".yarn/berry",
	"go",
};

/* An installation also gets the configuration of package managers, which may have tokens. */
static const char *const of_installs[] = {
	".bunfig.toml",
	".config/pnpm/rc",
	".npmrc",
	".yarnrc",
	".yarnrc.yml",
};

/* What of_home is relative to, where a variable names another folder. */
static const struct {
	const char *prefix;
	const char *variable;
} in_other_folders[] = {
	{".cache/", "XDG_CACHE_HOME"},
	{".cargo/", "CARGO_HOME"},
	{".config/", "XDG_CONFIG_HOME"},
	{".local/share/", "XDG_DATA_HOME"},
};

/* These name folders with credentials among other things, or are no paths to read. */
static const char *const not_shown[] = {
	"CARGO_HOME",
	"HOME",
	"PWD",
	"XDG_CACHE_HOME",
	"XDG_CONFIG_HOME",
	"XDG_DATA_HOME",
	"XDG_STATE_HOME",
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
	"/tmp/emacs%u",
	"/tmp/krb5cc_%u*",
	"/tmp/ssh-*",
	"/tmp/tmux-%u",
	"/tmp/vscode-*",
};

/* Variables that name a file or folder with credentials, wherever it is. */
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
	"XDG_CONFIG_HOME",
	"XDG_DATA_HOME",
	"XDG_RUNTIME_DIR",
	"XDG_STATE_HOME",
};

/*
 * Root keeps its rights over files, but not those with which it could take a mount away, look
 * into processes outside, or read a disk directly. It gives these up only inside, after it has made
 * the pid namespace: if bwrap were the first process there, its /proc/1/root would be the machine.
 * An ordinary user, and root in a container, needs a user namespace, which keeps them out.
 */
static const char *const root_words[] = {"--mount", NULL};
/* The first process waits for the command, and says nothing itself. */
#define AS_FIRST "exec 3>&2 4<&0 2>/dev/null; \"$@\" 2>&3 3>&- <&4 4<&- & wait $!; exit $?"
static const char *const root_sandbox[] = {"--die-with-parent", "--dev-bind", "/", "/", "--dev",
	"/dev", "--dev-bind-try", "/dev/fuse", "/dev/fuse", "--dev-bind-try", "/dev/kvm",
	"/dev/kvm", "--dev-bind-try", "/dev/net", "/dev/net", "--dev-bind-try", "/dev/shm",
	"/dev/shm", NULL};
static const char *const root_inside[] = {"--mount", "--pid", "--fork", "--kill-child",
	"--mount-proc", "setpriv", "--bounding-set",
	"-bpf,-dac_read_search,-mknod,-sys_admin,-sys_module,-sys_ptrace,-sys_rawio",
	"--inh-caps", "-all", "--no-new-privs", "sh", "-c", AS_FIRST, "sh", NULL};
static const char *const user_words[] = {"--user", "--map-root-user", "--mount", "--pid",
	"--fork", "--kill-child", "--mount-proc", NULL};
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
	const struct veil_request
		*request;           /* NULL: for the trial, in which no project has a say */
	struct string_array masked; /* folders that are empty */
	struct string_array shown;  /* … but for these below them */
	struct error *err;
};

static bool is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && (path[len] == '/' || !path[len]);
}

/* How long is the longest of the folders that the path is below? */
static size_t longest_above(const char *path, const struct string_array *folders)
{
	size_t longest = 0;

	for (size_t i = 0; i < folders->count; i++)
		if (is_below(path, folders->list[i]) && strlen(folders->list[i]) > longest)
			longest = strlen(folders->list[i]);
	return longest;
}

static bool veiling_sees(const struct veiling *v, const char *path)
{
	return longest_above(path, &v->shown) >= longest_above(path, &v->masked);
}

/* Its real place, because bwrap cannot mount on a link; NULL: there is none. */
static char *real_path(const char *path)
{
	return path && *path == '/' ? realpath(path, NULL) : NULL;
}

static void veiling_mask(struct veiling *v, const char *path)
{
	CLEANUP(freep) char *real = real_path(path);
	struct stat st;

	if (!real || !strcmp(real, "/") || !veiling_sees(v, real) || stat(real, &st) < 0 ||
		!S_ISDIR(st.st_mode))
		return;
	string_array_add(&v->masked, real);
	STRING_ARRAY_ADD(&v->veil->argv, "--perms", "0700", "--tmpfs", real);
}

/*
 * A folder or file below an empty one is there again, `how` of bwrap says with which rights. A link
 * out of it stays one. But a link to another place in it may have been made by a command.
 */
static void veiling_show(struct veiling *v, const char *path, const char *how)
{
	CLEANUP(freep) char *above = *path == '/' ? xstrdup(path) : NULL;
	char *slash = above ? strrchr(above, '/') : NULL;
	CLEANUP(freep) char *real = real_path(path);
	CLEANUP(freep) char *real_above = NULL;
	CLEANUP(freep) char *expected = NULL;

	if (!real || !slash || slash == above)
		return;
	*slash = '\0';
	real_above = real_path(above);
	expected = xasprintf("%s/%s", real_above, slash + 1);
	if (veiling_sees(v, expected))
		return;
	if (longest_above(real, &v->masked)) {
		if (strcmp(real, expected) != 0)
			return;
		string_array_add(&v->shown, real);
		STRING_ARRAY_ADD(&v->veil->argv, how, real, real);
	} else {
		string_array_add(&v->shown, expected);
		STRING_ARRAY_ADD(&v->veil->argv, "--symlink", real, expected);
	}
}

/* A file gets empty, and a folder, unless the command works in it. */
static int veiling_hide(struct veiling *v, const char *path)
{
	CLEANUP(freep) char *real = real_path(path);
	struct string_array *argv = &v->veil->argv;
	struct stat st;

	if (!real || stat(real, &st) < 0 || !strcmp(real, "/") || S_ISCHR(st.st_mode) ||
		!veiling_sees(v, real) || (v->request && is_below(v->request->folder, real)))
		return 0;
	if (S_ISDIR(st.st_mode)) {
		veiling_mask(v, real);
		return 0;
	}
	if (v->veil->fd_count == VEIL_MAX_FILES)
		return error_set(v->err, ERROR_FAILED,
			"more than %d files would have to be hidden from commands",
			VEIL_MAX_FILES);
	STRING_ARRAY_ADD(argv, "--perms", "0400", "--ro-bind-data");
	string_array_addf(argv, "%zu", STDERR_FILENO + 1 + v->veil->fd_count++);
	string_array_add(argv, real);
	return 0;
}

/* One that is called '.env' must be in its place after the command, too. */
static int veiling_hide_environment(struct veiling *v, const char *path)
{
	string_array_add_new(&v->veil->hidden, path);
	return veiling_hide(v, path);
}

/* --- homes ------------------------------------------------------------------- */

static void veiling_show_all(
	struct veiling *v, const char *home, const char *const *paths, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		CLEANUP(freep) char *path = xasprintf("%s/%s", home, paths[i]);

		veiling_show(v, path, "--bind");
		for (size_t j = 0; j < ARRAY_SIZE(in_other_folders); j++) {
			const char *prefix = in_other_folders[j].prefix;
			const char *folder = getenv(in_other_folders[j].variable);
			CLEANUP(freep) char *other = NULL;

			if (!folder || strncmp(paths[i], prefix, strlen(prefix)) != 0)
				continue;
			other = xasprintf("%s/%s", folder, paths[i] + strlen(prefix));
			veiling_show(v, other, "--bind");
		}
	}
}

/* What programs in its `bin` need is beside that. */
static bool is_prefix(const char *folder)
{
	CLEANUP(freep) char *lib = xasprintf("%s/lib", folder);
	CLEANUP(freep) char *share = xasprintf("%s/share", folder);

	return !access(lib, F_OK) || !access(share, F_OK);
}

/* The folders that a variable names; of one with programs what is beside it, too. */
static void veiling_show_named(struct veiling *v, const char *home, const char *value)
{
	struct view rest = view_of(value), part;

	while (view_next(&rest, ':', &part)) {
		CLEANUP(freep) char *path = xmemdupz(part.data, part.len);
		CLEANUP(freep) char *above = xmemdupz(part.data, part.len);
		CLEANUP(freep) char *local = xasprintf("%s/.local", home);
		char *slash = strrchr(above, '/');

		if (slash && !strcmp(slash, "/bin")) {
			*slash = '\0';
			if (strcmp(above, local) != 0 && strcmp(above, home) != 0 &&
				is_prefix(above))
				veiling_show(v, above, "--bind");
		}
		veiling_show(v, path, "--bind");
	}
}

static void veiling_mask_home(struct veiling *v, const char *home)
{
	CLEANUP(freep) char *real = real_path(home);

	if (real && !veiling_sees(v, real))
		STRING_ARRAY_ADD(&v->veil->argv, "--perms", "0700", "--dir", real);
	veiling_mask(v, home);
}

static void veiling_hide_homes(struct veiling *v)
{
	const struct passwd *user = getpwuid(geteuid());
	const char *home = getenv("HOME") ? getenv("HOME") : user ? user->pw_dir : "/";

	veiling_mask(v, "/home");
	veiling_mask(v, "/root");
	veiling_mask_home(v, home);
	if (user)
		veiling_mask_home(v, user->pw_dir);
	veiling_show_all(v, home, of_home, ARRAY_SIZE(of_home));
	if (v->request && v->request->installs)
		veiling_show_all(v, home, of_installs, ARRAY_SIZE(of_installs));
	for (char **variable = environ; *variable; variable++) {
		const char *value = strchr(*variable, '=');
		bool shown = value && veil_passes(*variable);

		for (size_t i = 0; shown && i < ARRAY_SIZE(not_shown); i++)
			shown = strncmp(*variable, not_shown[i], strlen(not_shown[i])) != 0 ||
				*variable + strlen(not_shown[i]) != value;
		if (shown)
			veiling_show_named(v, home, value + 1);
	}
}

/* --- programs that act for the caller ------------------------------------------ */

static int veiling_hide_agents(struct veiling *v)
{
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
			if (veiling_hide(v, found.gl_pathv[j]) < 0)
				return -1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(in_variables); i++) {
		const char *value = getenv(in_variables[i]);
		CLEANUP(freep)
		char *variable = value ? xasprintf("%s=%s", in_variables[i], value) : NULL;
		bool is_base = !strncmp(in_variables[i], "XDG_", 4);

		if (value && (is_base || !veil_passes(variable)) && veiling_hide(v, value) < 0)
			return -1;
	}
	return 0;
}

/* --- projects ---------------------------------------------------------------- */

/* '.env', '.ENV.local', '.envrc', '.env~' and so on; but not those that a project ships. */
static bool is_environment(const char *name)
{
	static const char *const shipped[] = {
		".env.dist", ".env.example", ".env.sample", ".env.template"};

	for (size_t i = 0; i < ARRAY_SIZE(shipped); i++)
		if (!strcmp(name, shipped[i]))
			return false;
	return !strncasecmp(name, ".env", strlen(".env"));
}

struct searching {
	struct veiling *veiling;
	const char *root;
};

static enum walk_result search_environment(
	const struct walk_entry *entry, void *data, struct error *err)
{
	const struct searching *searching = data;
	CLEANUP(freep) char *path = NULL;

	(void)err;
	if (!strcmp(entry->name, ".git") && entry->kind != WALK_DIR_END) {
		path = xasprintf("%s/%.*s", searching->root, (int)entry->path_len, entry->path);
		if (entry->kind != WALK_SYMLINK)
			STRING_ARRAY_ADD(
				&searching->veiling->veil->argv, "--ro-bind", path, path);
		return entry->kind == WALK_DIR ? WALK_SKIP : WALK_GO_ON;
	}
	/* What is not ours and closed to us is closed to the command, too. */
	if (entry->kind == WALK_DIR &&
		(!strcmp(entry->name, "node_modules") || !strcmp(entry->path, ".nanoclaw") ||
			(entry->stat.st_uid != geteuid() &&
				faccessat(entry->dirfd, entry->name, R_OK | X_OK, AT_EACCESS) <
					0)))
		return WALK_SKIP;
	if (!is_environment(entry->name))
		return WALK_GO_ON;
	path = xasprintf("%s/%.*s", searching->root, (int)entry->path_len, entry->path);
	if (entry->kind == WALK_DIR_END)
		return WALK_GO_ON;
	if (veiling_hide_environment(searching->veiling, path) < 0)
		return WALK_FAIL;
	return entry->kind == WALK_DIR ? WALK_SKIP : WALK_GO_ON;
}

/* In a whole tree, or in the folder alone. A folder that was closed to us may hide one. */
static int veiling_hide_environments(struct veiling *v, const char *folder, bool whole)
{
	struct searching searching = {v, folder};
	CLEANUP(closep) int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CLEANUP(closedirp) DIR *dir = NULL;
	const struct dirent *entry;

	if (fd < 0)
		return errno == ENOENT || (errno == EACCES && !whole)
			       ? 0
			       : error_errno(v->err, "cannot look for '.env' in '%s'", folder);
	if (whole)
		return walk(fd, search_environment, &searching, v->err);
	dir = fdopendir(TAKE_FD(fd));
	while (dir && (entry = readdir(dir))) {
		CLEANUP(freep) char *path = xasprintf("%s/%s", folder, entry->d_name);

		if (is_environment(entry->d_name) && veiling_hide_environment(v, path) < 0)
			return -1;
	}
	return 0;
}

/* The first line of a file, as a path: a relative one is below `folder`. */
static char *read_link_file(const char *file, const char *prefix, const char *folder)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *path = NULL;
	struct view rest, line;

	if (file_read(file, MAX_GITFILE, &text, &ignored) < 0)
		return NULL;
	rest = view_of_buf(&text);
	if (!view_next(&rest, '\n', &line) || !view_starts_with(line, prefix))
		return NULL;
	line = view_slice(line, strlen(prefix), line.len);
	path = line.len && *line.data == '/' ? xmemdupz(line.data, line.len)
					     : xasprintf("%s/%.*s", folder, VIEW_ARGS(line));
	return realpath(path, NULL);
}

/*
 * The repository, for which git would run programs: it can only be read. A file leads to it
 * elsewhere; only if it leads back here, it may be shown where all else is hidden.
 */
static void veiling_keep_git(struct veiling *v, const char *folder)
{
	CLEANUP(freep) char *git = xasprintf("%s/.git", folder);
	CLEANUP(freep) char *there = read_link_file(git, "gitdir: ", folder);
	CLEANUP(freep) char *back_file = xasprintf("%s/gitdir", there ? there : "");
	CLEANUP(freep) char *back = there ? read_link_file(back_file, "", there) : NULL;
	CLEANUP(freep) char *common_file = xasprintf("%s/commondir", there ? there : "");
	CLEANUP(freep) char *common = there ? read_link_file(common_file, "", there) : NULL;
	CLEANUP(freep) char *real = realpath(git, NULL);
	const char *repository = common ? common : there;

	if (!real || !veiling_sees(v, real))
		return;
	STRING_ARRAY_ADD(&v->veil->argv, "--ro-bind", real, real);
	if (!repository)
		return;
	if (veiling_sees(v, repository))
		STRING_ARRAY_ADD(&v->veil->argv, "--ro-bind", repository, repository);
	else if (back && !strcmp(back, real))
		veiling_show(v, repository, "--ro-bind");
}

/* The project may be part of a larger one, which may be needed, and has an '.env', too. */
static int veiling_look_above(struct veiling *v, const char *root)
{
	CLEANUP(freep) char *above = xstrdup(root);

	for (char *slash; (slash = strrchr(above, '/')) && slash > above;) {
		CLEANUP(freep) char *git = NULL;

		*slash = '\0';
		git = xasprintf("%s/.git", above);
		if (!access(git, F_OK)) {
			veiling_show(v, above, "--bind");
			if (veiling_sees(v, above))
				veiling_keep_git(v, above);
		}
		if (veiling_sees(v, above) &&
			veiling_hide_environments(v, above, !access(git, F_OK)) < 0)
			return -1;
	}
	return 0;
}

static int veiling_hide_project(struct veiling *v, const char *root)
{
	static const char *const of_assistant[] = {"data", "groups", "logs", "store"};
	CLEANUP(freep) char *ledger = xasprintf("%s/store/nanoclaw.db", root);
	CLEANUP(freep) char *own = xasprintf("%s/.nanoclaw", root);
	bool is_assistant = !access(ledger, F_OK);

	if (veiling_look_above(v, root) < 0)
		return -1;
	/* What is mounted cannot be renamed, so the next command's '.env' is still in it. */
	STRING_ARRAY_ADD(&v->veil->argv, "--bind", root, root);
	for (size_t i = 0; i < v->masked.count; i++)
		if (is_below(v->masked.list[i], root) && strcmp(v->masked.list[i], root) != 0)
			STRING_ARRAY_ADD(&v->veil->argv, "--perms", "0700", "--tmpfs",
				v->masked.list[i]);
	string_array_add(&v->shown, root);
	veiling_keep_git(v, root);
	if (!access(own, F_OK))
		STRING_ARRAY_ADD(&v->veil->argv, "--ro-bind", own, own);
	if (veiling_hide_environments(v, root, true) < 0)
		return -1;
	for (size_t i = 0; is_assistant && i < ARRAY_SIZE(of_assistant); i++) {
		CLEANUP(freep) char *path = xasprintf("%s/%s", root, of_assistant[i]);

		if (veiling_hide(v, path) < 0)
			return -1;
	}
	return 0;
}

/* --- the command line -------------------------------------------------------- */

static int veiling_compose(struct veiling *v)
{
	const struct veil_request *request = v->request;

	veiling_hide_homes(v);
	if (veiling_hide_agents(v) < 0)
		return -1;
	if (!request)
		return 0;
	for (size_t i = 0; i < projects.count; i++)
		if (strcmp(projects.list[i], request->folder) != 0 &&
			veiling_hide_project(v, projects.list[i]) < 0)
			return -1;
	if (veiling_hide_project(v, request->folder) < 0)
		return -1;
	if (request->writes)
		STRING_ARRAY_ADD(
			&v->veil->argv, "--bind-try", request->writes, request->writes);
	STRING_ARRAY_ADD(&v->veil->argv, "--chdir", request->folder);
	return 0;
}

/* -1: something cannot be hidden. */
static int veil_compose(struct veil *veil, enum veil_kind kind,
	const struct veil_request *request, struct error *err)
{
	CLEANUP(freep) char *unshare = process_find("unshare"), *bwrap = process_find("bwrap");
	struct veiling veiling = {.veil = veil, .request = request, .err = err};
	int failed;

	if (!unshare || !bwrap)
		return error_set(err, ERROR_FAILED, "'%s' is not installed",
			unshare ? "bwrap" : "unshare");
	string_array_add(&veil->argv, unshare);
	string_array_add_all(&veil->argv, kind == VEIL_ROOT ? root_words : user_words);
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
	failed = veiling_compose(&veiling);
	string_array_release(&veiling.masked);
	string_array_release(&veiling.shown);
	string_array_add(&veil->argv, "--");
	if (kind == VEIL_ROOT) {
		string_array_add(&veil->argv, unshare);
		string_array_add_all(&veil->argv, root_inside);
	}
	if (veil->fd_count)
		veil->fds[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	for (size_t i = 1; i < veil->fd_count; i++)
		veil->fds[i] = veil->fds[0];
	return failed;
}

static bool veil_kind_works(enum veil_kind kind)
{
	CLEANUP(veil_release) struct veil veil = VEIL_INIT;
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;

	if (veil_compose(&veil, kind, NULL, &ignored) < 0)
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

bool veil_works(void)
{
	if (known == VEIL_UNKNOWN)
		known = !geteuid() && veil_kind_works(VEIL_ROOT) ? VEIL_ROOT
			: veil_kind_works(VEIL_USER)             ? VEIL_USER
								 : VEIL_NONE;
	return known != VEIL_NONE;
}

int veil_put_on(struct veil *veil, const struct veil_request *request, struct error *err)
{
	static bool warned;

	veil->on = veil_works();
	if (veil->on && veil_compose(veil, known, request, err) < 0)
		return -1;
	if (!veil->on) {
		if (!warned)
			log_warning("%s", VEIL_MISSING);
		warned = true;
		prctl(PR_SET_DUMPABLE, 0); /* nobody else reads /proc/PID/environ */
	}
	string_array_add_all(&veil->argv, request->argv);
	return 0;
}

int veil_check(const struct veil *veil, struct error *err)
{
	for (size_t i = 0; i < veil->hidden.count; i++)
		if (access(veil->hidden.list[i], F_OK) < 0)
			return error_set(err, ERROR_FAILED,
				"'%s' was hidden from the command, and has been moved by it",
				veil->hidden.list[i]);
	return 0;
}

void veil_release(struct veil *veil)
{
	string_array_release(&veil->argv);
	string_array_release(&veil->hidden);
	if (veil->fd_count)
		closep(&veil->fds[0]);
}
