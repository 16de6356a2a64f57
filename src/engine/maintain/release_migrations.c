/*
 * Breaking changes and what keeps people's setup: the guide declares the ones, migrations.yaml
 * lists the others.
 *
 * In the guide, a list item or a paragraph that begins with "Breaking:" is a breaking change.
 * It names the skill that keeps what was in backticks, as in
 *
 *	- Breaking: answers begin with "Noted". The skill `in-the-box` keeps the old ones.
 *
 * or says that there is "no migration", for what nobody can depend on.
 */
#include <ctype.h>
#include <string.h>

#include "engine/maintain/release_parts.h"
#include "engine/package/semver.h"
#include "engine/text/lines.h"
#include "util/beneath.h"

#define BREAKING "breaking:"

/* --- the guide -------------------------------------------------------------------- */

/* Without the mark of a list and emphasis in front: "- **Breaking:** …". */
static struct view strip_marks(struct view line)
{
	line = view_trim(line);
	while (line.len && strchr("-*+_ ", line.data[0]))
		line = view_slice(line, 1, line.len);
	return line;
}

static bool starts_item(struct view line)
{
	struct view text = view_trim(line);

	return text.len > 1 && strchr("-*+#", text.data[0]) &&
	       (text.data[1] == ' ' || text.data[0] == '#');
}

static bool begins_breaking(struct view line)
{
	struct view text = strip_marks(line);

	return text.len > strlen(BREAKING) &&
	       !strncasecmp(text.data, BREAKING, strlen(BREAKING));
}

/* The item that begins with this line, and what follows of it; `rest` is behind it then. */
static char *take_item(struct view line, struct view *rest)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view stripped = strip_marks(line), next, after;

	stripped = view_slice(stripped, strlen(BREAKING), stripped.len);
	while (stripped.len && strchr("* ", stripped.data[0]))
		stripped = view_slice(stripped, 1, stripped.len);
	buf_append(&text, stripped.data, stripped.len);
	for (after = *rest; view_next(&after, '\n', &next); *rest = after) {
		next = view_trim(next);
		if (!next.len || starts_item(next))
			break;
		buf_appendf(&text, " %.*s", VIEW_ARGS(next));
	}
	return buf_take(&text);
}

/* Is the name between backticks somewhere in the text, with a version or without? */
static bool names(const char *text, const char *skill)
{
	CLEANUP(freep) char *alone = xasprintf("`%s`", skill);
	CLEANUP(freep) char *with_version = xasprintf("`%s@", skill);

	return strstr(text, alone) || strstr(text, with_version);
}

/* The first word between backticks that may be the name of a skill; or NULL. */
static char *first_name(const char *text)
{
	const char *begin = strchr(text, '`'), *end;

	for (; begin; begin = strchr(end + 1, '`')) {
		end = strchr(begin + 1, '`');
		if (!end)
			return NULL;
		if (end > begin + 1 && !memchr(begin + 1, ' ', (size_t)(end - begin - 1)) &&
			!memchr(begin + 1, '/', (size_t)(end - begin - 1)))
			return xmemdupz(begin + 1, (size_t)(end - begin - 1));
	}
	return NULL;
}

/* --- packages --------------------------------------------------------------------- */

static const struct package *find_package(
	const struct package_list *packages, const struct core_migration *m)
{
	for (size_t i = 0; i < packages->count; i++) {
		const struct package *p = &packages->list[i];
		const char *slash = strrchr(p->folder, '/');

		if (!strcmp(p->manifest.skill, m->skill) ||
			(slash && !strcmp(slash + 1, m->skill)))
			return p;
	}
	return NULL;
}

static bool is_named(const struct core_migration *m, const struct package *p, const char *text)
{
	return names(text, m->skill) || (p && names(text, p->manifest.skill));
}

static int read_core(
	const struct project *core, const struct relpath *path, struct buf *ret_text)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;

	return beneath_read(core->root, path, PACKAGE_MAX_FILE, ret_text, &missing);
}

/* Has the file more lines of the old core than the new core has? */
static bool restores(struct release *r, const struct relpath *path, struct view own)
{
	CLEANUP(buf_release) struct buf old = BUF_INIT;
	CLEANUP(buf_release) struct buf new = BUF_INIT;

	if (read_core(&r->base, path, &old) < 0)
		return false;
	if (read_core(&r->new, path, &new) < 0)
		return true; /* the whole file is back */
	return lines_missing(view_of_buf(&old), own, NULL, 0) <
	       lines_missing(view_of_buf(&old), view_of_buf(&new), NULL, 0);
}

/* Does it bring back anything at all that the old core had? */
static bool brings_back(struct release *r, const struct package *p)
{
	const struct manifest *m = &p->manifest;
	CLEANUP(error_release) struct error unreadable = ERROR_INIT;
	mode_t mode;

	for (size_t i = 0; i < m->adds.count; i++) {
		CLEANUP(buf_release) struct buf old = BUF_INIT;

		if (read_core(&r->base, &m->adds.list[i].path, &old) == 0)
			return true;
	}
	for (size_t i = 0; i < m->modifies.count; i++) {
		CLEANUP(buf_release) struct buf own = BUF_INIT;

		if (package_read_modify(
			    p, &m->modifies.list[i].path, &own, &mode, &unreadable) == 0 &&
			restores(r, &m->modifies.list[i].path, view_of_buf(&own)))
			return true;
	}
	/* What it declares, deletes or renames cannot be told so easily. */
	return m->structured || m->file_op_count;
}

/* --- the step --------------------------------------------------------------------- */

static void check_migration(
	struct release *r, const struct package_list *packages, const struct core_migration *m)
{
	const struct package *p = find_package(packages, m);

	if (!p)
		release_missing(r, RELEASE_MIGRATIONS,
			xasprintf("nanoclaw skill new %s --from-changes", m->skill),
			"migrations.yaml:%zu: there is no package of '%s'", m->at.line,
			m->skill);
	else if (m->version && semver_compare_text(p->manifest.version, m->version) < 0)
		release_missing(r, RELEASE_MIGRATIONS,
			xasprintf("raise 'version' in %s/manifest.yaml", p->folder),
			"migrations.yaml:%zu: '%s' is %s, and the package has %s", m->at.line,
			m->skill, m->version, p->manifest.version);
	else if (!brings_back(r, p))
		release_missing(r, RELEASE_MIGRATIONS,
			xasprintf("write %s against core %s, with the lines of %s in it",
				p->folder, r->result->to, r->result->from),
			"'%s' brings back nothing that core %s had", p->manifest.skill,
			r->result->from);
}

static bool has_migration(
	struct release *r, const struct package_list *packages, const char *text)
{
	for (size_t i = 0; i < r->change.migration_count; i++) {
		const struct core_migration *m = &r->change.migrations[i];

		if (release_is_new_since(r, m->since) &&
			is_named(m, find_package(packages, m), text))
			return true;
	}
	return false;
}

static void check_breaking(
	struct release *r, const struct package_list *packages, const char *text)
{
	CLEANUP(freep) char *name = first_name(text);

	if (strcasestr(text, "no migration") || has_migration(r, packages, text))
		return;
	if (name)
		release_missing(r, RELEASE_MIGRATIONS,
			xasprintf("printf -- '- since: %s\\n  skill: %s\\n' >> migrations.yaml",
				r->result->to, name),
			"the breaking change \"%s\" has no migration: migrations.yaml does not "
			"list '%s' since %s",
			text, name, r->result->to);
	else
		release_missing(r, RELEASE_MIGRATIONS,
			xstrdup("name the skill that keeps what was in backticks, and list it "
				"in migrations.yaml"),
			"the breaking change \"%s\" has no migration", text);
}

int release_check_migrations(struct release *r)
{
	CLEANUP(package_list_release) struct package_list packages = {0};
	struct view rest = view_of_buf(&r->guide), line;
	size_t breaking = 0, migrations = 0;

	if (package_list_read(r->new.root, &packages, r->err) < 0)
		return -1;
	if (!r->guide.len)
		release_missing(r, RELEASE_MIGRATIONS, xstrdup("write " RELEASE_GUIDE),
			"there is no guide to what changed: '%s'", RELEASE_GUIDE);
	while (view_next(&rest, '\n', &line)) {
		CLEANUP(freep) char *text = NULL;

		if (!begins_breaking(line))
			continue;
		text = take_item(line, &rest);
		breaking++;
		check_breaking(r, &packages, text);
	}
	for (size_t i = 0; i < r->change.migration_count; i++) {
		if (!release_is_new_since(r, r->change.migrations[i].since))
			continue;
		migrations++;
		check_migration(r, &packages, &r->change.migrations[i]);
	}
	release_summary(r, RELEASE_MIGRATIONS, "%zu breaking change%s, %zu migration%s",
		breaking, breaking == 1 ? "" : "s", migrations, migrations == 1 ? "" : "s");
	return 0;
}
