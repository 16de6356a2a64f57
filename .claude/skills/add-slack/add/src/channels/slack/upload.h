/*
 * A file on its way to Slack, which keeps it for itself until it is shared in a chat.
 *
 *	slack_upload(api, root, "data/media/main/x.png", "cat.png", take_uploaded, data, &upload, err);
 *	… take_uploaded(data, id, NULL), or (data, NULL, &reply) with the reason; it is gone after it
 *	slack_upload_cancel(upload);	instead: it is never called
 */
#ifndef CHANNELS_SLACK_UPLOAD_H
#define CHANNELS_SLACK_UPLOAD_H

#include "channels/slack/api.h"

struct slack_upload;

typedef void (*slack_upload_function)(
	void *data, const char *id, const struct slack_reply *reply);

/* `path` is below the open folder `root`. */
int slack_upload(const struct slack_api *api, int root, const char *path, const char *name,
	slack_upload_function function, void *data, struct slack_upload **ret_upload,
	struct error *err);
void slack_upload_cancel(struct slack_upload *upload);

#endif
