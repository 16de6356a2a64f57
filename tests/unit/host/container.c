/* container.json: what it says, and every fault in it with its place. */
#include "test.h"

#include <string.h>

#include "group/container.h"
#include "group/container_file.h"
#include "tempdir.h"

static void read_text(const char *text, struct container *ret_container)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (container_parse(view_of(text), "c.json", ret_container, &err) < 0)
		fail_msg("%s", err.message);
}

static void refused(const char *text, const char *message)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(container_release) struct container container = CONTAINER_INIT;

	assert_int_equal(container_parse(view_of(text), "c", &container, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_string_equal(err.message, message);
	assert_null(container.agent);
}

/* --- what it says ------------------------------------------------------------ */

static void an_empty_object_is_all_skills_and_no_limits(void **state)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;

	(void)state;
	read_text(" {\n} ", &container);
	assert_true(container.all_skills);
	assert_true(container_has_skill(&container, "anything"));
	assert_int_equal(container.server_count + container.mount_count, 0);
	assert_int_equal(container.limits.seconds, 0);
	assert_null(container.agent);
	assert_null(container.sandbox);
}

static void skills_are_sorted_and_each_is_there_once(void **state)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;

	(void)state;
	read_text("{\"skills\": [\"b\", \"a\", \"b\", \"C.1\", \"a\"]}", &container);
	assert_false(container.all_skills);
	assert_int_equal(container.skills.count, 3);
	assert_string_equal(container.skills.list[0], "C.1");
	assert_string_equal(container.skills.list[1], "a");
	assert_string_equal(container.skills.list[2], "b");
	assert_true(container_has_skill(&container, "b"));
	assert_false(container_has_skill(&container, "c"));
}

static void no_skills_are_none(void **state)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;

	(void)state;
	read_text("{\"skills\": []}", &container);
	assert_false(container_has_skill(&container, "a"));
}

static void servers_have_all_their_parts(void **state)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	const struct container_server *server;

	(void)state;
	read_text("{\"mcpServers\": {\"z\": {\"command\": \"zed\"}, \"my-db\": {\"command\":"
		  " \"db\", \"args\": [\"--read-only\", \"\"], \"env\": {\"DB\": \"sales\","
		  " \"A_1\": \"\"}, \"instructions\": \"Two\\nlines\"}}}",
		&container);
	assert_int_equal(container.server_count, 2);
	server = &container.servers[0];
	assert_string_equal(server->name, "my-db");
	assert_string_equal(server->command, "db");
	assert_int_equal(server->args.count, 2);
	assert_string_equal(server->args.list[1], "");
	assert_int_equal(server->env_count, 2);
	assert_string_equal(server->env[0].name, "A_1");
	assert_string_equal(server->env[1].value, "sales");
	assert_string_equal(server->instructions, "Two\nlines");
	assert_string_equal(container.servers[1].name, "z");
	assert_null(container.servers[1].instructions);
}

static void a_mount_is_read_only_and_named_by_its_path_unless_it_says_otherwise(void **state)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;

	(void)state;
	read_text("{\"mounts\": [{\"path\": \"~/my/notes//\"}, {\"path\": \"/srv/x y\","
		  " \"name\": \"data\", \"readOnly\": false}]}",
		&container);
	assert_int_equal(container.mount_count, 2);
	assert_string_equal(container.mounts[0].path, "~/my/notes//");
	assert_string_equal(container.mounts[0].name, "notes");
	assert_true(container.mounts[0].read_only);
	assert_string_equal(container.mounts[1].name, "data");
	assert_false(container.mounts[1].read_only);
}

static void agent_sandbox_and_limits_are_read(void **state)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;

	(void)state;
	read_text("{\"agent\": \"claude\", \"sandbox\": \"podman\", \"limits\":"
		  " {\"memoryMegabytes\": 2048, \"processes\": 256, \"cpuPercent\": 200,"
		  " \"diskMegabytes\": 1024, \"seconds\": 1.8e3}}",
		&container);
	assert_string_equal(container.agent, "claude");
	assert_string_equal(container.sandbox, "podman");
	assert_int_equal(container.limits.memory_megabytes, 2048);
	assert_int_equal(container.limits.processes, 256);
	assert_int_equal(container.limits.cpu_percent, 200);
	assert_int_equal(container.limits.disk_megabytes, 1024);
	assert_int_equal(container.limits.seconds, 1800);
}

static void a_budget_is_tokens_and_millionths_of_dollars(void **state)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;

	(void)state;
	read_text("{\"budget\": {\"dailyTokens\": 2000000, \"dailyDollars\": 0.29,"
		  " \"monthlyDollars\": \"none\"}}",
		&container);
	assert_int_equal(container.budget.daily_tokens, 2000000);
	assert_int_equal(container.budget.daily_dollars, 290000);
	assert_true(container.budget.monthly_dollars == CONTAINER_NO_LIMIT);
	assert_int_equal(container.budget.warn_percent, 0);
}

static void what_is_not_known_is_a_warning_at_its_place(void **state)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;

	(void)state;
	read_text("{\"image\": {\"limits\": 1},\n \"limits\": {\"disk\": 1},\n"
		  "\"mounts\": [{\"path\": \"/a\", \"why\": 0}],\n"
		  "\"mcpServers\": {\"a\": {\"command\": \"b\", \"type\": \"stdio\"}}}",
		&container);
	assert_int_equal(container.warnings.count, 4);
	assert_string_equal(container.warnings.list[0],
		"c.json:1:2: 'image' is not known, and has no effect");
	assert_string_equal(container.warnings.list[1],
		"c.json:2:13: 'limits.disk' is not known, and has no effect: did you mean "
		"'limits.diskMegabytes'?");
	assert_string_equal(container.warnings.list[2],
		"c.json:3:27: 'mounts[0].why' is not known, and has no effect");
	assert_string_equal(container.warnings.list[3],
		"c.json:4:38: 'mcpServers.a.type' is not known, and has no effect");
}

static void hosts_are_patterns(void **state)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;

	(void)state;
	read_text("{\"network\": {\"hosts\": [\"Example.com\", \"*.example.org:8443\"]}}",
		&container);
	assert_int_equal(container.hosts.count, 2);
	assert_string_equal(container.hosts.list[0].host, "example.com");
	assert_int_equal(container.hosts.list[1].port, 8443);
	assert_true(container.hosts.list[1].below);
}

/* --- faults ------------------------------------------------------------------ */

static const struct {
	const char *text;
	const char *message;
} faults[] = {
	{"[]", "c:1:1: container.json must be an object"},
	{"{\"agent\": \"\"}", "c:1:11: 'agent' is empty"},
	{"{\"agent\": 1}", "c:1:11: 'agent' must be text"},
	{"{\"agent\": \"a\\u0000b\"}", "c:1:11: 'agent' has a zero byte"},
	{"\xef\xbb\xbf{\"agent\": 1}", "c:1:11: 'agent' must be text"},
	/* A key that is written with escapes is the same key. */
	{"{\"\\u0061gent\":\n1}", "c:2:1: 'agent' must be text"},
	{"{\"sandbox\": \"none\"}",
		"c:1:13: 'sandbox' is unknown: choose 'bwrap', 'docker', 'landlock' or 'podman'"},
	{"{\"sandbox\": null}",
		"c:1:13: 'sandbox' is unknown: choose 'bwrap', 'docker', 'landlock' or 'podman'"},
	{"{\"skills\": \"some\"}", "c:1:12: 'skills' must be \"all\" or a list of names"},
	{"{\"skills\": [\"a\", 1]}", "c:1:18: 'skills[1]' must be text"},
	{"{\"skills\": [\"../x\"]}",
		"c:1:13: '../x' cannot be the name of a skill: " CONTAINER_NAME_RULE},
	{"{\"skills\": [\".x\"]}",
		"c:1:13: '.x' cannot be the name of a skill: " CONTAINER_NAME_RULE},
	{"{\"budget\": 5}", "c:1:12: 'budget' must be an object"},
	{"{\"budget\": {\"dailyDollars\": 0}}",
		"c:1:29: 'budget.dailyDollars' must be dollars from 0.01 to 1000000, or \"none\""},
	{"{\"budget\": {\"monthlyDollars\": \"5\"}}",
		"c:1:31: 'budget.monthlyDollars' must be dollars from 0.01 to 1000000, or "
		"\"none\""},
	{"{\"budget\": {\"dailyTokens\": 1.5}}",
		"c:1:28: 'budget.dailyTokens' must be a whole number from 1 to 10^15, or \"none\""},
	{"{\"budget\": {\"dailyTokens\": 1e300}}",
		"c:1:28: 'budget.dailyTokens' must be a whole number from 1 to 10^15, or \"none\""},
	{"{\"budget\": {\"warnPercent\": 101}}",
		"c:1:28: 'budget.warnPercent' must be a whole number from 1 to 100"},
	{"{\"limits\": []}", "c:1:12: 'limits' must be an object"},
	{"{\"limits\": {\"seconds\": 0}}",
		"c:1:24: 'limits.seconds' must be a whole number from 1 to 604800"},
	{"{\"limits\": {\"seconds\": 1.5}}",
		"c:1:24: 'limits.seconds' must be a whole number from 1 to 604800"},
	{"{\"limits\": {\"seconds\": 1e300}}",
		"c:1:24: 'limits.seconds' must be a whole number from 1 to 604800"},
	{"{\"limits\": {\"processes\": \"9\"}}",
		"c:1:26: 'limits.processes' must be a whole number from 8 to 65536"},
	{"{\"mcpServers\": []}", "c:1:16: 'mcpServers' must be an object"},
	{"{\"mcpServers\": {\"a b\": {}}}",
		"c:1:17: 'a b' cannot be the name of a server: " CONTAINER_NAME_RULE},
	{"{\"mcpServers\": {\"nanoclaw\": {\"command\": \"x\"}}}",
		"c:1:17: 'nanoclaw' is the server of the host itself"},
	{"{\"mcpServers\": {\"a\": []}}", "c:1:22: 'mcpServers.a' must be an object"},
	{"{\"mcpServers\": {\"a\": {}}}", "c:1:22: 'mcpServers.a' has no 'command'"},
	{"{\"mcpServers\": {\"a\": {\"command\": \"x\", \"args\": \"y\"}}}",
		"c:1:47: 'mcpServers.a.args' must be a list of strings"},
	{"{\"mcpServers\": {\"a\": {\"command\": \"x\", \"args\": [[]]}}}",
		"c:1:48: 'mcpServers.a.args[0]' must be text"},
	{"{\"mcpServers\": {\"a\": {\"command\": \"x\", \"env\": {\"1A\": \"\"}}}}",
		"c:1:47: 'mcpServers.a.env.1A': this is not the name of a variable"},
	{"{\"mcpServers\": {\"a\": {\"command\": \"x\", \"env\": {\"A\": 1}}}}",
		"c:1:52: 'mcpServers.a.env.A' must be text"},
	{"{\"mounts\": {}}", "c:1:12: 'mounts' must be a list"},
	{"{\"mounts\": [\"/a\"]}", "c:1:13: 'mounts[0]' must be an object"},
	{"{\"mounts\": [{}]}", "c:1:13: this mount has no 'path'"},
	{"{\"mounts\": [{\"path\": \"a/b\"}]}",
		"c:1:22: the path of a mount begins with '/' or with '~/'"},
	{"{\"mounts\": [{\"path\": \"/\"}]}",
		"c:1:22: this mount needs a 'name', because the end of its path cannot be one"},
	{"{\"mounts\": [{\"path\": \"/a/..\"}]}",
		"c:1:22: this mount needs a 'name', because the end of its path cannot be one"},
	{"{\"mounts\": [{\"path\": \"/a\", \"name\": \"..\"}]}",
		"c:1:36: this cannot be the name of a mount: " CONTAINER_NAME_RULE},
	{"{\"mounts\": [{\"path\": \"/a\", \"readOnly\": \"no\"}]}",
		"c:1:40: 'mounts[0].readOnly' must be true or false"},
	{"{\"mounts\": [{\"path\": \"/a\"}, {\"path\": \"/b/a\"}]}",
		"c:1:38: a mount named 'a' already exists"},
};

static void a_fault_is_named_with_its_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		refused(faults[i].text, faults[i].message);
}

static void all_faults_are_named(void **state)
{
	(void)state;
	refused("{\"agent\": 0,\n \"skills\": [1,\n\"/\"], \"limits\": {\"seconds\": -1}}",
		"c:1:11: 'agent' must be text\n"
		"c:2:13: 'skills[0]' must be text\n"
		"c:3:1: '/' cannot be the name of a skill: " CONTAINER_NAME_RULE "\n"
		"c:3:29: 'limits.seconds' must be a whole number from 1 to 604800");
}

static void faults_without_end_are_counted(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	buf_append_str(&text, "{\"skills\": [0");
	for (int i = 1; i < 1000; i++)
		buf_append_str(&text, ", 0");
	buf_append_str(&text, "]}");
	assert_int_equal(container_parse(view_of_buf(&text), "c", &container, &err), -1);
	assert_non_null(strstr(err.message, "'skills[19]' must be text\nand 980 more"));
}

static void a_broken_file_has_the_place_of_the_break(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(container_release) struct container container = CONTAINER_INIT;

	(void)state;
	assert_int_equal(
		container_parse(view_of("{\n\"a\": 1,\n}"), "c", &container, &err), -1);
	assert_memory_equal(err.message, "c:3:", 4);
}

/* --- the file ---------------------------------------------------------------- */

#define FILE_NAME "groups/g/" CONTAINER_FILE

static void make_group(struct tempdir *temp)
{
	tempdir_mkdir(temp->fd, "groups");
	tempdir_mkdir(temp->fd, "groups/g");
}

static void no_file_is_an_empty_one(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(container_release) struct container container = CONTAINER_INIT;

	make_group(temp);
	assert_int_equal(container_look(temp->fd, "g", &container, NULL, &err), 0);
	assert_true(container.all_skills);
}

static void the_file_of_the_folder_is_read(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(container_release) struct container container = CONTAINER_INIT;

	make_group(temp);
	tempdir_put(temp->fd, FILE_NAME, "{\"agent\": \"x\"}");
	assert_int_equal(container_look(temp->fd, "g", &container, NULL, &err), 0);
	assert_string_equal(container.agent, "x");
}

static void not_read(struct tempdir *temp)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(container_release) struct container container = CONTAINER_INIT;

	assert_int_equal(container_look(temp->fd, "g", &container, NULL, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_memory_equal(err.message, FILE_NAME ": ", strlen(FILE_NAME) + 2);
}

static void a_link_is_not_followed(void **state)
{
	struct tempdir *temp = *state;

	make_group(temp);
	tempdir_put(temp->fd, "groups/g/other", "{}");
	tempdir_symlink("other", temp->fd, FILE_NAME);
	not_read(temp);
}

static void a_pipe_does_not_hold_it_up(void **state)
{
	struct tempdir *temp = *state;

	make_group(temp);
	tempdir_fifo(temp->fd, FILE_NAME);
	not_read(temp);
}

static void a_large_file_is_refused(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	make_group(temp);
	buf_append_str(&text, "{}");
	buf_append_repeated(&text, ' ', CONTAINER_MAX_FILE);
	tempdir_put_bytes(temp->fd, FILE_NAME, text.data, text.len);
	not_read(temp);
}

static void faults_of_hosts_have_a_place(void **state)
{
	(void)state;
	refused("{\"network\": {\"hosts\": [\"a.b\",\n \"127.1\", 5, \"10.0.0.1\", \"x\"]}}",
		"c:2:2: '127.1' is not the name of a host: it is an address in an unusual form; write it as '93.184.216.34' or '[2606:4700::1111]'\nc:2:11: 'network.hosts[2]' must be text\nc:2:14: '10.0.0.1' is a private address, which agents cannot reach; only hosts of the public network can be allowed\nc:2:26: 'x' is not the name of a host: it has no dot; write the whole name, such as 'www.example.com'");
	refused("{\"network\": []}", "c:1:13: 'network' must be an object");
	refused("{\"network\": {\"hosts\": \"a.b\"}}",
		"c:1:23: 'network.hosts' must be a list");
}

TESTS(cmocka_unit_test(hosts_are_patterns), cmocka_unit_test(faults_of_hosts_have_a_place),
	cmocka_unit_test(an_empty_object_is_all_skills_and_no_limits),
	cmocka_unit_test(skills_are_sorted_and_each_is_there_once),
	cmocka_unit_test(no_skills_are_none), cmocka_unit_test(servers_have_all_their_parts),
	cmocka_unit_test(a_mount_is_read_only_and_named_by_its_path_unless_it_says_otherwise),
	cmocka_unit_test(agent_sandbox_and_limits_are_read),
	cmocka_unit_test(a_budget_is_tokens_and_millionths_of_dollars),
	cmocka_unit_test(what_is_not_known_is_a_warning_at_its_place),
	cmocka_unit_test(a_fault_is_named_with_its_place),
	cmocka_unit_test(all_faults_are_named),
	cmocka_unit_test(faults_without_end_are_counted),
	cmocka_unit_test(a_broken_file_has_the_place_of_the_break),
	IN_TEMPDIR(no_file_is_an_empty_one), IN_TEMPDIR(the_file_of_the_folder_is_read),
	IN_TEMPDIR(a_link_is_not_followed), IN_TEMPDIR(a_pipe_does_not_hold_it_up),
	IN_TEMPDIR(a_large_file_is_refused))
