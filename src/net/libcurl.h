/*
 * libcurl, loaded when it is first needed: with its TLS libraries it would make every start
 * several times slower.
 */
#ifndef NET_LIBCURL_H
#define NET_LIBCURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "base/error.h"

/* They are macros in some versions, for the sake of C++. */
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

struct libcurl {
	typeof(&curl_easy_cleanup) easy_cleanup;
	typeof(&curl_easy_getinfo) easy_getinfo;
	typeof(&curl_easy_init) easy_init;
	typeof(&curl_easy_pause) easy_pause;
	typeof(&curl_easy_recv) easy_recv;
	typeof(&curl_easy_send) easy_send;
	typeof(&curl_easy_setopt) easy_setopt;
	typeof(&curl_easy_strerror) easy_strerror;
	typeof(&curl_free) free;
	typeof(&curl_global_init) global_init;
	typeof(&curl_multi_add_handle) multi_add_handle;
	typeof(&curl_multi_assign) multi_assign;
	typeof(&curl_multi_cleanup) multi_cleanup;
	typeof(&curl_multi_info_read) multi_info_read;
	typeof(&curl_multi_init) multi_init;
	typeof(&curl_multi_remove_handle) multi_remove_handle;
	typeof(&curl_multi_setopt) multi_setopt;
	typeof(&curl_multi_socket_action) multi_socket_action;
	typeof(&curl_slist_append) slist_append;
	typeof(&curl_slist_free_all) slist_free_all;
	typeof(&curl_url) url;
	typeof(&curl_url_cleanup) url_cleanup;
	typeof(&curl_url_get) url_get;
	typeof(&curl_url_set) url_set;
};

/* The same table every time; NULL with an error if the library is missing. */
const struct libcurl *libcurl_load(struct error *err);

#endif
