#include <string.h>

#include "group/container_parts.h"

#define MAX_HOSTS 256
/* A name, "*." and a port; what is longer is no name, and is told so. */
#define MAX_TEXT 1000

static void read_host(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *text = container_text(reading, value, MAX_TEXT);

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

static void read_part(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	(void)data;
	if (!strcmp(key, "hosts"))
		read_hosts(reading, value);
	else
		container_unknown(reading, item, value);
}

void container_read_network(
	struct container_reading *reading, const struct container_value *value)
{
	if (container_is(reading, value, JSON_OBJECT, "an object"))
		container_each(reading, value, read_part, NULL);
}
