#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "group/container_value.h"

#define MAX_SERVERS      64
#define MAX_ARGS         256
#define MAX_VARIABLES    256
#define MAX_TEXT         ((size_t)32 * 1024)
#define MAX_INSTRUCTIONS ((size_t)256 * 1024)

static bool is_variable(const char *name)
{
	if (isdigit((unsigned char)*name) || !*name)
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && *name != '_')
			return false;
	return true;
}

/* An argument or the value of a variable: unlike other texts, it may be empty. */
static char *any_text(struct container_reading *reading, const struct container_value *value)
{
	if (json_is_string(value->json) && !json_string_length(value->json))
		return xstrdup("");
	return container_text(reading, value, MAX_TEXT);
}

static void read_argument(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	struct container_server *server = data;
	CLEANUP(freep) char *text = any_text(reading, value);

	(void)key;
	(void)item;
	if (text)
		string_array_add(&server->args, text);
}

static void read_variable(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	struct container_server *server = data;
	char *text;

	if (!is_variable(key)) {
		container_fault(reading, item.key, "'%s': this is not the name of a variable",
			value->what);
		return;
	}
	text = any_text(reading, value);
	if (!text)
		return;
	GROW(server->env, server->env_count, server->env_cap);
	server->env[server->env_count++] = (struct container_variable){xstrdup(key), text};
}

static int compare_variables(const void *a, const void *b)
{
	const struct container_variable *first = a;
	const struct container_variable *second = b;

	return strcmp(first->name, second->name);
}

static void read_args(struct container_reading *reading, struct container_server *server,
	const struct container_value *value)
{
	if (!container_is(reading, value, JSON_ARRAY, "a list of strings"))
		return;
	if (json_array_size(value->json) > MAX_ARGS)
		container_fault(reading, value->span, "'%s' has more than %d entries",
			value->what, MAX_ARGS);
	else
		container_each(reading, value, read_argument, server);
}

static void read_env(struct container_reading *reading, struct container_server *server,
	const struct container_value *value)
{
	if (!container_is(reading, value, JSON_OBJECT, "an object of strings"))
		return;
	if (json_object_size(value->json) > MAX_VARIABLES) {
		container_fault(reading, value->span, "'%s' has more than %d entries",
			value->what, MAX_VARIABLES);
		return;
	}
	container_each(reading, value, read_variable, server);
	if (server->env_count)
		qsort(server->env, server->env_count, sizeof(*server->env), compare_variables);
}

static void read_part(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	struct container_server *server = data;

	if (!strcmp(key, "command"))
		server->command = container_text(reading, value, MAX_TEXT);
	else if (!strcmp(key, "args"))
		read_args(reading, server, value);
	else if (!strcmp(key, "env"))
		read_env(reading, server, value);
	else if (!strcmp(key, "instructions"))
		server->instructions = container_text(reading, value, MAX_INSTRUCTIONS);
	else
		container_unknown(reading, item, value);
}

static bool check_name(
	struct container_reading *reading, const char *name, struct json_span span)
{
	CLEANUP(freep) char *excerpt = utf8_excerpt(view_of(name));

	if (!container_name_is_valid(view_of(name))) {
		container_fault(reading, span,
			"'%s' cannot be the name of a server: " CONTAINER_NAME_RULE, excerpt);
		return false;
	}
	if (strcmp(name, CONTAINER_OWN_SERVER) != 0)
		return true;
	container_fault(
		reading, span, "'" CONTAINER_OWN_SERVER "' is the server of the host itself");
	return false;
}

static void read_server(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	struct container *container = reading->container;
	struct container_server *server;

	(void)data;
	if (!check_name(reading, key, item.key) ||
		!container_is(reading, value, JSON_OBJECT, "an object"))
		return;
	GROW(container->servers, container->server_count, container->server_cap);
	server = &container->servers[container->server_count++];
	*server = (struct container_server){.name = xstrdup(key)};
	container_each(reading, value, read_part, server);
	if (!json_object_get(value->json, "command"))
		container_fault(reading, value->span, "'%s' has no 'command'", value->what);
}

static int compare_servers(const void *a, const void *b)
{
	const struct container_server *first = a;
	const struct container_server *second = b;

	return strcmp(first->name, second->name);
}

void container_read_servers(
	struct container_reading *reading, const struct container_value *value)
{
	struct container *container = reading->container;

	if (!container_is(reading, value, JSON_OBJECT, "an object"))
		return;
	if (json_object_size(value->json) > MAX_SERVERS) {
		container_fault(reading, value->span, "'%s' has more than %d entries",
			value->what, MAX_SERVERS);
		return;
	}
	container_each(reading, value, read_server, NULL);
	if (container->server_count)
		qsort(container->servers, container->server_count, sizeof(*container->servers),
			compare_servers);
}
