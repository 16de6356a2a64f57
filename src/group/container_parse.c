/* Reads container.json: container_parse(). */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/similar.h"
#include "base/utf8.h"
#include "group/container_value.h"
#include "sandbox/sandbox.h"

#define MAX_SKILLS 1024
#define MAX_HOSTS  256
/* A name, "*." and a port; hosts_add() refuses longer names with its reason. */
#define MAX_HOST 1000

#define MOST_TOKENS  1e15
#define LEAST_CENTS  0.01
#define MOST_DOLLARS 1e6

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
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const char *name = json_string_value(value->json);
	const struct sandbox_kind *kind;

	if (sandbox_kind_find(name ? name : "", &kind, &err) < 0)
		container_fault(reading, value->span, "'sandbox' is unknown: %s", err.hint);
	else
		reading->container->sandbox = xstrdup(name);
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

/* --- members ------------------------------------------------------------------ */

typedef void field_reader(
	struct container_reading *reading, const struct container_value *value);

enum field_kind {
	FIELD_TEXT,   /* char *, of at most `most` bytes */
	FIELD_NUMBER, /* uint64_t, as those below */
	FIELD_TOKENS,
	FIELD_DOLLARS,
	FIELD_FLAG,   /* bool, after which another one says that the file has it */
	FIELD_OBJECT, /* its members have the section `name` */
	FIELD_OTHER,  /* read() */
};

/*
 * The settings. Whether the provider of a model exists, and the rest fits it, is checked when the
 * agent starts.
 */
static const struct field {
	const char *section; /* "" for the whole file */
	const char *name;
	enum field_kind kind;
	size_t offset;
	uint64_t least;
	uint64_t most;
	field_reader *read;
} fields[] = {
#define AT(member) offsetof(struct container, member)
	{"", "agent", FIELD_TEXT, AT(agent), 1, 4096, NULL},
	{"", "budget", FIELD_OBJECT, 0, 0, 0, NULL},
	{"", "limits", FIELD_OBJECT, 0, 0, 0, NULL},
	{"", "mcpServers", FIELD_OTHER, 0, 0, 0, container_read_servers},
	{"", "model", FIELD_OBJECT, 0, 0, 0, NULL},
	{"", "mounts", FIELD_OTHER, 0, 0, 0, container_read_mounts},
	{"", "network", FIELD_OBJECT, 0, 0, 0, NULL},
	{"", "sandbox", FIELD_OTHER, 0, 0, 0, read_sandbox},
	{"", "skills", FIELD_OTHER, 0, 0, 0, read_skills},
	{"budget", "dailyDollars", FIELD_DOLLARS, AT(budget.daily_dollars), 0, 0, NULL},
	{"budget", "dailyTokens", FIELD_TOKENS, AT(budget.daily_tokens), 0, 0, NULL},
	{"budget", "monthlyDollars", FIELD_DOLLARS, AT(budget.monthly_dollars), 0, 0, NULL},
	{"budget", "warnPercent", FIELD_NUMBER, AT(budget.warn_percent), 1, 100, NULL},
	{"limits", "cpuPercent", FIELD_NUMBER, AT(limits.cpu_percent), 1, 102400, NULL},
	{"limits", "diskMegabytes", FIELD_NUMBER, AT(limits.disk_megabytes), 1, 16777216, NULL},
	{"limits", "memoryMegabytes", FIELD_NUMBER, AT(limits.memory_megabytes), 16, 1048576,
		NULL},
	{"limits", "processes", FIELD_NUMBER, AT(limits.processes), 8, 65536, NULL},
	{"limits", "seconds", FIELD_NUMBER, AT(limits.seconds), 1, 604800, NULL},
	{"model", "context", FIELD_NUMBER, AT(model.context), 1024, 100000000, NULL},
	{"model", "maxOutput", FIELD_NUMBER, AT(model.max_output), 1, 100000000, NULL},
	{"model", "name", FIELD_TEXT, AT(model.name), 1, 256, NULL},
	{"model", "provider", FIELD_TEXT, AT(model.provider), 1, 256, NULL},
	{"model", "url", FIELD_TEXT, AT(model.url), 1, 2048, NULL},
	{"model", "vision", FIELD_FLAG, AT(model.vision), 0, 0, NULL},
	{"network", "hosts", FIELD_OTHER, 0, 0, 0, read_hosts},
#undef AT
};

bool container_has_setting(const char *name, bool parts)
{
	for (size_t i = 0; i < ARRAY_SIZE(fields) && !*fields[i].section; i++)
		if (!strcmp(fields[i].name, name))
			return !parts || fields[i].kind == FIELD_OBJECT ||
			       fields[i].read == container_read_servers;
	return false;
}

char *container_setting_like(const char *what)
{
	struct similar best = similar_to(what);
	char *names[ARRAY_SIZE(fields)];
	char *found;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		names[i] = xasprintf("%s%s%s", fields[i].section, *fields[i].section ? "." : "",
			fields[i].name);
		similar_consider(&best, names[i]);
		if (!strcasecmp(fields[i].name, what)) /* "dailyDollars" */
			best.found = names[i], best.distance = 0;
	}
	found = best.found ? xstrdup(best.found) : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		free(names[i]);
	return found;
}

static void read_field(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data);

static void read_value(struct container_reading *reading, const struct field *field,
	const struct container_value *value)
{
	char *at = (char *)reading->container + field->offset;

	switch (field->kind) {
	case FIELD_TEXT:
		*(char **)at = container_text(reading, value, field->most);
		break;
	case FIELD_NUMBER:
		*(uint64_t *)at = container_number(reading, value, field->least, field->most);
		break;
	case FIELD_TOKENS:
	case FIELD_DOLLARS:
		*(uint64_t *)at = read_amount(reading, value, field->kind == FIELD_DOLLARS);
		break;
	case FIELD_FLAG:
		if (!json_is_boolean(value->json)) {
			container_fault(reading, value->span, "'%s' must be true or false",
				value->what);
			break;
		}
		((bool *)at)[0] = json_is_true(value->json);
		((bool *)at)[1] = true;
		break;
	case FIELD_OBJECT:
		if (container_is(reading, value, JSON_OBJECT, "an object"))
			container_each(
				reading, value, read_field, (void *)(uintptr_t)field->name);
		break;
	case FIELD_OTHER:
		field->read(reading, value);
		break;
	}
}

/* `data` is the name of the section. */
static void read_field(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (!strcmp(fields[i].section, data) && !strcmp(fields[i].name, key)) {
			read_value(reading, &fields[i], value);
			return;
		}
	container_unknown(reading, item, value);
}

/* --- the whole ---------------------------------------------------------------- */

static int report_faults(struct container_reading *reading, struct error *err)
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
		container_each(&reading, &root, read_field, (void *)(uintptr_t) "");
	else
		container_fault(&reading, root.span, "container.json must be an object");
	result = report_faults(&reading, err);
	buf_release(&reading.faults);
	if (result < 0)
		return -1;
	*ret_container = container;
	container = CONTAINER_INIT;
	return 0;
}
