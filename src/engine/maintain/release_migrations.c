/*
 * Breaking changes, which the guide declares, and migrations that preserve old behaviour, which
 * migrations.yaml lists.
 *
 * In the guide, a list item or a paragraph that begins with "Breaking:" is a breaking change.
 * It names the skill that keeps the old behaviour in backticks, as in
 *
 *	- Breaking: answers begin with "Noted". The skill `in-the-box` keeps the old ones.
 *
 * or says that there is "no migration", for changes that nobody can depend on.
 */
#include <string.h>

#include "engine/maintain/internal.h"
#include "engine/package/semver.h"
#include "engine/text/lines.h"
#include "fs/beneath.h"

#define BREAKING "breaking:"

/* --- the guide --- */

static struct view skip_any(struct view text, const char *characters)
{
	while (text.len && strchr(characters, text.data[0]))
		text = view_slice(text, 1, text.len);
	return text;
}

/* A list item, or a heading. */
static bool starts_item(struct view line)
{
	return line.len > 1 && strchr("-*+#", line.data[0]) &&
	       (line.data[1] == ' ' || line.data[0] == '#');
}

/*
 * The text of the breaking change that begins with `line`, with its other lines, which are
 * taken from `rest`; NULL if none begins there. There may be emphasis: "- **Breaking:** …".
 */
static char *read_breaking(struct view line, struct view *rest)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view first = skip_any(view_trim(line), "-*+_ "), next, after;

	if (first.len <= strlen(BREAKING) ||
		strncasecmp(first.data, BREAKING, strlen(BREAKING)) != 0)
		return NULL;
	first = skip_any(view_slice(first, strlen(BREAKING), first.len), "* ");
	buf_append(&text, first.data, first.len);
	for (after = *rest; view_next(&after, '\n', &next); *rest = after) {
		next = view_trim(next);
		if (!next.len || starts_item(next))
			break;
		buf_appendf(&text, " %.*s", VIEW_ARGS(next));
	}
	return buf_take(&text);
}

/* Is the skill named in backticks, with a version or without? */
static bool text_names(const char *text, const char *skill)
{
	CLEANUP(freep) char *alone = xasprintf("`%s`", skill);
	CLEANUP(freep) char *with_version = xasprintf("`%s@", skill);

	return strstr(text, alone) || strstr(text, with_version);
}

/* The first word in backticks that may be the name of a skill; or NULL. */
static char *first_name(const char *text)
{
	const char *begin = strchr(text, '`'), *end;

	for (; begin; begin = strchr(end + 1, '`')) {
		end = strchr(begin + 1, '`');
		if (!end)
			return NULL;
		if (end > begin + 1 && begin + 1 + strcspn(begin + 1, " /`") == end)
			return xmemdupz(begin + 1, (size_t)(end - begin - 1));
	}
	return NULL;
}

/* --- packages --- */

/* A migration names a skill, or the folder of its package. */
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

static bool read_core(
	const struct project *core, const struct relpath *path, struct buf *ret_text)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;

	return beneath_read(core->root, path, PACKAGE_MAX_FILE, ret_text, &missing) == 0;
}

/* Does the package bring back anything that the old core had? */
static bool brings_back(struct release *r, const struct package *p)
{
	const struct manifest *m = &p->manifest;

	for (size_t i = 0; i < m->adds.count; i++) {
		CLEANUP(buf_release) struct buf old = BUF_INIT;

		if (read_core(&r->base, &m->adds.list[i].path, &old))
			return true;
	}
	for (size_t i = 0; i < m->modifies.count; i++) {
		const struct relpath *path = &m->modifies.list[i].path;
		CLEANUP(error_release) struct error unreadable = ERROR_INIT;
		CLEANUP(buf_release) struct buf own = BUF_INIT;
		CLEANUP(buf_release) struct buf old = BUF_INIT;
		CLEANUP(buf_release) struct buf new = BUF_INIT;
		mode_t mode;

		if (package_read_modify(p, path, &own, &mode, &unreadable) < 0 ||
			!read_core(&r->base, path, &old))
			continue;
		/* A whole file is back, or the new core lacks more of the old lines. */
		if (!read_core(&r->new, path, &new) ||
			lines_missing(view_of_buf(&old), view_of_buf(&own), NULL, 0) <
				lines_missing(view_of_buf(&old), view_of_buf(&new), NULL, 0))
			return true;
	}
	/* Declared entries, deletions and renames are not looked into. */
	return m->structured || m->file_op_count;
}

/* --- the step --- */

static bool is_of_this_release(const struct release *r, const struct core_migration *m)
{
	return semver_compare_text(m->since, r->result->from) > 0 &&
	       semver_compare_text(m->since, r->result->to) <= 0;
}

static void check_migration(
	struct release *r, const struct package_list *packages, const struct core_migration *m)
{
	const struct package *p = find_package(packages, m);

	if (!p)
		release_missing(r, RELEASE_MIGRATIONS,
			xasprintf("nanoclaw skill new %s --from-changes", m->skill),
			xasprintf("migrations.yaml:%zu: there is no package of '%s'",
				m->at.line, m->skill));
	else if (m->version && semver_compare_text(p->manifest.version, m->version) < 0)
		release_missing(r, RELEASE_MIGRATIONS,
			xasprintf("raise 'version' in %s/manifest.yaml", p->folder),
			xasprintf("migrations.yaml:%zu: '%s' is %s, and the package has %s",
				m->at.line, m->skill, m->version, p->manifest.version));
	else if (!brings_back(r, p))
		release_missing(r, RELEASE_MIGRATIONS,
			xasprintf("write %s against core %s, with the lines of %s in it",
				p->folder, r->result->to, r->result->from),
			xasprintf("'%s' brings back nothing that core %s had",
				p->manifest.skill, r->result->from));
}

static bool has_migration(
	struct release *r, const struct package_list *packages, const char *text)
{
	for (size_t i = 0; i < r->change.migrations.count; i++) {
		const struct core_migration *m = &r->change.migrations.list[i];
		const struct package *p = find_package(packages, m);

		if (is_of_this_release(r, m) &&
			(text_names(text, m->skill) ||
				(p && text_names(text, p->manifest.skill))))
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
			xasprintf(
				"the breaking change \"%s\" has no migration: migrations.yaml "
				"does not list '%s' since %s",
				text, name, r->result->to));
	else
		release_missing(r, RELEASE_MIGRATIONS,
			xstrdup("name the skill that keeps what was in backticks, and list it "
				"in migrations.yaml"),
			xasprintf("the breaking change \"%s\" has no migration", text));
}

int release_check_migrations(struct release *r, struct error *err)
{
	CLEANUP(package_list_release) struct package_list packages = {0};
	struct view rest = view_of_buf(&r->guide), line;
	size_t breaking = 0, migrations = 0;

	if (package_list_read(r->new.root, &packages, err) < 0)
		return -1;
	if (!r->guide.len)
		release_missing(r, RELEASE_MIGRATIONS, xstrdup("write " RELEASE_GUIDE),
			xstrdup("there is no guide to what changed: '" RELEASE_GUIDE "'"));
	while (view_next(&rest, '\n', &line)) {
		CLEANUP(freep) char *text = read_breaking(line, &rest);

		if (!text)
			continue;
		breaking++;
		check_breaking(r, &packages, text);
	}
	for (size_t i = 0; i < r->change.migrations.count; i++) {
		if (!is_of_this_release(r, &r->change.migrations.list[i]))
			continue;
		migrations++;
		check_migration(r, &packages, &r->change.migrations.list[i]);
	}
	r->result->steps[RELEASE_MIGRATIONS].summary =
		xasprintf("%zu breaking change%s, %zu migration%s", breaking,
			breaking == 1 ? "" : "s", migrations, migrations == 1 ? "" : "s");
	return 0;
}
