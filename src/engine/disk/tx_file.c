#include "engine/disk/tx_file.h"

#include "engine/disk/layer_file.h"

static bool is_there(const struct tx_file *file)
{
	return file->kind == TX_FILE || file->kind == TX_SYMLINK;
}

bool tx_file_equal(const struct tx_file *a, const struct tx_file *b)
{
	struct layer_file x = layer_file_of(a), y = layer_file_of(b);

	return layer_file_equal(&x, &y);
}

bool tx_file_same(const struct tx_file *a, const struct tx_file *b)
{
	if (!is_there(a) || !is_there(b))
		return is_there(a) == is_there(b);
	return tx_file_equal(a, b);
}

void tx_file_copy(const struct tx_file *from, struct tx_file *to)
{
	buf_clear(&to->content);
	buf_append(&to->content, from->content.data, from->content.len);
	to->kind = from->kind;
	to->mode = from->mode;
}

static mode_t mode_over(const struct tx_file *file, const struct tx_file *there)
{
	if (there->kind != TX_FILE || file->kind != TX_FILE)
		return file->mode;
	if (!((there->mode ^ file->mode) & 0100))
		return there->mode;
	return file->mode & 0100 ? there->mode | ((there->mode & 0444) >> 2)
				 : there->mode & ~(mode_t)0111;
}

int tx_file_stage_over(struct transaction *tx, const struct relpath *path,
	const struct tx_file *file, const struct tx_file *there, struct error *err)
{
	struct view content = view_of_buf(&file->content);

	if (file->kind == TX_FILE)
		return transaction_put(tx, path, content, mode_over(file, there), err);
	if (file->kind == TX_SYMLINK)
		return transaction_put_link(tx, path, content, err);
	return transaction_remove(tx, path, err);
}

int tx_file_stage(struct transaction *tx, const struct relpath *path,
	const struct tx_file *file, struct error *err)
{
	return tx_file_stage_over(tx, path, file, file, err);
}
