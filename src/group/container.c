#include "group/container.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "group/container_value.h"

#define MAX_SKILLS 1024
#define MAX_AGENT  4096
#define MAX_MODEL  256
#define MAX_URL    2048
#define MAX_HOSTS  256
/* A name, "*." and a port; hosts_add() refuses longer names with its reason. */
#define MAX_HOST 1000

#define LEAST_CONTEXT 1024
#define MOST_CONTEXT  100000000

#define MOST_TOKENS  1e15
#define LEAST_CENTS  0.01
#define MOST_DOLLARS 1e6

/* --- names ------------------------------------------------------------------- */

static bool is_letter_or_digit(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool container_name_is_valid(struct view name)
{
	if (!name.len || name.len > CONTAINER_MAX_NAME || !is_letter_or_digit(name.data[0]))
		return false;
	for (size_t i = 1; i < name.len; i++)
		if (!is_letter_or_digit(name.data[i]) && name.data[i] != '.' &&
			name.data[i] != '_' && name.data[i] != '-')
			return false;
	return true;
}

bool container_has_skill(const struct container *container, const char *name)
{
	if (container->all_skills)
		return true;
	return string_array_has(&container->skills, name);
}

/* --- members ----------------------------------------------------------------- */

static void read_skill(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	struct container *container = reading->container;
	CLEANUP(freep) char *name = container_text(reading, value, CONTAINER_MAX_FILE);

	(void)key;
	(void)item;
	(void)data;
	if (!name)
		return;
	if (!container_name_is_valid(view_of(name))) {
		CLEANUP(freep) char *excerpt = utf8_excerpt(view_of(name));

		container_fault(reading, value->span,
			"'%s' cannot be the name of a skill: " CONTAINER_NAME_RULE, excerpt);
		return;
	}
	string_array_add(&container->skills, name);
}

static void read_skills(struct container_reading *reading, const struct container_value *value)
{
	struct container *container = reading->container;

	if (json_is_string(value->json) && !strcmp(json_string_value(value->json), "all"))
		return;
	container->all_skills = false;
	if (!container_is(reading, value, JSON_ARRAY, "\"all\" or a list of names"))
		return;
	if (json_array_size(value->json) > MAX_SKILLS) {
		container_fault(reading, value->span, "'%s' has more than %d entries",
			value->what, MAX_SKILLS);
		return;
	}
	container_each(reading, value, read_skill, NULL);
	string_array_sort_once(&container->skills);
}

static void read_sandbox(struct container_reading *reading, const struct container_value *value)
{
	static const char *const known[] = {"bwrap", "docker", "landlock", "podman"};
	const char *name = json_string_value(value->json);

	for (size_t i = 0; name && i < ARRAY_SIZE(known); i++) {
		if (!strcmp(name, known[i])) {
			reading->container->sandbox = xstrdup(name);
			return;
		}
	}
	container_fault(reading, value->span,
		"'sandbox' must be \"bwrap\", \"podman\", \"docker\" or \"landlock\"");
}

struct limit {
	const char *name;
	uint64_t least;
	uint64_t most;
	size_t offset;
};

#define LIMIT(name, field, least, most)                                                        \
	{                                                                                      \
		name, least, most, offsetof(struct container_limits, field)                    \
	}

static const struct limit limits[] = {
	LIMIT("memoryMegabytes", memory_megabytes, 16, 1048576),
	LIMIT("processes", processes, 8, 65536),
	LIMIT("cpuPercent", cpu_percent, 1, 102400),
	LIMIT("diskMegabytes", disk_megabytes, 1, 16777216),
	LIMIT("seconds", seconds, 1, 604800),
};

static void read_limit(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	char *base = (char *)&reading->container->limits;

	(void)data;
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		const struct limit *limit = &limits[i];
		uint64_t number;

		if (strcmp(key, limit->name) != 0)
			continue;
		number = container_number(reading, value, limit->least, limit->most);
		memcpy(base + limit->offset, &number, sizeof(number));
		return;
	}
	container_unknown(reading, item, value);
}

static void read_limits(struct container_reading *reading, const struct container_value *value)
{
	if (container_is(reading, value, JSON_OBJECT, "an object"))
		container_each(reading, value, read_limit, NULL);
}

/* What may be used up: whole tokens, or dollars that are kept in millionths. */
static uint64_t read_amount(
	struct container_reading *reading, const struct container_value *value, bool dollars)
{
	double least = dollars ? LEAST_CENTS : 1;
	double most = dollars ? MOST_DOLLARS : MOST_TOKENS;
	double number = json_number_value(value->json);

	if (json_is_string(value->json) && !strcmp(json_string_value(value->json), "none"))
		return CONTAINER_NO_LIMIT;
	if (json_is_number(value->json) && number >= least && number <= most &&
		(dollars || floor(number) == number))
		return dollars ? (uint64_t)(number * 1e6 + 0.5) : (uint64_t)number;
	if (dollars)
		container_fault(reading, value->span,
			"'%s' must be dollars from 0.01 to 1000000, or \"none\"", value->what);
	else
		container_fault(reading, value->span,
			"'%s' must be a whole number from 1 to 10^15, or \"none\"",
			value->what);
	return 0;
}

static void read_budget_part(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	struct container_budget *budget = &reading->container->budget;

	(void)data;
	if (!strcmp(key, "dailyDollars"))
		budget->daily_dollars = read_amount(reading, value, true);
	else if (!strcmp(key, "dailyTokens"))
		budget->daily_tokens = read_amount(reading, value, false);
	else if (!strcmp(key, "monthlyDollars"))
		budget->monthly_dollars = read_amount(reading, value, true);
	else if (!strcmp(key, "warnPercent"))
		budget->warn_percent = container_number(reading, value, 1, 100);
	else
		container_unknown(reading, item, value);
}

static void read_budget(struct container_reading *reading, const struct container_value *value)
{
	if (container_is(reading, value, JSON_OBJECT, "an object"))
		container_each(reading, value, read_budget_part, NULL);
}

static void read_host(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *text = container_text(reading, value, MAX_HOST);

	(void)key;
	(void)item;
	(void)data;
	if (!text || hosts_add(&reading->container->hosts, view_of(text), &err) == 0)
		return;
	container_fault(reading, value->span, "%s%s%s", err.message, err.hint ? "; " : "",
		err.hint ? err.hint : "");
}

static void read_hosts(struct container_reading *reading, const struct container_value *value)
{
	if (!container_is(reading, value, JSON_ARRAY, "a list"))
		return;
	if (json_array_size(value->json) > MAX_HOSTS)
		container_fault(reading, value->span, "'%s' has more than %d entries",
			value->what, MAX_HOSTS);
	else
		container_each(reading, value, read_host, NULL);
}

static void read_network_part(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	(void)data;
	if (!strcmp(key, "hosts"))
		read_hosts(reading, value);
	else
		container_unknown(reading, item, value);
}

static void read_network(struct container_reading *reading, const struct container_value *value)
{
	if (container_is(reading, value, JSON_OBJECT, "an object"))
		container_each(reading, value, read_network_part, NULL);
}

static void read_agent(struct container_reading *reading, const struct container_value *value)
{
	reading->container->agent = container_text(reading, value, MAX_AGENT);
}

/* Whether the provider exists, and the rest fits it, is checked when the agent starts. */
static void read_model_part(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	struct container_model *model = &reading->container->model;

	(void)data;
	if (!strcmp(key, "context"))
		model->context = container_number(reading, value, LEAST_CONTEXT, MOST_CONTEXT);
	else if (!strcmp(key, "maxOutput"))
		model->max_output = container_number(reading, value, 1, MOST_CONTEXT);
	else if (!strcmp(key, "name"))
		model->name = container_text(reading, value, MAX_MODEL);
	else if (!strcmp(key, "provider"))
		model->provider = container_text(reading, value, MAX_MODEL);
	else if (!strcmp(key, "url"))
		model->url = container_text(reading, value, MAX_URL);
	else if (strcmp(key, "vision") != 0)
		container_unknown(reading, item, value);
	else if ((model->says_vision = json_is_boolean(value->json)))
		model->vision = json_is_true(value->json);
	else
		container_fault(
			reading, value->span, "'%s' must be true or false", value->what);
}

static void read_model(struct container_reading *reading, const struct container_value *value)
{
	if (container_is(reading, value, JSON_OBJECT, "an object"))
		container_each(reading, value, read_model_part, NULL);
}

static const struct {
	const char *name;
	void (*read)(struct container_reading *reading, const struct container_value *value);
} members[] = {
	{"agent", read_agent},
	{"budget", read_budget},
	{"limits", read_limits},
	{"mcpServers", container_read_servers},
	{"model", read_model},
	{"mounts", container_read_mounts},
	{"network", read_network},
	{"sandbox", read_sandbox},
	{"skills", read_skills},
};

static void read_member(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	(void)data;
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		if (strcmp(key, members[i].name) != 0)
			continue;
		members[i].read(reading, value);
		return;
	}
	container_unknown(reading, item, value);
}

/* --- the whole --------------------------------------------------------------- */

static int report(struct container_reading *reading, struct error *err)
{
	size_t count = reading->fault_count;

	if (!count)
		return 0;
	if (count > CONTAINER_MAX_FAULTS)
		buf_appendf(&reading->faults, "\nand %zu more", count - CONTAINER_MAX_FAULTS);
	return error_set(err, ERROR_INVALID, "%s", reading->faults.data);
}

int container_parse(
	struct view text, const char *shown, struct container *ret_container, struct error *err)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;
	struct container_reading reading = {text, shown, &container, BUF_INIT, 0};
	struct container_value root = {0};
	int result;

	if (json_read(text, shown, CONTAINER_MAX_FILE, &json, err) < 0)
		return -1;
	root.json = json;
	root.span = json_span_root(text);
	if (json_is_object(json))
		container_each(&reading, &root, read_member, NULL);
	else
		container_fault(&reading, root.span, "container.json must be an object");
	result = report(&reading, err);
	buf_release(&reading.faults);
	if (result < 0)
		return -1;
	*ret_container = container;
	container = CONTAINER_INIT;
	return 0;
}

void container_release(struct container *container)
{
	string_array_release(&container->skills);
	string_array_release(&container->warnings);
	for (size_t i = 0; i < container->server_count; i++) {
		struct container_server *server = &container->servers[i];

		for (size_t v = 0; v < server->env_count; v++) {
			free(server->env[v].name);
			free(server->env[v].value);
		}
		free(server->env);
		string_array_release(&server->args);
		free(server->name);
		free(server->command);
		free(server->instructions);
	}
	free(container->servers);
	for (size_t i = 0; i < container->mount_count; i++) {
		free(container->mounts[i].path);
		free(container->mounts[i].name);
	}
	free(container->mounts);
	free(container->agent);
	free(container->sandbox);
	free(container->model.provider);
	free(container->model.name);
	free(container->model.url);
	hosts_release(&container->hosts);
	*container = CONTAINER_INIT;
}
