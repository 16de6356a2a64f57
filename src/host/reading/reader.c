#include "host/reading/reader.h"

#include <string.h>
#include <strings.h>

#include "base/alloc.h"

/* There may be none. */
extern const struct reader *const __start_nanoclaw_readers[] __attribute__((weak));
extern const struct reader *const __stop_nanoclaw_readers[] __attribute__((weak));

void reader_for_each(void (*each)(const struct reader *reader, void *data), void *data)
{
	for (const struct reader *const *at = __start_nanoclaw_readers;
		at != __stop_nanoclaw_readers; at++)
		each(*at, data);
}

struct reader_search {
	const char *name; /* or … */
	const struct settings *settings;
	const struct attachment_arrival *about;
	const struct reader *found;
};

static bool reader_matches(const struct reader *reader, const struct reader_search *search)
{
	if (search->name)
		return !strcmp(reader->name, search->name);
	return reader->takes(search->about) &&
	       (reader_command(reader, search->settings) ||
		       reader_server(reader, search->settings).url);
}

static void reader_compare(const struct reader *reader, void *data)
{
	struct reader_search *search = data;

	if (reader_matches(reader, search) &&
		(!search->found || strcmp(reader->name, search->found->name) < 0))
		search->found = reader;
}

const struct reader *reader_named(const char *name)
{
	struct reader_search search = {.name = name};

	reader_for_each(reader_compare, &search);
	return search.found;
}

const struct reader *reader_for(
	const struct settings *settings, const struct attachment_arrival *about)
{
	struct reader_search search = {.settings = settings, .about = about};

	reader_for_each(reader_compare, &search);
	return search.found;
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
