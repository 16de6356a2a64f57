#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/email/email.h"

/* A folder's name as the server writes it. */
#define MAX_FOLDER 500

struct email_search {
	struct imap *imap;
	char *id;
	char *folder; /* of sent mails, as the server writes it; NULL: not found yet */
	bool found;
	email_sent_function function;
	void *data;
};

static void search_free(struct email_search *search)
{
	imap_close(search->imap);
	free(search->id);
	free(search->folder);
	free(search);
}

void email_search_cancel(struct email_search *search)
{
	if (search)
		search_free(search);
}

static void search_end(struct email_search *search, const char *why)
{
	CLEANUP(freep) char *reason = why ? xstrdup(why) : NULL;
	email_sent_function function = search->function;
	void *data = search->data;
	bool found = search->found;

	search_free(search);
	function(data, found, reason);
}

/* LIST (\HasNoChildren \Sent) "/" "Sent Mail" */
static void search_take_folder(struct email_search *search, struct view text)
{
	CLEANUP(freep) char *line = xmemdupz(text.data, text.len);
	const char *flag = strcasestr(line, "\\Sent");
	const char *close = strchr(line, ')');
	const char *name = close ? strchr(close, ' ') : NULL;

	name = name ? strchr(name + 1, ' ') : NULL; /* behind the separator */
	if (flag && close && flag < close && strchr(" )", flag[strlen("\\Sent")]) && name &&
		strlen(name + 1) < MAX_FOLDER && !strchr(name, '{') && !search->folder)
		search->folder = xstrdup(name + 1);
}

static void search_untagged(void *data, const struct imap_response *response)
{
	struct email_search *search = data;

	if (view_starts_with(response->text, "LIST "))
		search_take_folder(search, response->text);
	else if (view_starts_with(response->text, "SEARCH "))
		search->found = true; /* numbers follow only if there are some */
}

static void search_searched(void *data, enum imap_status status, struct view text)
{
	(void)text;
	search_end(data, status == IMAP_OK ? NULL : "the server does not search sent mails");
}

static void search_opened(void *data, enum imap_status status, struct view text)
{
	struct email_search *search = data;

	(void)text;
	if (status != IMAP_OK)
		search_end(search, "the server does not open the folder of sent mails");
	else
		imap_command(search->imap, search_searched,
			"UID SEARCH HEADER Message-ID \"%s\"", search->id);
}

static void search_listed(void *data, enum imap_status status, struct view text)
{
	struct email_search *search = data;

	(void)status;
	(void)text;
	if (search->folder)
		imap_command(search->imap, search_opened, "EXAMINE %s", search->folder);
	else
		search_end(search, NULL);
}

static void search_ready(void *data)
{
	struct email_search *search = data;

	imap_command(search->imap, search_listed, "LIST \"\" \"*\"");
}

static void search_closed(void *data, bool refused, const char *why)
{
	struct email_search *search = data;

	(void)refused;
	search->imap = NULL; /* it frees itself */
	search_end(search, why);
}

struct email_search *email_search_sent(struct network *network,
	const struct email_settings *settings, const char *id, email_sent_function function,
	void *data)
{
	static const struct imap_handlers handlers = {
		search_ready, search_untagged, search_closed};
	struct email_search *search = xcalloc(1, sizeof(*search));

	search->id = xstrdup(id);
	search->function = function;
	search->data = data;
	search->imap = imap_open(network, settings, &handlers, search);
	return search;
}
