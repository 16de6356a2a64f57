#include "channels/whatsapp_cloud/api.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "format/json.h"
#include "net/http_call.h"
#include "net/retry_after.h"
#include "time/timestamp.h"

#define CALL_MS 30000
#define FORM_MS ((uint64_t)10 * 60 * 1000)
#define MAX_ID  32

struct cloud_call {
	struct http_call *http;
	cloud_call_function function;
	void *data;
};

const char *cloud_text(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

/* --- the address ------------------------------------------------------------- */

static bool is_word(const char *text, const char *others)
{
	for (const char *c = text; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr(others, *c))
			return false;
	return *text;
}

int cloud_api_init(struct cloud_api *api, struct network *network, const char *url,
	const char *token, const char *phone_id, struct error *err)
{
	size_t len;

	if (!is_word(token, "-._~+/=|"))
		return error_set(err, ERROR_INVALID,
			"WHATSAPP_TOKEN is not a token like 'EAAG…', which the system user of the "
			"business has");
	if (strlen(phone_id) > MAX_ID || strspn(phone_id, "0123456789") != strlen(phone_id))
		return error_set(err, ERROR_INVALID,
			"WHATSAPP_PHONE_ID is not an id of digits: it is the 'Phone number ID' on "
			"the page 'API Setup', not the number itself");
	if (!url)
		url = CLOUD_API_URL;
	if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
		return error_set(
			err, ERROR_INVALID, "WHATSAPP_API_URL must begin with 'https://'");
	for (len = strlen(url); url[len - 1] == '/';)
		len--;
	*api = (struct cloud_api){network, xmemdupz(url, len), xstrdup(phone_id),
		xasprintf("Authorization: Bearer %s", token)};
	return 0;
}

void cloud_api_release(struct cloud_api *api)
{
	free(api->url);
	free(api->phone_id);
	if (api->credentials)
		explicit_bzero(api->credentials, strlen(api->credentials));
	free(api->credentials);
	*api = (struct cloud_api){0};
}

bool cloud_api_is_own(const struct cloud_api *api, const char *url)
{
	static const char *const places[] = {".fbsbx.com", ".facebook.com", ".whatsapp.net"};
	size_t scheme = strcspn(api->url, ":") + strlen("://");
	size_t own = scheme + strcspn(api->url + scheme, "/");
	struct view host;

	if (!strncmp(url, api->url, own) && (url[own] == '/' || !url[own]))
		return true;
	if (strncmp(url, "https://", 8) != 0)
		return false;
	host = (struct view){url + 8, strcspn(url + 8, "/?#")};
	for (size_t i = 0; i < host.len; i++)
		if (!isalnum((unsigned char)host.data[i]) && !strchr("-.", host.data[i]))
			return false;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (view_ends_with(host, places[i]))
			return true;
	return false;
}

/* --- errors ------------------------------------------------------------------ */

/* https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes */
static const struct cloud_error {
	int code;
	enum cloud_outcome outcome;
	const char *words; /* NULL: WhatsApp's own */
} cloud_errors[] = {
	{0, CLOUD_NO_TOKEN, "WhatsApp refuses the token"},
	{1, CLOUD_BUSY, NULL},
	{2, CLOUD_BUSY, NULL},
	{3, CLOUD_NO_TOKEN, "the token lacks a permission"},
	{4, CLOUD_LATER, "the app calls WhatsApp too often"},
	{10, CLOUD_NO_TOKEN, "the token lacks a permission"},
	{190, CLOUD_NO_TOKEN, "the token has expired, or was withdrawn"},
	{80007, CLOUD_LATER, "the business account calls WhatsApp too often"},
	{130429, CLOUD_LATER, "too many texts a second for this number"},
	{131000, CLOUD_BUSY, NULL},
	{131005, CLOUD_NO_TOKEN, "the token lacks a permission"},
	{131016, CLOUD_BUSY, "WhatsApp is overloaded"},
	{131026, CLOUD_REFUSED,
		"WhatsApp cannot deliver to this person: the number has no WhatsApp, an old version "
		"of it, or has blocked the business"},
	{131030, CLOUD_REFUSED,
		"a test number may write only to people on its list: add this one on the page 'API "
		"Setup'"},
	{131031, CLOUD_REFUSED, "WhatsApp has locked the business account"},
	{131042, CLOUD_REFUSED, "the business account has a problem with its payment"},
	{131045, CLOUD_REFUSED, "the business number is not registered with WhatsApp"},
	{131047, CLOUD_REFUSED,
		"more than 24 hours have passed since this person last wrote, and WhatsApp delivers "
		"the assistant's texts only within 24 hours: when the person writes, it works again"},
	{131048, CLOUD_LATER, "WhatsApp limits this number, because people reported its texts"},
	{131049, CLOUD_REFUSED, "WhatsApp chose not to deliver it"},
	{131053, CLOUD_REFUSED, "WhatsApp does not take this file"},
	{131056, CLOUD_LATER, "too many texts to the same person"},
	{131057, CLOUD_BUSY, "WhatsApp is being maintained"},
	{133004, CLOUD_BUSY, NULL},
	{133010, CLOUD_REFUSED, "the business number is not registered with WhatsApp"},
	{133016, CLOUD_LATER, NULL},
};

static const struct cloud_error *cloud_error_find(int code)
{
	for (size_t i = 0; i < ARRAY_SIZE(cloud_errors); i++)
		if (cloud_errors[i].code == code)
			return &cloud_errors[i];
	return NULL;
}

static int cloud_error_code(const json_t *error)
{
	double code = json_number_value(json_object_get(error, "code"));

	return code > -1e6 && code < 1e9 ? (int)code : 0;
}

char *cloud_error_words(const json_t *error)
{
	int code = cloud_error_code(error);
	const struct cloud_error *known = cloud_error_find(code);
	const char *details = cloud_text(json_object_get(error, "error_data"), "details");
	const char *message = cloud_text(error, "message");
	const char *title = cloud_text(error, "title");
	const char *own = details   ? details
			  : message ? message
			  : title   ? title
				    : "no reason given";
	CLEANUP(freep) char *shown = utf8_excerpt(view_of(own));

	if (known && known->words)
		return xasprintf("%s (error %d)", known->words, code);
	return xasprintf("WhatsApp refuses it: %s (error %d)", shown, code);
}

static enum cloud_outcome cloud_outcome_of(int status, const json_t *document)
{
	const json_t *error = json_object_get(document, "error");
	int code = cloud_error_code(error);
	const struct cloud_error *known = cloud_error_find(code);

	if (status >= 200 && status < 300)
		return json_is_object(document) ? CLOUD_DONE : CLOUD_UNANSWERED;
	if (status == 429)
		return CLOUD_LATER;
	/* A proxy, or a network that wants a password first, says anything. */
	if (!json_is_object(error))
		return CLOUD_UNANSWERED;
	if (known && (code || status == 401))
		return known->outcome;
	if (status == 401 || (code >= 200 && code < 300))
		return CLOUD_NO_TOKEN;
	return status >= 500 || json_is_true(json_object_get(error, "is_transient"))
		       ? CLOUD_BUSY
		       : CLOUD_REFUSED;
}

/* --- calls ------------------------------------------------------------------- */

static void take_http_reply(void *data, const struct http_reply *http, const char *why)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *document = NULL;
	CLEANUP(freep) struct cloud_call *call = data;
	CLEANUP(freep) char *words = NULL;
	struct cloud_reply reply = {
		.outcome = CLOUD_UNANSWERED, .error = why, .retry_after_ms = -1};

	if (http) {
		struct view wait = http_answer_header(http->answer, "retry-after");
		const json_t *error;

		if (!http->body.len || http_reply_json(http, &document, &ignored) < 0)
			document = NULL;
		error = json_object_get(document, "error");
		reply.document = document;
		reply.outcome = cloud_outcome_of(http->status, document);
		reply.code = cloud_error_code(error);
		words = json_is_object(error) ? cloud_error_words(error)
					      : xasprintf("HTTP status %d", http->status);
		reply.error = reply.outcome == CLOUD_DONE ? NULL : words;
		if (wait.data)
			reply.retry_after_ms = retry_after_ms(wait, timestamp_clock());
	}
	call->function(call->data, &reply);
}

int cloud_call(const struct cloud_api *api, const struct cloud_request *request,
	cloud_call_function function, void *data, struct cloud_call **ret_call,
	struct error *err)
{
	CLEANUP(freep) struct cloud_call *call = xcalloc(1, sizeof(*call));
	const char *path = request->path;
	CLEANUP(freep)
	char *url = *path == '/' ? xasprintf("%s%s", api->url, path)
				 : xasprintf("%s/%s%s%s", api->url, api->phone_id,
					   *path && *path != '?' ? "/" : "", path);
	const char *const headers[] = {api->credentials, NULL};
	struct http_call_request http = {
		.http = {.method = request->method,
			.url = url,
			.headers = headers,
			.total_ms = request->form ? FORM_MS : CALL_MS},
		.json = request->json,
		.form = request->form,
	};

	call->function = function;
	call->data = data;
	if (http_call(api->network, &http, take_http_reply, call, &call->http, err) < 0)
		return -1;
	*ret_call = TAKE(call);
	return 0;
}

void cloud_call_cancel(struct cloud_call *call)
{
	http_call_cancel(call->http);
	free(call);
}
