#include "programs/remote_link/files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/quote.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "fs/walk.h"

/* kind 1, mount 2, length of the path 2, size 8, time of the last change 8 */
#define HEAD 21

/* A file that changed so recently may change again without a new time. */
#define RECENT_NS 20000000

/* Of the group, which no agent changes; also where upper case makes no difference. */
#define SETTINGS "container.json"

/* A temporary file that is this old is left from a run that was killed. */
#define LEFT_SECONDS 3600

/* An empty file takes space, too; as sandbox/limits/disk_use.h counts. */
#define LEAST 4096

enum entry_kind {
	ENTRY_FILE = 'f',
	ENTRY_PROGRAM = 'x',
	ENTRY_FOLDER = 'd',
	ENTRY_LINK = 'l',
	ENTRY_GONE = 'g',
	ENTRY_OTHER = 'o',
	ENTRY_END = 'e', /* of what is sent; its size is the number of that */
};

/* What was last sent or stored. */
struct entry {
	char *path;
	unsigned mount;
	enum entry_kind kind;
	uint64_t size;
	int64_t changed_ns;
	bool again; /* it is to be sent again */
	uint64_t inode;
	mode_t mode;
	uint64_t sent_with;
};

struct entries {
	struct entry *list;
	size_t count, cap;
};

struct files {
	struct link *link;
	enum files_half half;
	uint64_t limit, used; /* bytes */
	struct files_mount *mounts;
	size_t count, cap;
	struct entries entries; /* sorted */

	/* What is sent: a copy, because entries move. */
	enum { FILES_IDLE, FILES_SENDING, FILES_WAITING } state;
	bool asked;
	uint64_t sent, stored;
	struct entries changes;
	size_t at; /* the next one of them */
	int source;
	uint64_t source_left;
	bool source_short;

	/* What is taken. */
	bool have_come;
	struct buf head;
	bool in_content;
	struct entry taking;
	uint64_t left; /* of the content, and one byte: is it whole? */
	struct relpath path;
	int folder, target; /* -1: the content is dropped */
	char temp[sizeof(REPLACE_PREFIX) + 16];
	struct buf link_text;
};

/* --- entries ----------------------------------------------------------------- */

static int entry_compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->mount != y->mount ? (x->mount < y->mount ? -1 : 1) : strcmp(x->path, y->path);
}

/* The first one that is not before it. */
static size_t entries_place(const struct entries *entries, const struct entry *wanted)
{
	size_t low = 0, high = entries->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (entry_compare(&entries->list[middle], wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct entry *entries_find(const struct entries *entries, const struct entry *wanted)
{
	size_t at = entries_place(entries, wanted);

	return at < entries->count && !entry_compare(&entries->list[at], wanted)
		       ? &entries->list[at]
		       : NULL;
}

static void entries_append(struct entries *entries, const struct entry *entry)
{
	GROW(entries->list, entries->count, entries->cap);
	entries->list[entries->count] = *entry;
	entries->list[entries->count++].path = xstrdup(entry->path);
}

static void entries_put(struct entries *entries, const struct entry *entry)
{
	size_t at = entries_place(entries, entry);
	struct entry *found = entries_find(entries, entry);
	struct entry added = *entry;

	if (found) {
		added.path = found->path;
		*found = added;
		return;
	}
	added.path = xstrdup(entry->path);
	GROW(entries->list, entries->count, entries->cap);
	memmove(&entries->list[at + 1], &entries->list[at],
		(entries->count - at) * sizeof(*entries->list));
	entries->list[at] = added;
	entries->count++;
}

static void entries_release(struct entries *entries)
{
	for (size_t i = 0; i < entries->count; i++)
		free(entries->list[i].path);
	free(entries->list);
	*entries = (struct entries){0};
}

static void entry_list_sort(struct entries *entries)
{
	if (entries->count)
		qsort(entries->list, entries->count, sizeof(*entries->list), entry_compare);
}

static void entry_set(struct entry *entry, const struct stat *st)
{
	entry->kind = S_ISREG(st->st_mode)   ? st->st_mode & 0100 ? ENTRY_PROGRAM : ENTRY_FILE
		      : S_ISDIR(st->st_mode) ? ENTRY_FOLDER
		      : S_ISLNK(st->st_mode) ? ENTRY_LINK
					     : ENTRY_OTHER;
	entry->size = (uint64_t)st->st_size;
	entry->changed_ns = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
	entry->inode = st->st_ino;
	entry->mode = st->st_mode & 0777;
}

static bool entry_is_file(const struct entry *entry)
{
	return entry->kind == ENTRY_FILE || entry->kind == ENTRY_PROGRAM;
}

static bool entry_equal(const struct entry *a, const struct entry *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == ENTRY_FOLDER || a->kind == ENTRY_GONE)
		return true;
	return a->size == b->size && a->changed_ns == b->changed_ns && a->inode == b->inode;
}

static uint64_t entry_cost(const struct entry *entry)
{
	if (entry->kind == ENTRY_GONE)
		return 0;
	return entry_is_file(entry) && entry->size > LEAST ? entry->size : LEAST;
}

/* --- mounts ------------------------------------------------------------------ */

struct files *files_new(struct link *link, enum files_half half, uint64_t limit)
{
	struct files *files = xcalloc(1, sizeof(*files));

	files->link = link;
	files->half = half;
	files->limit = limit;
	files->source = files->folder = files->target = -1;
	files->head = files->link_text = BUF_INIT;
	return files;
}

void files_add_mount(struct files *files, struct files_mount mount)
{
	GROW(files->mounts, files->count, files->cap);
	files->mounts[files->count++] = mount;
}

const struct files_mount *files_mount(const struct files *files, size_t number)
{
	return number < files->count ? &files->mounts[number] : NULL;
}

size_t files_mounts(const struct files *files)
{
	return files->count;
}

/* Is this place the mount's own, and not one of another mount within it? */
static bool mount_owns(const struct files *files, unsigned number, const char *path)
{
	const struct files_mount *mount = &files->mounts[number];
	size_t len = strlen(mount->target);

	if (mount->writable && !strncasecmp(path, SETTINGS, strlen(SETTINGS)) &&
		(!path[strlen(SETTINGS)] || path[strlen(SETTINGS)] == '/'))
		return false;
	for (size_t i = 0; i < files->count; i++) {
		const char *other = files->mounts[i].target;
		size_t other_len = strlen(other);

		if (other_len <= len || strncmp(other, mount->target, len) != 0 ||
			other[len] != '/')
			continue;
		other += len + 1;
		other_len -= len + 1;
		if (!strncmp(path, other, other_len) &&
			(!path[other_len] || path[other_len] == '/'))
			return false;
	}
	return true;
}

/* Does this half send what is there? */
static bool mount_is_sent(const struct files *files, const struct files_mount *mount)
{
	return files->half == FILES_HOST ? mount->kind != MOUNT_SOCKET
					 : mount->kind == MOUNT_FOLDER && mount->writable;
}

/* --- comparing --------------------------------------------------------------- */

struct scan {
	struct files *files;
	unsigned mount;
	struct entries found;
};

static enum walk_result scan_entry(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct scan *scan = data;
	struct entry found = {.path = (char *)(uintptr_t)entry->path, .mount = scan->mount};
	const struct entry *known;

	if (entry->kind == WALK_FILE && replace_is_temporary(entry->name)) {
		if (scan->files->mounts[scan->mount].writable &&
			entry->stat.st_mtime < time(NULL) - LEFT_SECONDS)
			sys.unlink(entry->dirfd, entry->name, 0);
		return WALK_GO_ON;
	}
	if (entry->kind == WALK_DIR_END || replace_is_temporary(entry->name))
		return WALK_GO_ON;
	entry_set(&found, &entry->stat);
	if (found.kind == ENTRY_OTHER || entry->path_len > RELPATH_MAX)
		return WALK_GO_ON;
	if (found.kind == ENTRY_LINK && scan->files->half == FILES_NODE) {
		/* It sends none, but removes those of the host. */
		known = entries_find(&scan->files->entries, &found);
		if (!known || known->kind != ENTRY_LINK)
			return WALK_GO_ON;
		found = *known;
	}
	if (!mount_owns(scan->files, scan->mount, entry->path))
		return entry->kind == WALK_DIR ? WALK_SKIP : WALK_GO_ON;
	if (scan->found.count >= FILES_MAX) {
		error_set(err, ERROR_INVALID, "there are more than %zu files", FILES_MAX);
		return WALK_FAIL;
	}
	entries_append(&scan->found, &found);
	return WALK_GO_ON;
}

static int scan_mount(struct scan *scan, struct error *err)
{
	const struct files_mount *mount = &scan->files->mounts[scan->mount];
	struct entry found = {.path = (char *)(uintptr_t) "", .mount = scan->mount};
	CLEANUP(closep) int fd = -1;
	struct stat st;

	if (mount->kind == MOUNT_FOLDER) {
		fd = openat(mount->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0 || walk(fd, scan_entry, scan, err) < 0) {
			error_errno(err, "cannot read the folder");
			return error_prefix(err, "'%s'", mount->target);
		}
		return 0;
	}
	if (fstat(mount->fd, &st) < 0)
		return error_errno(err, "cannot read '%s'", mount->target);
	entry_set(&found, &st);
	entries_append(&scan->found, &found);
	return 0;
}

static void add_change(struct files *files, const struct entry *entry, enum entry_kind kind)
{
	struct entry change = *entry;

	change.kind = kind;
	entries_append(&files->changes, &change);
}

/* What is gone comes first, what is in a folder before the folder; then the rest, in order. */
static int files_compare(struct files *files, struct error *err)
{
	struct scan scan = {.files = files};
	struct entries kept = {0};
	struct entries *known = &files->entries;
	int result = 0;

	for (unsigned i = 0; i < files->count && result == 0; i++) {
		scan.mount = i;
		if (mount_is_sent(files, &files->mounts[i]))
			result = scan_mount(&scan, err);
	}
	if (result < 0) {
		entries_release(&scan.found);
		return -1;
	}
	entry_list_sort(&scan.found);
	entries_release(&files->changes);
	files->at = 0;
	files->sent++;
	files->used = 0;
	for (size_t i = known->count; i-- > 0;) {
		struct entry *old = &known->list[i];
		struct entry *now = entries_find(&scan.found, old);
		bool is_same_kind = now && (now->kind == old->kind ||
						   (entry_is_file(now) && entry_is_file(old)));

		if (old->kind != ENTRY_GONE && !is_same_kind &&
			mount_is_sent(files, &files->mounts[old->mount]))
			add_change(files, old, ENTRY_GONE);
	}
	for (size_t i = 0; i < scan.found.count; i++) {
		struct entry *now = &scan.found.list[i];
		const struct entry *old = entries_find(known, now);

		if (!old || old->again || !entry_equal(old, now)) {
			add_change(files, now, now->kind);
			now->sent_with = files->sent;
		}
		if (files->mounts[now->mount].writable && files->mounts[now->mount].counted)
			files->used += entry_cost(now);
	}
	/* What has gone is remembered until the other half knows it, too. */
	for (size_t i = 0; i < files->changes.count; i++) {
		struct entry gone = files->changes.list[i];

		gone.sent_with = files->sent;
		if (gone.kind == ENTRY_GONE && !entries_find(&scan.found, &gone))
			entries_append(&kept, &gone);
	}
	/* The node does not compare what it may not change. */
	for (size_t i = 0; i < known->count; i++)
		if (!mount_is_sent(files, &files->mounts[known->list[i].mount]))
			entries_append(&kept, &known->list[i]);
	for (size_t i = 0; i < kept.count; i++)
		entries_append(&scan.found, &kept.list[i]);
	entries_release(&kept);
	entries_release(known);
	entry_list_sort(&scan.found);
	*known = scan.found;
	return 0;
}

/* --- sending ----------------------------------------------------------------- */

static void send_head(
	struct files *files, const struct entry *entry, uint64_t size, struct view content)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	number_write(&out, (uint64_t)entry->kind, 1);
	number_write(&out, entry->mount, 2);
	number_write(&out, strlen(entry->path), 2);
	number_write(&out, size, 8);
	number_write(&out, (uint64_t)entry->changed_ns, 8);
	buf_append_str(&out, entry->path);
	buf_append(&out, content.data, content.len);
	link_send(files->link, files->link->streams[LINK_FILES], view_of_buf(&out));
}

static int change_open(struct files *files, const struct entry *change)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	const struct files_mount *mount = &files->mounts[change->mount];
	CLEANUP(freep) char *own = xasprintf("/proc/self/fd/%d", mount->fd);
	int fd = -1;

	if (mount->kind == MOUNT_FILE)
		return open(own, O_RDONLY | O_CLOEXEC);
	if (relpath_parse(view_of(change->path), &path, &ignored) < 0 ||
		beneath_open_file(mount->fd, &path, &fd, NULL, &ignored) < 0)
		return -1;
	return fd;
}

static bool is_recent(int64_t changed_ns)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return changed_ns > (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - RECENT_NS;
}

/* What vanishes meanwhile is noticed when they are compared again. */
static void send_change(struct files *files, const struct entry *change)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf to = BUF_INIT;
	struct entry *known = entries_find(&files->entries, change);
	struct entry now = *change;
	struct stat st;

	if (change->kind == ENTRY_LINK) {
		if (relpath_parse(view_of(change->path), &path, &ignored) == 0 &&
			beneath_read_link(
				files->mounts[change->mount].fd, &path, &to, &ignored) == 0)
			send_head(files, change, to.len, view_of_buf(&to));
		return;
	}
	if (!entry_is_file(change)) {
		send_head(files, change, 0, (struct view){0});
		return;
	}
	files->source = change_open(files, change);
	if (files->source < 0 || fstat(files->source, &st) < 0 || !S_ISREG(st.st_mode)) {
		closep(&files->source);
		if (known)
			known->again = true;
		return;
	}
	entry_set(&now, &st);
	files->source_left = now.size;
	files->source_short = false;
	send_head(files, &now, now.size, (struct view){0});
	now.again = is_recent(now.changed_ns);
	now.sent_with = files->sent;
	if (known)
		entries_put(&files->entries, &now);
}

/* A file that became shorter meanwhile is filled up, and the other half drops it. */
static void send_content(struct files *files, size_t room)
{
	struct stream *stream = files->link->streams[LINK_FILES];
	char bytes[LINK_CHUNK];
	size_t len = room < files->source_left ? room : (size_t)files->source_left;
	ssize_t n;

	if (!files->source_left) {
		struct entry *known =
			entries_find(&files->entries, &files->changes.list[files->at - 1]);

		if (files->source_short && known)
			known->again = true;
		link_send(
			files->link, stream, (struct view){files->source_short ? "0" : "1", 1});
		closep(&files->source);
		return;
	}
	n = files->source_short ? 0 : read(files->source, bytes, len);
	if (n <= 0) {
		files->source_short = true;
		memset(bytes, 0, len);
		n = (ssize_t)len;
	}
	link_send(files->link, stream, (struct view){bytes, (size_t)n});
	files->source_left -= (uint64_t)n;
}

int files_work(struct files *files, struct error *err)
{
	struct stream *stream = files->link->streams[LINK_FILES];
	struct entry end = {.path = (char *)(uintptr_t) "", .kind = ENTRY_END};
	size_t room;

	if (files->state == FILES_IDLE && files->asked) {
		files->asked = false;
		if (files_compare(files, err) < 0)
			return -1;
		files->state = FILES_SENDING;
	}
	while (files->state == FILES_SENDING &&
		(room = link_room(files->link, stream)) > HEAD + RELPATH_MAX + RELPATH_MAX) {
		if (files->source >= 0) {
			send_content(files, room);
		} else if (files->at < files->changes.count) {
			send_change(files, &files->changes.list[files->at++]);
		} else {
			send_head(files, &end, files->sent, (struct view){0});
			files->state = FILES_WAITING;
		}
	}
	stream->waits = files->half == FILES_NODE && files->state != FILES_IDLE;
	return 0;
}

uint64_t files_ask(struct files *files)
{
	files->asked = true;
	return files->sent + 1;
}

bool files_is_stored(const struct files *files, uint64_t number)
{
	return files->stored >= number;
}

int files_stored(struct files *files, uint64_t number, struct error *err)
{
	if (files->state != FILES_WAITING || number != files->sent)
		return error_set(err, ERROR_INVALID, "stored files that were not sent");
	files->stored = number;
	files->state = FILES_IDLE;
	files->link->streams[LINK_FILES]->waits = false;
	return 0;
}

/* --- gates ------------------------------------------------------------------- */

static bool gate_opens(struct files *files, struct stream *stream)
{
	if (!stream->waits_for)
		stream->waits_for = files_ask(files);
	if (!files_is_stored(files, stream->waits_for))
		return false;
	stream->waits_for = 0;
	return true;
}

/* Up to the end of a line with a result, which waits: until then nobody acts on the line. */
static size_t gate_results(struct files *files, struct stream *stream, struct view bytes)
{
	static const char word[] = "\"result\"";

	for (size_t i = 0; i < bytes.len; i++) {
		char c = bytes.data[i];

		if (c == '\n') {
			if (stream->result && !gate_opens(files, stream))
				return i;
			stream->result = false;
			stream->matched = 0;
			continue;
		}
		if (c == word[stream->matched])
			stream->matched++;
		else
			stream->matched = c == word[0];
		if (!word[stream->matched]) {
			stream->result = true;
			stream->matched = 1;
		}
	}
	return bytes.len;
}

size_t files_may_pass(struct files *files, struct stream *stream, struct view bytes)
{
	if (stream->gate == GATE_RESULTS)
		return gate_results(files, stream, bytes);
	if (stream->gate == GATE_NONE || (stream->gate == GATE_ANSWERS && stream->passed))
		return bytes.len;
	if (!gate_opens(files, stream))
		return 0;
	stream->passed = true;
	return bytes.len;
}

/* --- taking ------------------------------------------------------------------ */

bool files_have_come(const struct files *files)
{
	return files->have_come;
}

static void taking_reset(struct files *files)
{
	if (files->temp[0] && files->folder >= 0)
		sys.unlink(files->folder, files->temp, 0);
	files->temp[0] = '\0';
	closep(&files->target);
	closep(&files->folder);
	relpath_release(&files->path);
	files->path = RELPATH_INIT;
	free(files->taking.path);
	files->taking = (struct entry){0};
	files->in_content = false;
	buf_clear(&files->head);
	buf_clear(&files->link_text);
}

void files_end(struct files *files)
{
	taking_reset(files);
}

static void taking_note(const struct files *files, const char *what)
{
	CLEANUP(freep) char *path = quote(view_of(files->taking.path));

	fprintf(stderr, "%s in '%s' %s\n", path, files->mounts[files->taking.mount].target,
		what);
}

/* What is in its place here, and whether that was changed since it was last sent or stored. */
static bool changed_here(struct files *files, struct entry *ret_now)
{
	const struct entry *known = entries_find(&files->entries, &files->taking);
	struct stat st;

	*ret_now = (struct entry){.kind = ENTRY_GONE};
	if (fstatat(files->folder, relpath_base(&files->path), &st, AT_SYMLINK_NOFOLLOW) == 0)
		entry_set(ret_now, &st);
	if (!known)
		return ret_now->kind != ENTRY_GONE;
	if (files->half == FILES_HOST && files->state != FILES_IDLE &&
		known->sent_with == files->sent)
		return true;
	return !entry_equal(known, ret_now);
}

/* As it is here now. */
static void taking_remember(struct files *files)
{
	struct entry entry = files->taking;
	const struct entry *old = entries_find(&files->entries, &entry);
	const struct files_mount *mount = &files->mounts[entry.mount];
	bool counts = mount->writable && mount->counted;
	struct stat st;

	if (old && counts)
		files->used -= entry_cost(old) < files->used ? entry_cost(old) : files->used;
	entry.kind = ENTRY_GONE;
	if (fstatat(files->folder, relpath_base(&files->path), &st, AT_SYMLINK_NOFOLLOW) == 0)
		entry_set(&entry, &st);
	if (mount->kind == MOUNT_FILE)
		entry.path = (char *)(uintptr_t) "";
	entry.sent_with = 0;
	entries_put(&files->entries, &entry);
	if (counts)
		files->used += entry_cost(&entry);
}

static int taking_remove(struct files *files, struct error *err)
{
	const char *name = relpath_base(&files->path);
	struct entry now;

	if (changed_here(files, &now)) {
		if (now.kind != ENTRY_GONE)
			taking_note(files, "was removed by one side and changed by the other: "
					   "it stays");
		return 0;
	}
	if (now.kind != ENTRY_GONE &&
		sys.unlink(files->folder, name, now.kind == ENTRY_FOLDER ? AT_REMOVEDIR : 0) <
			0 &&
		errno != ENOTEMPTY && errno != ENOENT)
		return error_errno(err, "cannot remove '%s'", name);
	taking_remember(files);
	return 0;
}

static int taking_make_folder(struct files *files, struct error *err)
{
	const char *name = relpath_base(&files->path);
	struct entry now;
	bool changed = changed_here(files, &now);

	if (now.kind != ENTRY_FOLDER && now.kind != ENTRY_GONE) {
		if (changed) {
			taking_note(files, "is a folder for one side and a file for the other: "
					   "the folder is left out");
			return 0;
		}
		if (sys.unlink(files->folder, name, 0) < 0)
			return error_errno(err, "cannot remove '%s'", name);
	}
	if (now.kind != ENTRY_FOLDER && sys.mkdir(files->folder, name, 0700) < 0)
		return error_errno(err, "cannot make the folder '%s'", name);
	taking_remember(files);
	return 0;
}

/* The owner's modes stay; only whether it is a program may change. */
static mode_t mode_of(const struct entry *taking, const struct entry *now)
{
	bool is_program = taking->kind == ENTRY_PROGRAM;

	if (!entry_is_file(now))
		return is_program ? 0700 : 0600;
	return (now->mode & 0666) | (is_program ? (now->mode & 0444) >> 2 | 0100 : 0);
}

/* The content is complete, or the link: put it in its place. */
static int taking_place(struct files *files, struct error *err)
{
	CLEANUP(freep) char *beside = NULL;
	const char *name = relpath_base(&files->path);
	const struct timespec times[2] = {
		{0, UTIME_OMIT},
		{files->taking.changed_ns / 1000000000, files->taking.changed_ns % 1000000000},
	};
	bool durable = files->half == FILES_HOST;
	struct entry now;
	bool changed = changed_here(files, &now);

	beside = xasprintf("%s" FILES_FROM_AGENT, name);
	if (now.kind == ENTRY_FOLDER) {
		taking_note(files, "is a folder here and a file there: the file is left out");
		return 0;
	}
	if (files->taking.kind == ENTRY_LINK) {
		if (replace_symlink(files->folder, name, files->link_text.data,
			    REPLACE_NO_DIR_SYNC, err) < 0)
			return -1;
		taking_remember(files);
		return 0;
	}
	if (changed)
		taking_note(files, "was changed by the agent and here: the agent's version is "
				   "beside it, with the ending '" FILES_FROM_AGENT "'");
	if (files->half == FILES_NODE && changed && entry_is_file(&now) &&
		sys.rename(files->folder, name, files->folder, beside, 0) < 0)
		return error_errno(err, "cannot rename '%s'", name);
	if (sys.chmod(files->target, mode_of(&files->taking, &now)) < 0 ||
		(durable && sys.sync(files->target) < 0) ||
		sys.set_times(files->folder, files->temp, times) < 0 ||
		sys.rename(files->folder, files->temp, files->folder,
			durable && changed ? beside : name, 0) < 0 ||
		(durable && sys.sync(files->folder) < 0))
		return error_errno(err, "cannot store '%s'", name);
	files->temp[0] = '\0';
	if (!durable || !changed)
		taking_remember(files);
	return 0;
}

static int taking_finish(struct files *files, bool whole, struct error *err)
{
	int result = 0;

	if (files->taking.kind == ENTRY_GONE)
		result = taking_remove(files, err);
	else if (files->taking.kind == ENTRY_FOLDER)
		result = taking_make_folder(files, err);
	else if (whole && (files->target >= 0 || files->taking.kind == ENTRY_LINK))
		result = taking_place(files, err);
	taking_reset(files);
	return result;
}

static int taking_create(struct files *files, struct error *err)
{
	uint64_t number;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return error_errno(err, "cannot get random numbers");
	snprintf(files->temp, sizeof(files->temp), REPLACE_PREFIX "%016" PRIx64, number);
	files->target = sys.create(files->folder, files->temp,
		O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		files->taking.kind == ENTRY_PROGRAM ? 0700 : 0600);
	if (files->target < 0) {
		files->temp[0] = '\0';
		return error_errno(err, "cannot write a file");
	}
	return 0;
}

/* Everything that a node could do wrong, before anything is touched. */
static int taking_check(struct files *files, struct view path, struct error *err)
{
	struct entry *taking = &files->taking;
	const struct files_mount *mount = files_mount(files, taking->mount);
	CLEANUP(freep) char *shown = quote(path);
	const struct entry *old = entries_find(&files->entries, taking);
	bool is_host = files->half == FILES_HOST;

	if (!strchr("fxdlg", (int)taking->kind) || !taking->kind ||
		(is_host && taking->kind == ENTRY_LINK))
		return error_set(
			err, ERROR_INVALID, "sent something else than a file: %s", shown);
	if (!mount || mount->kind == MOUNT_SOCKET ||
		(is_host && (!mount->writable || mount->kind != MOUNT_FOLDER)))
		return error_set(
			err, ERROR_INVALID, "sent a file to a place of others: %s", shown);
	if (mount->kind == MOUNT_FILE)
		path = view_of(mount->name);
	if (relpath_parse(path, &files->path, err) < 0)
		return error_prefix(err, "sent a file with a wrong name");
	if (mount->kind == MOUNT_FOLDER &&
		(!mount_owns(files, taking->mount, taking->path) ||
			replace_is_temporary(relpath_base(&files->path))))
		return error_set(
			err, ERROR_INVALID, "sent a file that it may not change: %s", shown);
	if (taking->kind == ENTRY_LINK && taking->size > RELPATH_MAX)
		return error_set(err, ERROR_INVALID, "sent a link that is too long");
	if (!old && files->entries.count >= FILES_MAX)
		return error_set(err, ERROR_INVALID, "sent more than %zu files", FILES_MAX);
	if (taking->kind != ENTRY_GONE && is_host && mount->counted &&
		files->used - (old && entry_cost(old) < files->used ? entry_cost(old) : 0) +
				entry_cost(taking) >
			files->limit)
		return error_set(err, ERROR_INVALID,
			"sent more than the %" PRIu64 " MB of disk space that its group has",
			files->limit / 1024 / 1024);
	return 0;
}

/* The head and the path are there. */
static int taking_begin(struct files *files, struct error *err)
{
	CLEANUP(error_release) struct error why = ERROR_INIT;
	struct entry *taking = &files->taking;
	const char *head = files->head.data;
	struct view path = view_slice(view_of_buf(&files->head), HEAD, files->head.len);

	taking->kind = (enum entry_kind)number_read(head, 1);
	taking->mount = (unsigned)number_read(head + 1, 2);
	taking->size = number_read(head + 5, 8);
	taking->changed_ns = (int64_t)number_read(head + 13, 8);
	taking->path = xmemdupz(path.data, path.len);
	if (taking->kind == ENTRY_END) {
		uint64_t number = taking->size;

		taking_reset(files);
		files->have_come = true;
		link_message(files->link, json_build("stored:I", number));
		return 0;
	}
	if (taking->size > INT64_MAX - 1 || taking->changed_ns < 0)
		return error_set(
			err, ERROR_INVALID, "sent a file of an impossible size or age");
	if (taking_check(files, path, err) < 0)
		return -1;
	if (beneath_open_parent(files->mounts[taking->mount].fd, &files->path,
		    taking->kind != ENTRY_GONE ? BENEATH_CREATE | BENEATH_SYNC : 0,
		    &files->folder, &why) < 0) {
		if (!beneath_is_absent(&why) && why.kind != ERROR_INVALID)
			return error_move(err, &why);
		if (taking->kind != ENTRY_GONE)
			taking_note(files, "is not in a folder here: it is left out");
	}
	files->in_content = entry_is_file(taking) || taking->kind == ENTRY_LINK;
	files->left = taking->size + entry_is_file(taking);
	if (files->folder < 0 && !files->in_content) {
		taking_reset(files);
		return 0;
	}
	if (!files->in_content)
		return taking_finish(files, true, err);
	if (entry_is_file(taking) && files->folder >= 0)
		return taking_create(files, err);
	return 0;
}

static int taking_add(struct files *files, struct view bytes, struct error *err)
{
	bool is_file = entry_is_file(&files->taking);
	size_t content = bytes.len - (is_file && bytes.len == files->left);

	if (!is_file)
		buf_append(&files->link_text, bytes.data, content);
	else if (files->target >= 0 && content &&
		 sys_write_all(files->target, bytes.data, content) < 0)
		return error_errno(err, "cannot write a file");
	files->left -= bytes.len;
	if (files->left)
		return 0;
	return taking_finish(
		files, !is_file || (bytes.len && bytes.data[bytes.len - 1] == '1'), err);
}

int files_take(struct files *files, struct view bytes, struct error *err)
{
	while (bytes.len || (files->in_content && !files->left)) {
		size_t wanted, len;

		if (files->in_content) {
			len = bytes.len < files->left ? bytes.len : (size_t)files->left;
			if (taking_add(files, view_slice(bytes, 0, len), err) < 0)
				return -1;
			bytes = view_slice(bytes, len, bytes.len);
			continue;
		}
		wanted = HEAD;
		if (files->head.len >= HEAD)
			wanted += (size_t)number_read(files->head.data + 3, 2);
		len = wanted - files->head.len;
		len = len < bytes.len ? len : bytes.len;
		buf_append(&files->head, bytes.data, len);
		bytes = view_slice(bytes, len, bytes.len);
		if (files->head.len < HEAD ||
			files->head.len < HEAD + number_read(files->head.data + 3, 2))
			continue;
		if (taking_begin(files, err) < 0)
			return -1;
	}
	return 0;
}
