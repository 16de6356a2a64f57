/*
 * The header of a change:
 *
 *	diff --git a/OLD b/NEW
 *	old mode 100644			the executable bit changes
 *	new mode 100755
 *	deleted file mode 100644
 *	new file mode 100644
 *	similarity index 90%		a rename
 *	rename from OLD
 *	rename to NEW
 *	index OLD_ID..NEW_ID MODE	the content changes; a text need not have this line
 *
 * The first line alone does not always show where the old name ends. Without a rename
 * both are the same; with one, the names stand in lines of their own.
 */
#include <string.h>

#include "base/quote.h"
#include "engine/disk/tx_file.h"
#include "engine/patch/internal.h"

#define MIN_ID_LENGTH 4

enum seen {
	SEEN_OLD_MODE = 1 << 0,
	SEEN_NEW_MODE = 1 << 1,
	SEEN_DELETED = 1 << 2,
	SEEN_CREATED = 1 << 3,
	SEEN_SIMILARITY = 1 << 4,
	SEEN_RENAME_FROM = 1 << 5,
	SEEN_RENAME_TO = 1 << 6,
	SEEN_INDEX = 1 << 7,
	SEEN_INDEX_MODE = 1 << 8,
};

#define SEEN_MODES  (SEEN_OLD_MODE | SEEN_NEW_MODE)
#define SEEN_RENAME (SEEN_SIMILARITY | SEEN_RENAME_FROM | SEEN_RENAME_TO)

struct header {
	struct view names; /* the first line, without `diff --git ` */
	unsigned seen;
	struct buf from; /* the names of a rename, */
	struct buf to;
	struct patch_change *change; /* and all the rest */
};

static void header_release(struct header *header)
{
	buf_release(&header->from);
	buf_release(&header->to);
}

/* --- values of lines ------------------------------------------------------------- */

static int header_read_mode(
	struct patch_reader *r, struct view text, struct patch_end *end, struct error *err)
{
	CLEANUP(freep) char *shown = NULL;

	end->executable = view_equal_str(text, "100755");
	end->kind = view_equal_str(text, "120000") ? PATCH_SYMLINK : PATCH_FILE;
	if (end->executable || end->kind == PATCH_SYMLINK || view_equal_str(text, "100644"))
		return 0;
	if (view_equal_str(text, "160000"))
		return patch_fault(r, err, "a submodule cannot be changed by a patch");
	shown = quote(text);
	return patch_fault(r, err, "%s is not a mode; use 100644, 100755 or 120000", shown);
}

static int header_read_name(
	struct patch_reader *r, struct view text, struct buf *ret_name, struct error *err)
{
	if (!view_starts_with(text, "\"")) {
		buf_append(ret_name, text.data, text.len);
		return 0;
	}
	if (!patch_name_unquote(&text, ret_name) || text.len)
		return patch_fault(r, err, "the quoted name is damaged");
	return 0;
}

static bool is_object_id(struct view text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!text.data[i] || !strchr("0123456789abcdef", text.data[i]))
			return false;
	return text.len >= MIN_ID_LENGTH && text.len < PATCH_ID_SIZE;
}

static int header_read_index(
	struct patch_reader *r, struct view text, struct header *h, struct error *err)
{
	struct patch_change *change = h->change;
	struct view ids = {"", 0}, old, new;
	const char *dots;

	view_next(&text, ' ', &ids);
	dots = memmem(ids.data, ids.len, "..", 2);
	if (!dots)
		return patch_fault(r, err, "an index line has two ids with '..' between them");
	old = view_slice(ids, 0, (size_t)(dots - ids.data));
	new = view_slice(ids, old.len + 2, ids.len);
	if (!is_object_id(old) || !is_object_id(new))
		return patch_fault(r, err, "an id is %d to %d hexadecimal digits",
			MIN_ID_LENGTH, PATCH_ID_SIZE - 1);
	memcpy(change->old.id, old.data, old.len);
	memcpy(change->new.id, new.data, new.len);
	if (!text.len)
		return 0;
	h->seen |= SEEN_INDEX_MODE;
	if (header_read_mode(r, text, &change->old, err) < 0)
		return -1;
	return header_read_mode(r, text, &change->new, err);
}

/* --- lines ----------------------------------------------------------------------- */

/* Read the next line if it belongs to a header; `*ret_taken` says whether it does. */
static int header_read_line(
	struct patch_reader *r, struct header *h, bool *ret_taken, struct error *err)
{
	static const struct {
		const char *beginning;
		enum seen what;
	} lines[] = {
		{"old mode ", SEEN_OLD_MODE},
		{"new mode ", SEEN_NEW_MODE},
		{"deleted file mode ", SEEN_DELETED},
		{"new file mode ", SEEN_CREATED},
		{"similarity index ", SEEN_SIMILARITY},
		{"rename from ", SEEN_RENAME_FROM},
		{"rename to ", SEEN_RENAME_TO},
		{"index ", SEEN_INDEX},
	};
	struct view line;
	size_t i = 0, percent;

	while (i < ARRAY_SIZE(lines) && !patch_reader_sees(r, lines[i].beginning))
		i++;
	*ret_taken = i < ARRAY_SIZE(lines);
	if (!*ret_taken)
		return 0;
	patch_reader_take(r, &line);
	patch_skip(&line, lines[i].beginning);
	if (h->seen & lines[i].what)
		return patch_fault(r, err, "a second line '%s...'", lines[i].beginning);
	h->seen |= lines[i].what;
	switch (lines[i].what) {
	case SEEN_OLD_MODE:
	case SEEN_DELETED:
		return header_read_mode(r, line, &h->change->old, err);
	case SEEN_NEW_MODE:
	case SEEN_CREATED:
		return header_read_mode(r, line, &h->change->new, err);
	case SEEN_SIMILARITY:
		if (!patch_take_number(&line, &percent) || percent > 100 ||
			!view_equal_str(line, "%"))
			return patch_fault(r, err, "the similarity is 0%% to 100%%");
		h->change->similarity = (unsigned)percent;
		return 0;
	case SEEN_RENAME_FROM:
		return header_read_name(r, line, &h->from, err);
	case SEEN_RENAME_TO:
		return header_read_name(r, line, &h->to, err);
	default:
		return header_read_index(r, line, h, err);
	}
}

/* --- names ----------------------------------------------------------------------- */

/* The name in a first line that has it twice: `a/NAME b/NAME`. */
static bool header_guess_name(struct view names, struct buf *ret_name)
{
	struct buf *out = ret_name;

	if (!view_starts_with(names, "\"")) {
		if (names.len < 2 + strlen("a/ b/"))
			return false;
		buf_append(out, names.data + 2, (names.len - 1) / 2 - 2);
		return true;
	}
	if (!patch_name_unquote(&names, out) || !view_starts_with(view_of_buf(out), "a/"))
		return false;
	memmove(out->data, out->data + 2, out->len - 2);
	buf_set_len(out, out->len - 2);
	return true;
}

static int header_parse_path(
	struct patch_reader *r, struct view name, struct relpath *ret_path, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *shown = NULL;

	if (relpath_parse(name, &path, err) < 0)
		return error_prefix(err, "%s:%zu", r->name, r->number);
	if (!layer_may_record(&path)) {
		shown = relpath_quote(&path);
		return patch_fault(r, err, "path %s must not be changed by a patch", shown);
	}
	ret_path->text = TAKE(path.text);
	return 0;
}

static int header_set_names(struct patch_reader *r, struct header *h, struct error *err)
{
	struct patch_change *change = h->change;
	struct view rest = h->names;

	if (!(h->seen & SEEN_RENAME)) {
		if (!header_guess_name(h->names, &h->from))
			return patch_fault(
				r, err, "the names after 'diff --git' are ambiguous");
		buf_append(&h->to, h->from.data, h->from.len);
	}
	if (!patch_name_skip(&rest, "a/", view_of_buf(&h->from)) || !patch_skip(&rest, " ") ||
		!patch_name_skip(&rest, "b/", view_of_buf(&h->to)) || rest.len)
		return patch_fault(r, err,
			"the names after 'diff --git' are not those of the change, with 'a/' and 'b/' before them");
	if (!(h->seen & SEEN_CREATED) &&
		header_parse_path(r, view_of_buf(&h->from), &change->old.path, err) < 0)
		return -1;
	if (!(h->seen & SEEN_DELETED) &&
		header_parse_path(r, view_of_buf(&h->to), &change->new.path, err) < 0)
		return -1;
	return 0;
}

/* --- all of it ------------------------------------------------------------------- */

/* The fault in the header lines, or NULL. `text`: hunks follow the header. */
static const char *header_wrong_lines(const struct header *h, bool text)
{
	unsigned modes = h->seen & SEEN_MODES, rename = h->seen & SEEN_RENAME;
	unsigned whole = h->seen & (SEEN_CREATED | SEEN_DELETED);

	if (modes && modes != SEEN_MODES)
		return "'old mode' and 'new mode' must be used together";
	if (rename && rename != SEEN_RENAME)
		return "a rename has 'similarity index', 'rename from' and 'rename to'";
	if (whole == (SEEN_CREATED | SEEN_DELETED) || (whole && (modes || rename)))
		return "a file is created, deleted or changed, but only one of these";
	if (whole && !text && !(h->seen & SEEN_INDEX))
		return "a created or deleted file has an 'index' line";
	if (!whole && !modes && !rename && !text && !(h->seen & SEEN_INDEX))
		return "the change changes nothing";
	if ((h->seen & SEEN_INDEX_MODE) && (whole || modes))
		return "the mode is on two lines";
	if ((h->seen & SEEN_INDEX) && !whole && !modes && !(h->seen & SEEN_INDEX_MODE))
		return "the mode is missing in the 'index' line";
	return NULL;
}

static const char *header_wrong_ends(const struct header *h)
{
	const struct patch_change *change = h->change;
	bool old_null, new_null;

	if ((h->seen & SEEN_MODES) && change->old.kind != change->new.kind)
		return "a file that becomes a link must be deleted and created";
	if ((h->seen & SEEN_MODES) && change->old.executable == change->new.executable)
		return "the new mode is the old one";
	if ((h->seen & SEEN_RENAME) && view_equal(view_of_buf(&h->from), view_of_buf(&h->to)))
		return "the new name of a rename is the old one";
	if (!(h->seen & SEEN_INDEX))
		return NULL;
	old_null = !strncmp(change->old.id, PATCH_NULL_ID, strlen(change->old.id));
	new_null = !strncmp(change->new.id, PATCH_NULL_ID, strlen(change->new.id));
	if (old_null != !!(h->seen & SEEN_CREATED) || new_null != !!(h->seen & SEEN_DELETED))
		return "the id is all zeros for a missing file, and only then";
	if (!strcmp(change->old.id, change->new.id))
		return "the new id is the old one";
	return NULL;
}

int patch_parse_header(struct patch_reader *r, struct patch_change *change, struct error *err)
{
	CLEANUP(header_release)
	struct header h = {.from = BUF_INIT, .to = BUF_INIT, .change = change};
	const char *wrong;
	bool taken;

	patch_reader_take(r, &h.names);
	patch_skip(&h.names, "diff --git ");
	change->line = r->number;
	do {
		if (header_read_line(r, &h, &taken, err) < 0)
			return -1;
	} while (taken);
	if (patch_reader_sees(r, "copy from ") || patch_reader_sees(r, "dissimilarity ")) {
		r->number++;
		return patch_fault(r, err,
			"copies and rewrites are not supported; make the patch without '-C' and '-B'");
	}
	wrong = header_wrong_lines(&h, patch_reader_sees(r, "--- "));
	if (!wrong)
		wrong = header_wrong_ends(&h);
	if (wrong)
		return patch_fault(r, err, "%s", wrong);
	/* A header need not state the kind of a file that stays. */
	if (!(h.seen & (SEEN_INDEX | SEEN_MODES | SEEN_CREATED | SEEN_DELETED)))
		change->old.kind = change->new.kind = PATCH_ANY;
	return header_set_names(r, &h, err);
}
