#include "engine/conflict/merge3.h"

#include <stdlib.h>

#include "engine/disk/tx_file.h"
#include "engine/text/conflict_text.h"
#include "engine/text/merge.h"

bool merge3_is_text(const struct tx_file *file)
{
	return file->kind == TX_FILE && !merge_is_binary(view_of_buf(&file->content));
}

int merge3(const struct tx_file *base, const struct tx_file *ours, const struct tx_file *theirs,
	struct tx_file *ret_file, bool *ret_clean, struct error *err)
{
	CLEANUP(merge_result_release) struct merge_result merged = {.content = BUF_INIT};
	struct merge_options options = {.style = MERGE_STYLE_MERGE};
	struct merge_input b = {view_of_buf(&base->content), ""};
	struct merge_input o = {view_of_buf(&ours->content), ""};
	struct merge_input t = {view_of_buf(&theirs->content), ""};

	*ret_clean = true;
	if (tx_file_same(base, theirs) || tx_file_same(ours, theirs)) {
		tx_file_copy(ours, ret_file);
		return 0;
	}
	if (tx_file_same(base, ours)) {
		tx_file_copy(theirs, ret_file);
		return 0;
	}
	*ret_clean = merge3_is_text(base) && merge3_is_text(ours) && merge3_is_text(theirs);
	if (!*ret_clean)
		return 0;
	if (merge_contents(&o, &b, &t, &options, &merged, err) < 0)
		return -1;
	*ret_clean = !merged.conflicts;
	if (merged.conflicts)
		return 0;
	buf_release(&ret_file->content);
	ret_file->content = merged.content;
	merged.content = BUF_INIT;
	ret_file->kind = TX_FILE;
	ret_file->mode = (base->mode ^ theirs->mode) & 0100 ? theirs->mode : ours->mode;
	return 0;
}

void ancestor_release(struct ancestor *ancestor)
{
	tx_file_release(&ancestor->file);
	free(ancestor->label);
}

char *file_merge_label(const struct file_merge *m)
{
	return xasprintf("%s%s%s%s%s", m->without ? CONFLICT_TEXT_WITHOUT : "", m->skill,
		*m->version ? " " : "", m->version, m->says[1] ? m->says[1] : "");
}

struct resolution_inputs file_merge_inputs(const struct file_merge *m)
{
	return (struct resolution_inputs){
		.has_base = m->ancestor->file.kind == TX_FILE,
		.base = hash_of(view_of_buf(&m->ancestor->file.content)),
		.current = hash_of(view_of_buf(&m->ours->content)),
		.skill = hash_of(m->theirs),
	};
}
