/* What the launcher is asked to do where there are no mounts. */
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "fs/tree.h"
#include "sandbox/internal.h"
#include "sandbox/ownership.h"
#include "tempdir.h"

struct prepared {
	struct tempdir *temp;
	struct ownership *owner;
	struct sandbox *sandbox;
};

static void add(struct sandbox_spec *spec, struct tempdir *temp, const char *name,
	const char *target, unsigned flags)
{
	sandbox_add_mount(spec, openat(temp->fd, name, O_PATH | O_CLOEXEC), target, flags);
}

static void make_socket(struct tempdir *temp, const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s", temp->fd,
		name);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
}

static struct prepared prepare(struct tempdir *temp)
{
	static const char *const env[] = {"NANOCLAW_SOCKET=/run/nanoclaw/host.sock",
		"OTHER_SOCKET=/run/nanoclaw/api.sock", "SKILLS=/app/skills/one",
		"BESIDE=/app/skills-too", "FILE=/workspace/agent/container.json",
		"HOME=" SANDBOX_HOME, "TEXT=about /workspace/agent", NULL};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(sandbox_spec_release) struct sandbox_spec spec = SANDBOX_SPEC_INIT;
	struct prepared prepared = {.temp = temp};

	for (const char *const *folder =
			(const char *const[]){"own", "skills", "session", NULL};
		*folder; folder++)
		tempdir_mkdir(temp->fd, *folder);
	tempdir_put(temp->fd, "own/container.json", "{}\n");
	make_socket(temp, "host.sock");
	make_socket(temp, "api.sock");
	assert_int_equal(ownership_open(temp->fd, &prepared.owner, &err), 0);
	add(&spec, temp, "host.sock", "/run/nanoclaw/host.sock", SANDBOX_WRITABLE);
	add(&spec, temp, "own", SANDBOX_WORKDIR, SANDBOX_WRITABLE);
	add(&spec, temp, "own/container.json", SANDBOX_WORKDIR "/container.json", 0);
	add(&spec, temp, "skills", "/app/skills", 0);
	add(&spec, temp, "session", SANDBOX_HOME "/.claude", SANDBOX_WRITABLE);
	add(&spec, temp, "api.sock", "/run/nanoclaw/api.sock", SANDBOX_WRITABLE);
	spec.kind = sandbox_kind_of("landlock");
	spec.argv = (const char *const[]){
		"/app/skills/run", "--folder", "/workspace/agent/x", "/workspace", NULL};
	spec.env = env;
	if (sandbox_prepare(prepared.owner, &spec, &prepared.sandbox, &err) < 0)
		fail_msg("%s", err.message);
	return prepared;
}

static void release(struct prepared *prepared)
{
	sandbox_ended(prepared->sandbox);
	ownership_free(prepared->owner);
}

static bool has(const char *const *list, const char *word)
{
	for (; *list; list++)
		if (!strcmp(*list, word))
			return true;
	print_message("# there is no '%s'\n", word);
	return false;
}

/* `format` has one %s, the folder of the installation. */
static bool has_path(struct prepared *prepared, const char *const *list, const char *before,
	const char *behind)
{
	CLEANUP(freep) char *word = xasprintf("%s%s%s", before, prepared->temp->path, behind);

	return has(list, word);
}

static void paths_are_those_of_the_host(void **state)
{
	struct prepared p = prepare(*state);
	const char *const *argv = sandbox_command(p.sandbox)->argv;
	const char *const *env = sandbox_command(p.sandbox)->env;

	assert_true(has_path(&p, argv, "", "/skills/run"));
	assert_true(has_path(&p, argv, "", "/own/x"));
	assert_true(has(argv, "/workspace"));
	assert_true(has_path(&p, env, "SKILLS=", "/skills/one"));
	assert_true(has_path(&p, env, "FILE=", "/own/container.json"));
	assert_true(has_path(&p, env, "HOME=", "/session"));
	assert_true(has_path(&p, env, "TMPDIR=", "/session"));
	assert_true(has(env, "BESIDE=/app/skills-too"));
	assert_true(has(env, "TEXT=about /workspace/agent"));
	release(&p);
}

static void sockets_are_connections_in_their_order(void **state)
{
	struct prepared p = prepare(*state);
	const char *const *argv = sandbox_command(p.sandbox)->argv;

	assert_true(has(sandbox_command(p.sandbox)->env, "NANOCLAW_SOCKET=fd:3"));
	assert_true(has(sandbox_command(p.sandbox)->env, "OTHER_SOCKET=fd:4"));
	for (int i = 0; i < 6; i++) {
		static const char *const grants[] = {
			"connect", "write", "read", "read", "write", "connect"};
		/* The cgroups come first. */
		CLEANUP(freep)
		char *word =
			xasprintf("%s=%d", grants[i], 3 + (int)p.sandbox->cgroup.count + i);

		assert_true(has(argv, word));
	}
	release(&p);
}

static void it_starts_in_its_folder(void **state)
{
	struct prepared p = prepare(*state);
	struct stat wanted;
	struct stat found;

	assert_int_equal(fstatat(p.temp->fd, "own", &wanted, 0), 0);
	assert_int_equal(fstat(sandbox_command(p.sandbox)->cwd, &found), 0);
	assert_int_equal(wanted.st_ino, found.st_ino);
	release(&p);
}

static void only_the_file_in_a_writable_folder_is_guarded(void **state)
{
	struct prepared p = prepare(*state);

	assert_string_equal(ownership_guarded(p.owner, "own/container.json"), "{}\n");
	assert_null(ownership_guarded(p.owner, "skills"));
	release(&p);
}

static bool asks_for(const struct sandbox *sandbox, const char *word)
{
	for (size_t i = 0; i < sandbox->argv.count; i++)
		if (!strcmp(sandbox->argv.list[i], word))
			return true;
	return false;
}

/* Only root can try it. */
static void an_installation_below_usr_is_not_granted_with_it(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(sandbox_spec_release) struct sandbox_spec spec = SANDBOX_SPEC_INIT;
	char path[] = "/usr/local/nanoclaw-unit-XXXXXX";
	CLEANUP(freep) char *word = NULL;
	struct ownership *owner;
	struct sandbox *sandbox;
	int root;

	(void)state;
	if (!mkdtemp(path))
		return;
	word = xasprintf("system=%s", path);
	root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(mkdirat(root, "own", 0755), 0);
	assert_int_equal(ownership_open(root, &owner, &err), 0);
	sandbox_add_mount(&spec, openat(root, "own", O_PATH | O_CLOEXEC), SANDBOX_WORKDIR,
		SANDBOX_WRITABLE);
	spec.kind = sandbox_kind_of("landlock");
	spec.argv = (const char *const[]){"true", NULL};
	assert_int_equal(sandbox_prepare(owner, &spec, &sandbox, &err), 0);
	assert_false(asks_for(sandbox, "system=/usr"));
	assert_false(asks_for(sandbox, "system=/usr/local"));
	assert_false(asks_for(sandbox, word));
	assert_true(asks_for(sandbox, "system=/usr/bin"));
	sandbox_ended(sandbox);
	ownership_free(owner);
	close(root);
	assert_int_equal(tree_remove(AT_FDCWD, path, &err), 0);
}

TESTS(IN_TEMPDIR(paths_are_those_of_the_host),
	IN_TEMPDIR(sockets_are_connections_in_their_order), IN_TEMPDIR(it_starts_in_its_folder),
	IN_TEMPDIR(only_the_file_in_a_writable_folder_is_guarded),
	cmocka_unit_test(an_installation_below_usr_is_not_granted_with_it))
