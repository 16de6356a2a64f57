/*
 * One structured file while an operation works on it. For structured*.c only.
 */
#ifndef ENGINE_STRUCTURED_INTERNAL_H
#define ENGINE_STRUCTURED_INTERNAL_H

#include "engine/session/session.h"
#include "engine/structured/structured_state.h"

struct structured_work {
	struct session *session;
	const struct structured_format *format;
	const struct string_array *skills; /* of the operation */
	struct contributions contributions;
	struct relpath path;
	struct tx_file file;     /* the present file */
	struct yaml_node *entry; /* of the file in the state, or NULL */
	const char *responsible; /* the skill whose layer has the file */
	bool outcome_changed;    /* by this operation */
};

#define STRUCTURED_WORK_INIT(s, of, skills_of)                                                 \
	((struct structured_work){.session = (s),                                              \
		.format = (of),                                                                \
		.skills = (skills_of),                                                         \
		.path = RELPATH_INIT,                                                          \
		.file = TX_FILE_INIT})

void structured_work_release(struct structured_work *work);

/* Own content, of the file in the tree or of the recorded file. */
struct structured_own {
	struct buf text;
	bool exists;
	struct yaml_node *unwanted; /* or NULL */
};

#define STRUCTURED_OWN_INIT ((struct structured_own){.text = BUF_INIT})

void structured_own_release(struct structured_own *own);

/* structured_own.c: the file, and its own content. */
int structured_read(struct structured_work *work, struct error *err);
int structured_find_own(const struct structured_work *work, const struct tx_file *file,
	struct structured_own *ret_own, struct error *err);

/* structured_record.c: rendering, and recording the result in the state. */
int structured_render(const struct structured_work *work, const struct structured_own *own,
	const struct contributions *contributions, enum clash_side side,
	struct structured_output *ret_output, struct error *err);
/* False: there is no file, and nothing to write. An empty file may be the person's own. */
bool structured_is_needed(
	const struct structured_own *own, const struct structured_output *output);
mode_t structured_mode(const struct structured_work *work);
/* Record the result of each skill of the operation, and of all of them. */
int structured_record_layers(struct structured_work *work, const struct structured_own *own,
	const struct structured_output *output, struct error *err);

/* The same if edits stay unrecorded: the layers get the file without them. */
int structured_record_without_changes(struct structured_work *work, struct error *err);

/* The entry in the state, for the next operation. */
int structured_record_file(struct structured_work *work, const struct structured_own *own,
	const struct structured_output *output, struct error *err);

/* structured_clash.c: stage the file with conflict markers; and after these are resolved. */
int structured_merge_clashes(struct structured_work *work, const struct structured_own *own,
	const struct structured_output *first, struct error *err);
int structured_adopt_file(struct structured_work *work, struct error *err);

#endif
