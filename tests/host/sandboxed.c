/*
 * What an agent can and cannot reach in its sandbox, and who can change that.
 *
 *	sandboxed HOST AGENT BRIDGE
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "driver.h"
#include "fs/file.h"
#include "gate/credentials.h"
#include "sandbox/limits/disk_use.h"

static char **programs;

/* --- talking ----------------------------------------------------------------- */

static char *say(struct driver *d, const char *group, const char *text)
{
	const char *const words[] = {"send", group, text, "--wait", NULL};
	char *answer = driver_run(d, words, NULL);
	size_t len = strlen(answer);

	while (len && (answer[len - 1] == '\n' || answer[len - 1] == ' '))
		answer[--len] = '\0';
	return answer;
}

static bool answers(struct driver *d, const char *group, const char *text, const char *wanted)
{
	CLEANUP(freep) char *answer = say(d, group, text);
	bool ok = !strcmp(answer, wanted);

	if (!ok)
		printf("# '%s' in '%s': '%s', and not '%s'\n", text, group, answer, wanted);
	return ok;
}

static bool contains(struct driver *d, const char *group, const char *text, const char *wanted)
{
	CLEANUP(freep) char *answer = say(d, group, text);
	bool ok = strstr(answer, wanted) != NULL;

	if (!ok)
		printf("# '%s' in '%s': '%s' has no '%s'\n", text, group, answer, wanted);
	return ok;
}

static void put(struct driver *d, const char *name, const char *text)
{
	CLEANUP(freep) char *path = xasprintf("%s/%s", d->root, name);
	FILE *file = fopen(path, "w");

	if (!file || fputs(text, file) < 0 || fclose(file))
		driver_fail(d, "cannot write '%s'", path);
}

static void put_folder(struct driver *d, const char *name)
{
	CLEANUP(freep) char *path = xasprintf("%s/%s", d->root, name);

	if (mkdir(path, 0755))
		driver_fail(d, "cannot make '%s'", path);
}

static bool says(struct driver *d, const char *name, const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/%s", d->root, name);

	if (file_read(path, 10000, &content, &err) < 0 || strcmp(content.data, text) != 0) {
		printf("# '%s' says '%s'\n", name, content.data);
		return false;
	}
	return true;
}

static void begin(struct driver *d)
{
	driver_init(d, programs[1], programs[2], programs[3]);
	driver_group(d, "g1", "test:1", false);
	driver_group(d, "g2", "test:2", false);
}

static bool end(struct driver *d)
{
	bool ok = driver_stop(d) == 0;

	driver_release(d);
	return ok;
}

/* --- what is there ----------------------------------------------------------- */

static bool an_agent_works_in_its_folder_and_sees_no_other(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	put(&d, "groups/g2/secret", "of g2\n");
	driver_start_ready(&d);
	ok = answers(&d, "g1", "x !sh pwd; echo mine >note; cat note",
		     "x /workspace/agent mine") &&
	     says(&d, "groups/g1/note", "mine\n") &&
	     answers(&d, "g1", "x !sh ls /workspace", "x agent media") &&
	     answers(&d, "g1", "x !sh cat ../g2/secret ../../groups/g2/secret 2>/dev/null",
		     "x");
	return end(&d) && ok;
}

static bool the_path_of_the_project_leads_nowhere(void)
{
	struct driver d;
	CLEANUP(freep) char *message = NULL;
	bool ok;

	begin(&d);
	message = xasprintf("x !sh ls -d %s || echo none", d.root);
	driver_start_ready(&d);
	ok = contains(&d, "g1", message, "none");
	return end(&d) && ok;
}

static bool main_sees_the_project_without_its_secrets(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	put(&d, ".env", "KEY=hidden\n");
	put(&d, "README", "to be seen\n");
	driver_start_ready(&d);
	ok = answers(&d, "main", "x !sh cd /workspace/project && cat README; ls groups",
		     "x to be seen main") &&
	     answers(&d, "main", "x !sh cd /workspace/project; cat .env store/* 2>/dev/null",
		     "x") &&
	     answers(&d, "main", "x !sh (echo no >/workspace/project/README) 2>/dev/null",
		     "x") &&
	     says(&d, "README", "to be seen\n");
	return end(&d) && ok;
}

/* Older versions made them there. */
static bool a_backup_in_the_project_is_none_of_mains_business(void)
{
	CLEANUP(freep) char *path = NULL;
	CLEANUP(freep) char *made = NULL;
	CLEANUP(freep) char *output = NULL;
	int exit_code;
	struct driver d;
	bool ok;

	begin(&d);
	put(&d, ".env", "KEY=hidden\n");
	put(&d, "#.env#", "KEY=hidden\n");
	put(&d, "private", "to be seen\n");
	path = xasprintf("%s/private", d.root);
	ok = chmod(path, 0600) == 0;
	free(path);
	path = xasprintf("%s/b.tar.gz", d.root);
	made = xasprintf("%s/store/backups/b.tar.gz", d.root);
	output = driver_run(
		&d, (const char *const[]){"backup", made, "--with-secrets", NULL}, &exit_code);
	driver_start_ready(&d);
	ok = ok && exit_code == 0 && rename(made, path) == 0 &&
	     answers(&d, "main",
		     "x !sh cd /workspace/project; cat private b.tar.gz '#.env#' 2>/dev/null",
		     "x to be seen");
	return end(&d) && ok;
}

static bool sessions_are_kept_for_each_group(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	ok = answers(&d, "g1", "x !sh cd ~/.claude && pwd && echo 1 >kept",
		     "x /home/node/.claude") &&
	     says(&d, "data/sessions/g1/.claude/kept", "1\n") &&
	     answers(&d, "g2", "x !sh ls ~/.claude", "x skills");
	return end(&d) && ok;
}

static void make_folder(struct driver *d, const char *name)
{
	CLEANUP(freep) char *path = xasprintf("%s/%s", d->root, name);

	if (mkdir(path, 0755))
		driver_fail(d, "cannot make '%s'", path);
}

static bool a_mount_needs_to_be_allowed(void)
{
	struct driver d;
	CLEANUP(freep) char *home = xstrdup(getenv("HOME"));
	CLEANUP(freep) char *config = NULL;
	CLEANUP(freep) char *list = NULL;
	bool ok;

	begin(&d);
	setenv("HOME", d.root, 1);
	make_folder(&d, "outside");
	make_folder(&d, ".config");
	make_folder(&d, ".config/nanoclaw");
	put(&d, "outside/shared", "to be shared\n");
	config = xasprintf("{\"mounts\": [{\"path\": \"%s/outside\"}]}", d.root);
	list = xasprintf("{\"allowedRoots\": [{\"path\": \"%s/outside\"}]}", d.root);
	put(&d, "groups/g1/container.json", config);
	driver_start_ready(&d);
	ok = contains(
		&d, "g1", "x !sh cat /workspace/extra/outside/shared", "the mount 'outside'");
	put(&d, ".config/nanoclaw/mount-allowlist.json", list);
	ok = ok &&
	     answers(&d, "g1", "x !sh cat /workspace/extra/outside/shared", "x to be shared");
	setenv("HOME", home, 1);
	return end(&d) && ok;
}

/* --- container.json ---------------------------------------------------------- */

#define TRY_TO_WRITE                                                                           \
	"x !sh (echo 1 >container.json; rm -f container.json; mv container.json x;"            \
	" ln container.json x) 2>/dev/null"

static bool an_agent_cannot_write_its_settings(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	ok = answers(&d, "g1", TRY_TO_WRITE, "x") &&
	     says(&d, "groups/g1/container.json", "{}\n");
	return end(&d) && ok;
}

static long kilobytes_of(struct driver *d)
{
	static const char *const folders[] = {"groups/g1", "data/sessions/g1"};
	struct disk_use disk = DISK_USE_INIT;
	long kilobytes;

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		CLEANUP(freep) char *path = xasprintf("%s/%s", d->root, folders[i]);

		disk_use_add(&disk, open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	}
	disk_use_whole(&disk, SIZE_MAX);
	kilobytes = (long)(disk.bytes / 1024);
	disk_use_release(&disk);
	return kilobytes;
}

/* Within a second, so that nobody sees it before the turn is over; or while it is. */
static bool what_is_over_the_limit_of_the_disk_does_not_stay(void)
{
	static const char *const ways[] = {
		"for i in $(seq 40); do head -c 1000000 /dev/zero >f$i; done",
		"mkdir l; for i in $(seq 40); do head -c 1000000 /dev/zero >l/f$i; done; chmod 0 l",
		("mkdir -p l/l; for i in $(seq 40); do head -c 1000000 /dev/zero >l/l/f$i; done;"
		 " chmod 100 l/l; chmod 200 l"),
		"for i in $(seq 40); do truncate -s 1000000 s$i; done",
		"for i in $(seq 40); do head -c 1000000 /dev/zero >~/.claude/f$i; done",
		"d=deep; for i in $(seq 120); do d=$d/d; done; mkdir -p $d",
		"head -c 9000000 /dev/zero >a; for i in $(seq 20); do cp a b$i; done",
		"for i in $(seq 3000); do : >e$i; done",
	};
	struct driver d;
	bool ok = true;

	begin(&d);
	driver_set(&d, "NANOCLAW_TURN_TRIES", "1");
	put(&d, "groups/g1/container.json", "{\"limits\": {\"diskMegabytes\": 10}}\n");
	driver_start_ready(&d);
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		CLEANUP(freep) char *text = xasprintf("x !sh %s", ways[i]);
		long left;

		free(say(&d, "g1", text));
		ok = answers(&d, "g1", "y !sh echo fine", "y fine") && ok;
		left = kilobytes_of(&d);
		if (left > 11 * 1024) {
			printf("# %s: %ld KiB are left\n", ways[i], left);
			ok = false;
		}
	}
	return end(&d) && ok;
}

static bool an_answer_of_seven_megabytes_is_cut(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	ok = contains(&d, "g1", "x !sh head -c 7000000 /dev/zero | tr '\\0' x",
		     "KiB and is cut here") &&
	     driver_number(&d, "SELECT max(length(content)) < 300000 FROM outbox") == 1;
	return end(&d) && ok;
}

#define SET                                                                                    \
	"{\"op\":\"set_group_config\",\"group\":\"g1\",\"key\":\"skills\",\"value\":[\"a\"]}"

static bool main_changes_settings_and_nobody_else(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	ok = contains(&d, "g1", "x !op " SET, "may not") &&
	     contains(&d, "g2", "x !op " SET, "may not") &&
	     says(&d, "groups/g1/container.json", "{}\n") &&
	     contains(&d, "main", "x !op " SET, "\"ok\":true") &&
	     says(&d, "groups/g1/container.json", "{\n  \"skills\": [\n    \"a\"\n  ]\n}\n") &&
	     contains(&d, "main",
		     "x !op {\"op\":\"set_group_config\",\"group\":\"g1\",\"key\":\"sandbox\","
		     "\"value\":\"podman\"}",
		     "may not change what bounds an agent") &&
	     contains(&d, "main",
		     "x !op {\"op\":\"set_group_config\",\"group\":\"g1\",\"key\":"
		     "\"network.hosts\",\"value\":[\"evil.example\"]}",
		     "may not change what bounds an agent") &&
	     contains(&d, "main",
		     "x !op {\"op\":\"set_group_config\",\"key\":\"network\",\"value\":null}",
		     "may not change what bounds an agent") &&
	     contains(&d, "main",
		     "x !op {\"op\":\"set_group_config\",\"group\":\"g1\",\"key\":"
		     "\"budget.dailyDollars\",\"value\":100}",
		     "may not change what bounds an agent");
	return end(&d) && ok;
}

/* In the middle of a turn, in which its agent waits for a line. */
static bool settings_that_change_under_an_agent_stay_out_of_its_reach(void)
{
	const char *const set[] = {"group", "config", "g1", "limits.processes", "99", NULL};
	struct driver d;
	CLEANUP(freep) char *fifo = NULL;
	CLEANUP(freep) char *said = NULL;
	CLEANUP(closep) int fd = -1;
	bool ok;

	begin(&d);
	driver_bridge(&d, "test", "plain");
	fifo = xasprintf("%s/groups/g1/gate", d.root);
	mkfifo(fifo, 0600);
	driver_feed(&d, "1", "test:1",
		"x !sh read -r line <gate; grep -o 99 container.json;"
		" (echo 1 >container.json) 2>/dev/null || echo refused; touch done");
	driver_start_ready(&d);
	fd = open(fifo, O_WRONLY | O_CLOEXEC);
	said = driver_run(&d, set, NULL);
	ok = strstr(said, "is set") && write(fd, "\n", 1) == 1 && answers(&d, "g1", "y", "y") &&
	     says(&d, "groups/g1/container.json",
		     "{\n  \"limits\": {\n    \"processes\": 99\n  }\n}\n");
	driver_read_sent(&d);
	ok = ok && d.sent_count == 1 && !strcmp(d.sent[0].text, "x 99 refused");
	if (!ok)
		printf("# sent: %zu, '%s'\n", d.sent_count, d.sent_count ? d.sent[0].text : "");
	return end(&d) && ok;
}

static bool a_fault_in_the_settings_is_told_with_its_place(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	ok = answers(&d, "g1", "x", "x");
	put(&d, "groups/g1/container.json", "{\n  \"agent\": 1\n}\n");
	ok = ok &&
	     contains(&d, "g1", "x", "groups/g1/container.json:2:12: 'agent' must be text") &&
	     answers(&d, "g2", "x", "x");
	put(&d, "groups/g1/container.json", "{}\n");
	ok = ok && answers(&d, "g1", "x", "x");
	return end(&d) && ok;
}

static bool a_file_that_a_person_edits_counts_from_the_next_turn_on(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	ok = answers(&d, "g1", "x !sh touch here", "x");
	put(&d, "groups/g1/container.json", "{\"agent\": \"offline\"}\n");
	ok = ok && contains(&d, "g1", "remember milk", "Noted: milk");
	return end(&d) && ok;
}

static bool a_turn_has_the_time_that_its_group_gives_it(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_set(&d, "NANOCLAW_TURN_TRIES", "1");
	put(&d, "groups/g1/container.json", "{\"limits\": {\"seconds\": 1}}\n");
	driver_start_ready(&d);
	ok = contains(&d, "g1", "x !hang",
		     "could not answer this: the agent was ended: it took more than the 1 "
		     "seconds that its group has for a turn (error t") &&
	     driver_number(&d, "SELECT count(*) FROM turns WHERE error LIKE"
			       " '%took more than the 1 seconds%'") == 1;
	return end(&d) && ok;
}

/* The sandbox contains the target of the link, not the link. */
static bool a_link_to_a_program_of_the_system_is_one(void)
{
	struct driver d;
	CLEANUP(freep) char *link = NULL;
	CLEANUP(freep) char *agent = NULL;
	bool ok;

	begin(&d);
	driver_set(&d, "NANOCLAW_TURN_TRIES", "1");
	link = xasprintf("%s/shell", d.root);
	agent = xasprintf("'%s' -c 'echo of the system >&2'", link);
	if (symlink("/bin/sh", link) < 0)
		driver_fail(&d, "cannot make '%s'", link);
	driver_set(&d, "NANOCLAW_AGENT", agent);
	driver_start_ready(&d);
	ok = contains(&d, "g1", "x", "could not answer") &&
	     driver_number(&d, "SELECT count(*) FROM turns WHERE error LIKE"
			       " '%exit code 0 before it answered: of the system%'") == 1;
	return end(&d) && ok;
}

/* By the kernel where there is a cgroup, by the host elsewhere. */
static bool who_uses_up_its_memory_is_told_so(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_set(&d, "NANOCLAW_TURN_TRIES", "1");
	put(&d, "groups/g1/container.json",
		"{\"agent\": \"tail /dev/zero\", \"limits\": {\"memoryMegabytes\": 64}}\n");
	driver_start_ready(&d);
	ok = contains(&d, "g1", "x",
		"could not answer this: the agent was ended: it used more than 64 MB of memory "
		"(error t");
	return end(&d) && ok;
}

/* Links out, pipes and huge files where the host writes, reads and removes. */
static bool what_an_agent_plants_leads_the_host_nowhere(void)
{
	const char *const remove[] = {"group", "remove", "g1", "--yes", NULL};
	const char *const backup[] = {"backup", "store/backups/copy.tar.gz", NULL};
	struct driver d;
	CLEANUP(freep) char *said = NULL;
	CLEANUP(freep) char *saved = NULL;
	int exit_code;
	bool ok;

	begin(&d);
	driver_set(&d, "NANOCLAW_TURN_TRIES", "1");
	put(&d, "secret", "of the host\n");
	driver_start_ready(&d);
	ok = answers(&d, "g1",
		     "x !sh rm -rf logs; ln -s ../.. logs; ln -s ../../secret link;"
		     " mkfifo pipe; truncate -s 1G huge; ln -s / ~/.claude/out",
		     "x") &&
	     contains(&d, "g1", "x !die", "could not answer") &&
	     answers(&d, "g1", "still !sh cat link 2>/dev/null", "still");
	saved = driver_run(&d, backup, &exit_code);
	ok = ok && exit_code == 0;
	said = driver_run(&d, remove, &exit_code);
	ok = ok && exit_code == 0 && says(&d, "secret", "of the host\n") &&
	     driver_lines(&d, "agent.log") == 0;
	if (!ok)
		printf("# %s# %s", saved, said);
	return end(&d) && ok;
}

/* --- the API ----------------------------------------------------------------- */

#define ANSWER "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\napi\n"

/* Answers "api" to requests with the real key and without the agent's placeholder. */
static void answer_one(int client)
{
	char head[4096];
	size_t len = 0;
	ssize_t got;

	while (len < sizeof(head) - 1 &&
		(got = read(client, head + len, sizeof(head) - 1 - len)) > 0) {
		len += (size_t)got;
		head[len] = '\0';
		if (!strstr(head, "\r\n\r\n"))
			continue;
		if (!strncmp(head, "GET /v/x ", 9) &&
			strstr(head, "\r\nx-api-key: real-key\r\n") && !strstr(head, "mine") &&
			write(client, ANSWER, strlen(ANSWER)) < 0)
			_exit(1);
		return;
	}
}

/* Returns its port. */
static pid_t serve(unsigned *ret_port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	pid_t pid;

	if (bind(fd, (struct sockaddr *)&address, len) || listen(fd, 8) ||
		getsockname(fd, (struct sockaddr *)&address, &len))
		exit(2);
	*ret_port = ntohs(address.sin_port);
	pid = fork();
	if (pid) {
		close(fd);
		return pid;
	}
	for (;;) {
		int client = accept(fd, NULL, NULL);

		answer_one(client);
		close(client);
	}
}

#define ASK(port)                                                                              \
	"x !sh bash -c 'exec 3<>/dev/tcp/127.0.0.1/" port                                      \
	" && printf \"GET /v/x HTTP/1.1\\r\\nHost: h\\r\\nX-Api-Key: mine\\r\\n"               \
	"Connection: close\\r\\n\\r\\n\" >&3 && tail -n 1 <&3' 2>/dev/null"

static bool an_agent_reaches_the_api_and_nothing_else(void)
{
	struct driver d;
	CLEANUP(freep) char *url = NULL;
	CLEANUP(freep) char *direct = NULL;
	unsigned port;
	pid_t server = serve(&port);
	bool ok;

	url = xasprintf("http://127.0.0.1:%u/v", port);
	direct = xasprintf(
		"x !sh bash -c 'exec 3<>/dev/tcp/127.0.0.1/%u && echo out' 2>/dev/null", port);
	begin(&d);
	driver_start_ready(&d);
	ok = answers(&d, "g1", ASK("8484"), "x");
	driver_stop(&d);
	driver_set(&d, "ANTHROPIC_BASE_URL", url);
	driver_set(&d, "ANTHROPIC_API_KEY", "real-key");
	driver_start_ready(&d);
	ok = ok && answers(&d, "g1", ASK("8484"), "x api") && answers(&d, "g1", direct, "x") &&
	     answers(&d, "g1", "x !env ANTHROPIC_BASE_URL", "x http://127.0.0.1:8484/v") &&
	     answers(&d, "g1", "x !env ANTHROPIC_API_KEY", "x " CREDENTIAL_PLACEHOLDER);
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	return end(&d) && ok;
}

#define CONNECT(to)                                                                            \
	"x !sh bash -c 'exec 3<>/dev/tcp/127.0.0.1/8484; printf \"CONNECT " to                 \
	" HTTP/1.1\\r\\nHost: " to                                                             \
	"\\r\\n\\r\\n\" >&3; read -r line <&3; echo $line' | tr -d '\\r'"

static bool whatever_the_api_is_there_is_no_tunnel_to_it(void)
{
	struct driver d;
	bool ok;

	begin(&d);
	driver_set(&d, "ANTHROPIC_BASE_URL", "https://[::1]/v");
	driver_start_ready(&d);
	ok = contains(&d, "g1", CONNECT("[::1]:443"), "x HTTP/1.1 403") &&
	     contains(&d, "g1", CONNECT("localhost:22"), "x HTTP/1.1 403") &&
	     contains(&d, "g1", CONNECT("169.254.169.254:80"), "x HTTP/1.1 403") &&
	     answers(&d, "g1", "x !env HTTPS_PROXY", "x http://127.0.0.1:8484") &&
	     answers(&d, "g1", "x !env ANTHROPIC_BASE_URL", "x http://127.0.0.1:8484/v");
	return end(&d) && ok;
}

static bool a_key_that_an_agent_would_be_given_is_refused(void)
{
	struct driver d;
	int status;

	begin(&d);
	driver_set(&d, "NANOCLAW_AGENT_ENV", "LANG, ANTHROPIC_API_KEY");
	driver_start(&d, NULL);
	status = driver_reap(&d);
	driver_release(&d);
	return WIFEXITED(status) && WEXITSTATUS(status) == 2;
}

/* --- the end ----------------------------------------------------------------- */

/* Processes with this word in their command line. */
static unsigned count_processes(const char *word)
{
	DIR *all = opendir("/proc");
	struct dirent *entry;
	unsigned count = 0;

	while (all && (entry = readdir(all))) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		CLEANUP(freep) char *path = xasprintf("/proc/%s/cmdline", entry->d_name);

		if (entry->d_name[0] < '1' || entry->d_name[0] > '9' ||
			file_read(path, 1000000, &text, &err) < 0)
			continue;
		count += memmem(text.data, text.len, word, strlen(word)) != NULL;
	}
	if (all)
		closedir(all);
	return count;
}

static bool is_gone(struct driver *d, void *data)
{
	(void)d;
	return !count_processes(data);
}

static bool is_there(struct driver *d, void *data)
{
	(void)d;
	return count_processes(data) > 0;
}

static bool a_killed_host_leaves_no_agent(void)
{
	static char word[] = "/workspace/agent/left-by-a-host";
	struct driver d;
	bool ok;

	begin(&d);
	driver_start_ready(&d);
	ok = answers(&d, "g1",
		"x !sh bash -c 'exec -a /workspace/agent/left-by-a-host sleep 100000'"
		" </dev/null >/dev/null 2>&1 &",
		"x");
	driver_wait(&d, is_there, word, "it runs");
	driver_kill(&d);
	driver_start_ready(&d);
	driver_wait(&d, is_gone, word, "nothing is left");
	return end(&d) && ok;
}

static bool is_tried(struct driver *d, void *data)
{
	(void)data;
	return driver_lines(d, "bin/tried") > 0;
}

/* The engine hangs until 'bin/go' is there. */
static bool while_another_kind_of_sandbox_is_tried_others_get_answers(void)
{
	CLEANUP(freep) char *path = NULL;
	CLEANUP(freep) char *engine = NULL;
	CLEANUP(freep) char *program = NULL;
	CLEANUP(freep) char *answer = NULL;
	struct driver d;
	bool ok;

	begin(&d);
	path = xasprintf("%s/bin:%s", d.root, getenv("PATH"));
	program = xasprintf("#!/bin/sh\ncd %s/bin && echo x >>tried\n"
			    "until [ -e go ]; do sleep 0.1; done\necho no luck >&2\nexit 1\n",
		d.root);
	driver_set(&d, "PATH", path);
	put_folder(&d, "bin");
	put(&d, "bin/podman", program);
	put(&d, "groups/g1/container.json", "{\"sandbox\": \"podman\"}\n");
	engine = xasprintf("%s/bin/podman", d.root);
	if (chmod(engine, 0755))
		driver_fail(&d, "cannot change '%s'", engine);
	driver_start_ready(&d);
	answer = driver_run(&d, (const char *const[]){"send", "g1", "x", NULL}, NULL);
	driver_wait(&d, is_tried, NULL, "podman is tried");
	ok = answers(&d, "g2", "y", "y") && answers(&d, "main", "z", "z");
	put(&d, "bin/go", "");
	ok = contains(&d, "g1", "x", "no working sandbox for an agent") && ok;
	return end(&d) && ok;
}

static const struct {
	const char *name;
	bool (*holds)(void);
} claims[] = {
#define CLAIM(name)                                                                            \
	{                                                                                      \
#name, name                                                                    \
	}
	CLAIM(an_agent_works_in_its_folder_and_sees_no_other),
	CLAIM(the_path_of_the_project_leads_nowhere),
	CLAIM(main_sees_the_project_without_its_secrets),
	CLAIM(a_backup_in_the_project_is_none_of_mains_business),
	CLAIM(sessions_are_kept_for_each_group),
	CLAIM(a_mount_needs_to_be_allowed),
	CLAIM(an_agent_cannot_write_its_settings),
	CLAIM(what_is_over_the_limit_of_the_disk_does_not_stay),
	CLAIM(an_answer_of_seven_megabytes_is_cut),
	CLAIM(main_changes_settings_and_nobody_else),
	CLAIM(settings_that_change_under_an_agent_stay_out_of_its_reach),
	CLAIM(a_fault_in_the_settings_is_told_with_its_place),
	CLAIM(a_file_that_a_person_edits_counts_from_the_next_turn_on),
	CLAIM(a_turn_has_the_time_that_its_group_gives_it),
	CLAIM(a_link_to_a_program_of_the_system_is_one),
	CLAIM(who_uses_up_its_memory_is_told_so),
	CLAIM(what_an_agent_plants_leads_the_host_nowhere),
	CLAIM(an_agent_reaches_the_api_and_nothing_else),
	CLAIM(whatever_the_api_is_there_is_no_tunnel_to_it),
	CLAIM(a_key_that_an_agent_would_be_given_is_refused),
	CLAIM(a_killed_host_leaves_no_agent),
	CLAIM(while_another_kind_of_sandbox_is_tried_others_get_answers),
};

int main(int argc, char **argv)
{
	struct tap tap = {0};

	if (argc != 4)
		return 2;
	programs = argv;
	for (size_t i = 0; i < ARRAY_SIZE(claims); i++) {
		tap_result(&tap, claims[i].holds(), claims[i].name);
		fflush(stdout);
	}
	return tap_end(&tap);
}
