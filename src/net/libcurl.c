#include "net/libcurl.h"

#include "proc/library.h"

/* The same for all versions since 2006. */
#define SONAME "libcurl.so.4"

const struct libcurl *libcurl_load(struct error *err)
{
	static struct libcurl curl;
	static bool is_set_up;
	static const struct library_symbol symbols[] = {
		{"curl_easy_cleanup", &curl.easy_cleanup},
		{"curl_easy_getinfo", &curl.easy_getinfo},
		{"curl_easy_init", &curl.easy_init},
		{"curl_easy_pause", &curl.easy_pause},
		{"curl_easy_recv", &curl.easy_recv},
		{"curl_easy_send", &curl.easy_send},
		{"curl_easy_setopt", &curl.easy_setopt},
		{"curl_easy_strerror", &curl.easy_strerror},
		{"curl_free", &curl.free},
		{"curl_global_init", &curl.global_init},
		{"curl_multi_add_handle", &curl.multi_add_handle},
		{"curl_multi_assign", &curl.multi_assign},
		{"curl_multi_cleanup", &curl.multi_cleanup},
		{"curl_multi_info_read", &curl.multi_info_read},
		{"curl_multi_init", &curl.multi_init},
		{"curl_multi_remove_handle", &curl.multi_remove_handle},
		{"curl_multi_setopt", &curl.multi_setopt},
		{"curl_multi_socket_action", &curl.multi_socket_action},
		{"curl_slist_append", &curl.slist_append},
		{"curl_slist_free_all", &curl.slist_free_all},
		{"curl_url", &curl.url},
		{"curl_url_cleanup", &curl.url_cleanup},
		{"curl_url_get", &curl.url_get},
		{"curl_url_set", &curl.url_set},
		{0},
	};

	if (is_set_up)
		return &curl;
	if (library_load(SONAME, symbols, err) < 0)
		return NULL;
	if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		error_set(err, ERROR_FAILED, "libcurl cannot be set up");
		return NULL;
	}
	is_set_up = true;
	return &curl;
}
