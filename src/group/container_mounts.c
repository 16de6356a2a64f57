#include <string.h>

#include "group/container_value.h"

#define MAX_MOUNTS 64
#define MAX_PATH   4095

struct part {
	struct container_mount mount;
	struct json_span path;
	struct json_span name;
	bool faulty;
};

static char *read_path(struct container_reading *reading, const struct container_value *value)
{
	CLEANUP(freep) char *path = container_text(reading, value, MAX_PATH);

	if (!path)
		return NULL;
	if (path[0] == '/' || !strncmp(path, "~/", 2))
		return TAKE(path);
	container_fault(
		reading, value->span, "the path of a mount begins with '/' or with '~/'");
	return NULL;
}

static char *read_name(struct container_reading *reading, const struct container_value *value)
{
	CLEANUP(freep) char *name = container_text(reading, value, CONTAINER_MAX_NAME);

	if (!name || container_name_is_valid(view_of(name)))
		return TAKE(name);
	container_fault(reading, value->span,
		"this cannot be the name of a mount: " CONTAINER_NAME_RULE);
	return NULL;
}

static void read_part(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	size_t before = reading->fault_count;
	struct part *part = data;

	if (!strcmp(key, "path")) {
		part->mount.path = read_path(reading, value);
		part->path = value->span;
	} else if (!strcmp(key, "name")) {
		part->mount.name = read_name(reading, value);
		part->name = value->span;
	} else if (!strcmp(key, "readOnly")) {
		part->mount.read_only = !json_is_false(value->json);
		if (!json_is_boolean(value->json))
			container_fault(reading, value->span, "'%s' must be true or false",
				value->what);
	} else {
		container_unknown(reading, item, value);
	}
	part->faulty = part->faulty || reading->fault_count > before;
}

/* Name a mount after the last component of its path, ignoring slashes at the end. */
static void name_by_path(struct container_reading *reading, struct part *part)
{
	struct view path = view_of(part->mount.path);
	struct view last;

	while (path.len && path.data[path.len - 1] == '/')
		path.len--;
	last = path;
	for (size_t i = path.len; i > 0 && path.data[i - 1] != '/'; i--)
		last = view_slice(path, i - 1, path.len);
	part->name = part->path;
	if (container_name_is_valid(last)) {
		part->mount.name = xmemdupz(last.data, last.len);
		return;
	}
	container_fault(reading, part->path,
		"this mount needs a 'name', because the end of its path cannot be one");
}

static void check_twice(struct container_reading *reading, const struct part *part)
{
	const struct container *container = reading->container;

	for (size_t i = 0; i < container->mount_count; i++)
		if (!strcmp(container->mounts[i].name, part->mount.name))
			container_fault(reading, part->name,
				"a mount named '%s' already exists", part->mount.name);
}

static void read_mount(struct container_reading *reading, const char *key,
	struct json_span_item item, const struct container_value *value, void *data)
{
	struct container *container = reading->container;
	struct part part = {.mount = {.read_only = true}};

	(void)key;
	(void)item;
	(void)data;
	if (!container_is(reading, value, JSON_OBJECT, "an object"))
		return;
	container_each(reading, value, read_part, &part);
	if (!part.mount.path && !part.faulty)
		container_fault(reading, value->span, "this mount has no 'path'");
	else if (!part.mount.name && !part.faulty)
		name_by_path(reading, &part);
	if (!part.mount.path || !part.mount.name) {
		free(part.mount.path);
		free(part.mount.name);
		return;
	}
	check_twice(reading, &part);
	GROW(container->mounts, container->mount_count, container->mount_cap);
	container->mounts[container->mount_count++] = part.mount;
}

void container_read_mounts(
	struct container_reading *reading, const struct container_value *value)
{
	if (!container_is(reading, value, JSON_ARRAY, "a list"))
		return;
	if (json_array_size(value->json) > MAX_MOUNTS)
		container_fault(reading, value->span, "'%s' has more than %d entries",
			value->what, MAX_MOUNTS);
	else
		container_each(reading, value, read_mount, NULL);
}
