#include "channels/slack/upload.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "fs/beneath.h"
#include "net/http.h"

#define UPLOAD_MS ((uint64_t)30 * 60 * 1000)

struct slack_upload {
	const struct slack_api *api;
	slack_upload_function function;
	void *data;
	struct slack_call *call; /* one of these two */
	struct http_transfer *transfer;
	char *id; /* of the file at Slack */
	int file;
	int64_t size;
	int64_t left;
	int status;
};

static void upload_free(struct slack_upload *upload)
{
	closep(&upload->file);
	free(upload->id);
	free(upload);
}

/* `reply` is NULL if it is done. */
static void upload_end(struct slack_upload *upload, const struct slack_reply *reply)
{
	upload->function(upload->data, reply ? NULL : upload->id, reply);
	upload_free(upload);
}

static void upload_failed(struct slack_upload *upload, const char *why)
{
	upload_end(upload, &(struct slack_reply){.outcome = SLACK_BUSY, .error = why});
}

/* --- its bytes --------------------------------------------------------------- */

static enum http_giving give_bytes(void *data, char *bytes, size_t room, size_t *ret_len)
{
	struct slack_upload *upload = data;
	ssize_t n = 0;

	if (upload->left)
		n = read(upload->file, bytes,
			(int64_t)room < upload->left ? room : (size_t)upload->left);
	if (n < 0 || (!n && upload->left))
		return HTTP_GIVE_UP;
	upload->left -= n;
	*ret_len = (size_t)n;
	return HTTP_GIVE_BYTES;
}

static bool take_status(void *data, const struct http_answer *answer)
{
	struct slack_upload *upload = data;

	upload->status = answer->status;
	return true;
}

static bool ignore_bytes(void *data, struct view bytes)
{
	(void)data;
	(void)bytes;
	return true;
}

static void upload_done(void *data, const char *why)
{
	struct slack_upload *upload = data;

	if (why)
		upload_failed(upload, why);
	else if (upload->status != 200)
		upload_failed(upload, "Slack did not take the file");
	else
		upload_end(upload, NULL);
}

static const struct http_handlers upload_handlers = {
	.give = give_bytes,
	.answer = take_status,
	.bytes = ignore_bytes,
	.done = upload_done,
};

/* --- its address ------------------------------------------------------------- */

/* The address is good for this file only, and needs no token. */
static void take_address(void *data, const struct slack_reply *reply)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct slack_upload *upload = data;
	const char *url = slack_text(reply->document, "upload_url");
	const char *id = slack_text(reply->document, "file_id");

	upload->call = NULL;
	if (reply->outcome != SLACK_DONE) {
		upload_end(upload, reply);
		return;
	}
	if (!url || !id) {
		upload_failed(upload, "Slack gave no upload address");
		return;
	}
	upload->id = xstrdup(id);
	if (http_start(upload->api->network,
		    &(struct http_request){.method = "POST",
			    .url = url,
			    .content_type = "application/octet-stream",
			    .has_body = true,
			    .length = upload->size,
			    .total_ms = UPLOAD_MS},
		    &upload_handlers, upload, &upload->transfer, &err) < 0)
		upload_failed(upload, err.message);
}

int slack_upload(const struct slack_api *api, int root, const char *path, const char *name,
	slack_upload_function function, void *data, struct slack_upload **ret_upload,
	struct error *err)
{
	CLEANUP(relpath_release) struct relpath place = RELPATH_INIT;
	CLEANUP(closep) int file = -1;
	struct slack_upload *upload;
	struct stat st;

	if (relpath_parse(view_of(path), &place, err) < 0 ||
		beneath_open_file(root, &place, &file, &st, err) < 0)
		return -1;
	upload = xcalloc(1, sizeof(*upload));
	upload->api = api;
	upload->function = function;
	upload->data = data;
	upload->file = TAKE_FD(file);
	upload->size = upload->left = st.st_size;
	if (slack_call(api, SLACK_BOT, "files.getUploadURLExternal",
		    json_pack("{s:s, s:I}", "filename", name, "length", (json_int_t)st.st_size),
		    take_address, upload, &upload->call, err) < 0) {
		upload_free(upload);
		return -1;
	}
	*ret_upload = upload;
	return 0;
}

void slack_upload_cancel(struct slack_upload *upload)
{
	if (upload->call)
		slack_call_cancel(upload->call);
	else
		http_cancel(upload->transfer);
	upload_free(upload);
}
