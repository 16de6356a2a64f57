#include "engine/commit/install_versions.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/commit/install_manager.h"
#include "engine/package/semver.h"
#include "engine/structured/structured_state.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/file.h"

#define MAX_MANIFEST ((size_t)1024 * 1024)

static int open_through_links(int root, const struct relpath *path)
{
	struct open_how how = {
		.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	CLEANUP(closep)
	int fd = (int)syscall(SYS_openat2, root, path->text, &how, sizeof(how));
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return -1;
	return TAKE_FD(fd);
}

int install_find_version(const struct project *project, const char *package, char **ret_version,
	struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;
	CLEANUP(closep) int fd = -1;
	CLEANUP(freep)
	char *name = xasprintf(INSTALL_MODULES "/%s/" INSTALL_MANIFEST, package);
	const char *version;

	*ret_version = NULL;
	if (relpath_parse(view_of(name), &path, &local) == 0)
		fd = open_through_links(project->root, &path);
	if (!path.text ||
		(fd < 0 && beneath_open_file(project->root, &path, &fd, NULL, &local) < 0) ||
		file_read_fd(fd, name, MAX_MANIFEST, &text, &local) < 0 ||
		json_read(view_of_buf(&text), name, MAX_MANIFEST, &json, &local) < 0)
		return local.errnum && !beneath_is_absent(&local) ? error_move(err, &local) : 0;
	version = json_string_value(json_object_get(json, "version"));
	if (version && semver_is_valid(view_of(version)))
		*ret_version = xstrdup(version);
	return 0;
}

int install_versions_record(struct session *s, struct error *err)
{
	const struct yaml_node *packages = structured_outcome(&s->state, &structured_npm);
	struct install_result *install = &s->result->install;

	for (size_t i = 0; packages && packages->kind == YAML_MAPPING && i < packages->count;
		i++) {
		const char *package = packages->entries[i].key.data;
		struct yaml_node *entry = packages->entries[i].value;
		CLEANUP(freep) char *version = NULL;

		if (entry->kind != YAML_MAPPING)
			continue;
		if (install_find_version(s->project, package, &version, err) < 0)
			return -1;
		if (!version) {
			yaml_remove(entry, "installed");
			continue;
		}
		yaml_set_string(entry, "installed", version);
		GROW(install->packages, install->count, install->cap);
		install->packages[install->count++] =
			(struct installed_package){xstrdup(package), TAKE(version)};
	}
	return 0;
}
