#include "host/reading/reader.h"

#include <string.h>
#include <strings.h>

#include "base/alloc.h"

ENTRY_SET(readers, reader)

const struct reader *const *reader_list(void)
{
	return readers_sorted();
}

const struct reader *reader_named(const char *name)
{
	for (const struct reader *const *r = readers_sorted(); *r; r++)
		if (!strcmp((*r)->name, name))
			return *r;
	return NULL;
}

const struct reader *reader_for(
	const struct settings *settings, const struct attachment_arrival *about)
{
	for (const struct reader *const *r = readers_sorted(); *r; r++)
		if ((*r)->takes(about) &&
			(reader_command(*r, settings) || reader_server(*r, settings).url))
			return *r;
	return NULL;
}

static const char *reader_setting(
	const struct reader *reader, const struct settings *settings, const char *ending)
{
	CLEANUP(freep) char *name = xasprintf("%s%s", reader->setting, ending);

	return settings_get(settings, name);
}

struct reader_server reader_server(const struct reader *reader, const struct settings *settings)
{
	if (!reader->ask || reader_setting(reader, settings, ""))
		return (struct reader_server){0};
	return (struct reader_server){
		.url = reader_setting(reader, settings, "_URL"),
		.key = reader_setting(reader, settings, "_KEY"),
		.model = reader_setting(reader, settings, "_MODEL"),
	};
}

const char *reader_command(const struct reader *reader, const struct settings *settings)
{
	const char *command = reader_setting(reader, settings, "");

	return command || reader_server(reader, settings).url ? command : reader->command;
}

char *reader_address(const struct reader_server *server, const char *path)
{
	size_t len = strlen(server->url);

	while (len && server->url[len - 1] == '/')
		len--;
	return xasprintf("%.*s%s", (int)len, server->url, path);
}

bool reader_is_type(const struct attachment_arrival *about, const char *type)
{
	size_t len = strlen(type);

	return about->type && (type[len - 1] == '/' ? !strncasecmp(about->type, type, len)
						    : !strcasecmp(about->type, type));
}
