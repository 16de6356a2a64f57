#include "engine/layer_file.h"

struct layer_file layer_file_of(const struct tx_file *file)
{
	struct layer_file id = layer_file_of_content(view_of_buf(&file->content), file->mode);

	id.kind = file->kind;
	id.executable = id.executable && file->kind == TX_FILE;
	return id;
}

struct layer_file layer_file_of_content(struct view content, mode_t mode)
{
	return (struct layer_file){
		.kind = TX_FILE,
		.mode_known = true,
		.executable = mode & 0100,
		.hash = hash_of(content),
	};
}

bool layer_file_equal(const struct layer_file *a, const struct layer_file *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == TX_ABSENT)
		return true;
	return hash_equal(&a->hash, &b->hash) &&
	       (!a->mode_known || !b->mode_known || a->executable == b->executable);
}
