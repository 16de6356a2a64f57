#include "engine/custom/custom.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/utf8.h"
#include "engine/state/layer_list.h"
#include "engine/state/record.h"
#include "engine/state/remap.h"
#include "time/timestamp.h"

#define SLUG_MAX 40

/* --- the changes -------------------------------------------------------------------- */

int custom_read_tree(struct session *s, const struct relpath *path, struct tx_file *ret_file,
	struct error *err)
{
	if (transaction_read(s->tx, path, ret_file, err) < 0) {
		/* A link or a file where a folder was: then the file itself is gone. */
		if (err->errnum != ELOOP && err->errnum != ENOTDIR)
			return -1;
		error_clear(err);
		ret_file->kind = TX_ABSENT;
	}
	if (ret_file->kind == TX_FOLDER || ret_file->kind == TX_OTHER)
		ret_file->kind = TX_ABSENT;
	return 0;
}

int custom_changes_add(struct session *s, const struct recorded *recorded,
	const struct relpath *path, struct custom_changes *changes, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
	struct layer_file was, is;

	if (!layer_may_record(path)) {
		session_warn(
			s, "'%s' is not recorded: no patch may have such a name", path->text);
		return 0;
	}
	if (recorded_read(s, recorded, path, &before, err) < 0 ||
		custom_read_tree(s, path, &after, err) < 0)
		return -1;
	was = layer_file_of(&before);
	is = layer_file_of(&after);
	if (layer_file_equal(&was, &is))
		return 0;
	/* There may be very many of them. */
	buf_shrink(&before.content);
	buf_shrink(&after.content);
	GROW(changes->list, changes->count, changes->cap);
	changes->list[changes->count++] =
		(struct custom_change){relpath_copy(path), before, after};
	before = after = TX_FILE_INIT;
	return 0;
}

void custom_changes_release(struct custom_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++) {
		relpath_release(&changes->list[i].path);
		tx_file_release(&changes->list[i].before);
		tx_file_release(&changes->list[i].after);
	}
	free(changes->list);
}

static int compare_changes(const void *a, const void *b)
{
	const struct custom_change *x = a, *y = b;

	return relpath_compare(&x->path, &y->path);
}

void custom_changes_sort(struct custom_changes *changes)
{
	if (changes->count)
		qsort(changes->list, changes->count, sizeof(*changes->list), compare_changes);
}

struct patch_side custom_side(const struct tx_file *file)
{
	static const enum patch_kind kinds[] = {
		[TX_ABSENT] = PATCH_ABSENT,
		[TX_FILE] = PATCH_FILE,
		[TX_SYMLINK] = PATCH_SYMLINK,
	};

	return (struct patch_side){
		.kind = kinds[file->kind],
		.executable = file->kind == TX_FILE && (file->mode & 0100),
		.content = view_of_buf(&file->content),
	};
}

int custom_make_patch(
	const struct custom_changes *changes, struct patch *patch, struct error *err)
{
	for (size_t i = 0; i < changes->count; i++) {
		const struct custom_change *c = &changes->list[i];
		struct patch_side before = custom_side(&c->before);
		struct patch_side after = custom_side(&c->after);

		if (patch_add_change(patch, &c->path, &before, &c->path, &after, err) < 0)
			return -1;
	}
	return 0;
}

/* --- its name ------------------------------------------------------------------------- */

int custom_check_description(const char *description, struct error *err)
{
	if (!view_trim(view_of(description)).len)
		return error_set(err, ERROR_INVALID,
			"a description is needed: what the change is for, in a few words");
	if (!utf8_all_printable(view_of(description)))
		return error_set(err, ERROR_INVALID,
			"a description is one line of text, without control characters");
	return 0;
}

/* "Quieter log, please!" becomes "quieter-log-please"; a long one is cut after a word. */
static char *name_slug(const char *description)
{
	CLEANUP(buf_release) struct buf slug = BUF_INIT;
	const char *p = description;

	for (; *p && slug.len < SLUG_MAX; p++) {
		if (isascii(*p) && isalnum((unsigned char)*p))
			buf_append_char(&slug, (char)tolower((unsigned char)*p));
		else if (slug.len && slug.data[slug.len - 1] != '-')
			buf_append_char(&slug, '-');
	}
	if (isascii(*p) && isalnum((unsigned char)*p) && memchr(slug.data, '-', slug.len))
		while (slug.data[slug.len - 1] != '-')
			buf_set_len(&slug, slug.len - 1);
	while (slug.len && slug.data[slug.len - 1] == '-')
		buf_set_len(&slug, slug.len - 1);
	return slug.len ? buf_take(&slug) : xstrdup("changes");
}

static unsigned long name_number(const char *name)
{
	char *end;
	unsigned long number = strtoul(name, &end, 10);

	return end != name && *end == '-' && number < 1000000 ? number : 0;
}

static int custom_path(
	const char *name, const char *ending, struct relpath *ret_path, struct error *err)
{
	CLEANUP(freep) char *text = xasprintf(CUSTOM_FOLDER "/%s%s", name, ending);

	return relpath_parse(view_of(text), ret_path, err);
}

static int is_name_taken(
	struct session *s, const char *name, bool *ret_taken, struct error *err)
{
	static const char *const endings[] = {".patch", ".md"};

	*ret_taken = false;
	for (size_t i = 0; i < ARRAY_SIZE(endings) && !*ret_taken; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;

		if (custom_path(name, endings[i], &path, err) < 0 ||
			transaction_read(s->tx, &path, &there, err) < 0)
			return -1;
		*ret_taken = there.kind != TX_ABSENT;
	}
	return 0;
}

/* 001-quieter-log, or telegram-quieter-log, telegram-quieter-log-2 ... */
static int choose_name(struct session *s, const char *description, const char *skill,
	char **ret_name, struct error *err)
{
	CLEANUP(freep) char *slug = name_slug(description);
	unsigned long number = 1;
	bool taken = true;

	if (!skill) {
		CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
		int fd = openat(s->project->root, CUSTOM_FOLDER,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		DIR *dir = fd < 0 ? NULL : fdopendir(fd);
		unsigned long last = 0;

		/* One more than every number that was ever given, in the state or in the folder. */
		for (struct dirent *d; dir && (d = readdir(dir));)
			last = name_number(d->d_name) > last ? name_number(d->d_name) : last;
		if (dir)
			closedir(dir);
		if (layers_read(&s->state, &layers, err) < 0)
			return -1;
		for (size_t i = 0; i < layers.count; i++) {
			const struct layer *layer = &layers.list[i];

			if (layer->kind == LAYER_PATCH && name_number(layer->name) > last)
				last = name_number(layer->name);
		}
		number = last + 1;
	}
	for (; taken; number++) {
		CLEANUP(freep)
		char *name = !skill        ? xasprintf("%03lu-%s", number, slug)
			     : number == 1 ? xasprintf("%s-%s", skill, slug)
					   : xasprintf("%s-%s-%lu", skill, slug, number);

		if (is_name_taken(s, name, &taken, err) < 0)
			return -1;
		if (!taken)
			*ret_name = TAKE(name);
	}
	return 0;
}

/* "001-quieter-log" is also "1", "001" and, where that is clear, "quieter". */
static bool is_name_typed(const char *name, const char *typed)
{
	const char *rest = name_number(name) ? strchr(name, '-') + 1 : name;
	size_t len = strlen(typed);

	if (len && strspn(typed, "0123456789") == len)
		return name_number(name) && name_number(name) == strtoul(typed, NULL, 10);
	return len && !strncmp(rest, typed, len);
}

int custom_find(
	const struct state *state, const char *typed, char **ret_name, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(freep) char *shown = quote(view_of(typed));
	const char *found = NULL;

	if (state->doc && layers_read(state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++) {
		const struct layer *layer = &layers.list[i];

		if (layer->kind != LAYER_PATCH || layer->baked)
			continue;
		if (!strcmp(layer->name, typed)) {
			*ret_name = xstrdup(layer->name);
			return 0;
		}
		if (!is_name_typed(layer->name, typed))
			continue;
		if (found) {
			error_set(err, ERROR_INVALID,
				"more than one custom patch begins with %s: '%s' and '%s'",
				shown, found, layer->name);
			return error_hint(err, "name it by its number");
		}
		found = layer->name;
	}
	if (found) {
		*ret_name = xstrdup(found);
		return 0;
	}
	error_set(err, ERROR_INVALID, "there is no custom patch %s", shown);
	return error_hint(err, "'nanoclaw customize list' shows the patches that are recorded");
}

/* --- the note --------------------------------------------------------------------------- */

static void write_note(struct session *s, const struct patch *patch, const char *name,
	const char *description, const char *skill, struct buf *out)
{
	char now[TIMESTAMP_SIZE];

	timestamp_format(timestamp_now(), now);
	buf_appendf(
		out, "# %s\n\nRecorded %s, core %s", description, now, s->state.core_version);
	for (size_t i = 0; i < s->state.skill_count; i++)
		buf_appendf(out, "%s %s %s", i ? "," : ", with", s->state.skills[i].name,
			s->state.skills[i].version);
	buf_appendf(out, ".\n");
	if (skill)
		buf_appendf(out, "It belongs to the skill `%s`.\n", skill);
	buf_appendf(out, "The patch is `%s.patch`.\n\n## Files\n\n", name);
	for (size_t i = 0; i < patch->count; i++) {
		const struct patch_change *change = &patch->changes[i];
		size_t added, removed;

		patch_count_lines(change, &added, &removed);
		buf_appendf(out, "- `%s`", patch_path(change)->text);
		if (change->old.kind == PATCH_ABSENT)
			buf_appendf(out, ", new");
		else if (change->new.kind == PATCH_ABSENT)
			buf_appendf(out, ", deleted");
		else if (patch_is_rename(change))
			buf_appendf(out, ", before: `%s`", change->old.path.text);
		else if (change->old.executable != change->new.executable)
			buf_appendf(out, change->new.executable ? ", executable now"
								: ", no longer executable");
		if (change->body == PATCH_BINARY)
			buf_appendf(out, ", binary");
		else if (added || removed)
			buf_appendf(out, ": +%zu -%zu", added, removed);
		buf_append_char(out, '\n');
	}
}

/* --- the entry in the state ------------------------------------------------------- */

static struct yaml_node *make_entry(struct session *s, const struct custom_changes *changes,
	const struct patch *patch, const char *name, const char *description, struct view text)
{
	struct yaml_node *entry = yaml_new_mapping(s->state.doc);
	CLEANUP(freep) char *file = xasprintf(CUSTOM_FOLDER "/%s.patch", name);
	char now[TIMESTAMP_SIZE];

	timestamp_format(timestamp_now(), now);
	yaml_set_string(entry, "description", description);
	yaml_set_string(entry, "applied_at", now);
	record_set_patch(entry, file, text);
	for (size_t i = 0; i < changes->count; i++) {
		const struct custom_change *c = &changes->list[i];
		const struct record_part part = {
			layer_file_of(&c->before), layer_file_of(&c->after)};

		record_list_add(entry, RECORD_MODIFIED, relpath_view(&c->path));
		record_set_part(entry, relpath_view(&c->path), &part);
		layer_set(entry, relpath_view(&c->path), &part.after);
	}
	for (size_t i = 0; i < patch->count; i++)
		if (patch_is_rename(&patch->changes[i]))
			record_add_rename(entry, &patch->changes[i].old.path,
				&patch->changes[i].new.path);
	return entry;
}

/* --- recording ---------------------------------------------------------------------------- */

static int put_custom_text(struct session *s, const char *name, const char *ending,
	const struct buf *text, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (custom_path(name, ending, &path, err) < 0)
		return -1;
	return transaction_put(s->tx, &path, view_of_buf(text), 0644, err);
}

int custom_record_as(struct session *s, const struct custom_changes *changes,
	const char *description, const char *skill, const char *name, struct error *err)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf note = BUF_INIT;
	struct yaml_node *entry;

	if (custom_make_patch(changes, &patch, err) < 0 ||
		patch_find_renames(&patch, err) < 0 || patch_write(&patch, &text, err) < 0)
		return -1;
	for (size_t i = 0; i < changes->count; i++)
		if (recorded_keep_file(s, &changes->list[i].before, err) < 0 ||
			recorded_keep_file(s, &changes->list[i].after, err) < 0)
			return -1;
	write_note(s, &patch, name, description, skill, &note);
	entry = make_entry(s, changes, &patch, name, description, view_of_buf(&text));
	if (put_custom_text(s, name, ".patch", &text, err) < 0 ||
		put_custom_text(s, name, ".md", &note, err) < 0)
		return -1;
	/* Let skills find a renamed file by its old name. */
	for (size_t i = 0; i < patch.count; i++) {
		const struct relpath *old = &patch.changes[i].old.path;
		const struct relpath *new = &patch.changes[i].new.path;

		if (!patch_is_rename(&patch.changes[i]))
			continue;
		if (remap_is_ambiguous(&s->state, old, new))
			session_warn(s,
				"'%s' is '%s' now, and one of these was the name of another "
				"file: skills that change it will not find it",
				old->text, new->text);
		else
			remap_add(&s->state, old, new);
	}
	if (skill)
		layers_tie_patch(&s->state, skill, entry);
	else
		layers_add_patch(&s->state, entry, false);
	return 0;
}

int custom_record(struct session *s, const struct custom_changes *changes,
	const char *description, const char *skill, char **ret_name, struct error *err)
{
	CLEANUP(freep) char *name = NULL;

	if (choose_name(s, description, skill, &name, err) < 0 ||
		custom_record_as(s, changes, description, skill, name, err) < 0)
		return -1;
	*ret_name = TAKE(name);
	return 0;
}

/* --- renaming ----------------------------------------------------------------------------- */

/* Put the new description in the title, and the new name in the line about the patch. */
static void rewrite_note(const struct buf *old, const char *old_name, const char *name,
	const char *description, struct buf *out)
{
	CLEANUP(freep) char *patch_line = xasprintf("The patch is `%s.patch`.", old_name);
	struct view rest = view_of_buf(old), line;
	bool first = true;

	for (; view_next(&rest, '\n', &line); first = false)
		if (first && view_starts_with(line, "# "))
			buf_appendf(out, "# %s\n", description);
		else if (view_equal_str(line, patch_line))
			buf_appendf(out, "The patch is `%s.patch`.\n", name);
		else
			buf_appendf(out, "%.*s\n", VIEW_ARGS(line));
}

int custom_rename(struct session *s, const char *name, const char *description, char **ret_name,
	struct error *err)
{
	static const char *const endings[] = {".patch", ".md"};
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(freep) char *slug = name_slug(description);
	CLEANUP(freep) char *renamed = NULL;
	const struct layer *layer = NULL;

	if (layers_read(&s->state, &layers, err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++)
		if (layers.list[i].kind == LAYER_PATCH && !strcmp(layers.list[i].name, name))
			layer = &layers.list[i];
	if (!layer)
		return error_set(err, ERROR_INVALID, "there is no custom patch '%s'", name);
	/* The number stays, and so does the skill that it is tied to. */
	if (name_number(name))
		renamed = xasprintf("%03lu-%s", name_number(name), slug);
	else if (choose_name(s, description, layer->skill, &renamed, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
		CLEANUP(buf_release) struct buf note = BUF_INIT;
		CLEANUP(freep) char *to = xasprintf(CUSTOM_FOLDER "/%s.patch", renamed);

		if (custom_path(name, endings[i], &path, err) < 0 ||
			transaction_read(s->tx, &path, &file, err) < 0)
			return -1;
		if (file.kind != TX_FILE && !i)
			return error_set(err, ERROR_INVALID, "'%s' is not there", path.text);
		if (file.kind != TX_FILE)
			continue;
		if (i)
			rewrite_note(&file.content, name, renamed, description, &note);
		else
			record_set_patch(layer->node, to, view_of_buf(&file.content));
		if (put_custom_text(s, renamed, endings[i], i ? &note : &file.content, err) <
				0 ||
			(strcmp(name, renamed) && transaction_remove(s->tx, &path, err) < 0))
			return -1;
	}
	yaml_set_string(layer->node, "description", description);
	*ret_name = TAKE(renamed);
	return 0;
}
