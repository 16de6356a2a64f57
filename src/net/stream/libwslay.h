/* libwslay, the frames of WebSocket, loaded when it is first needed. */
#ifndef NET_STREAM_LIBWSLAY_H
#define NET_STREAM_LIBWSLAY_H

#include <wslay/wslay.h>

#include "base/error.h"

struct libwslay {
	typeof(&wslay_event_config_set_max_recv_msg_length) config_set_max_recv_msg_length;
	typeof(&wslay_event_config_set_no_buffering) config_set_no_buffering;
	typeof(&wslay_event_context_client_init) context_client_init;
	typeof(&wslay_event_context_free) context_free;
	typeof(&wslay_event_get_close_received) get_close_received;
	typeof(&wslay_event_get_read_enabled) get_read_enabled;
	typeof(&wslay_event_get_status_code_received) get_status_code_received;
	typeof(&wslay_event_get_status_code_sent) get_status_code_sent;
	typeof(&wslay_event_queue_close) queue_close;
	typeof(&wslay_event_queue_msg) queue_msg;
	typeof(&wslay_event_recv) recv;
	typeof(&wslay_event_send) send;
	typeof(&wslay_event_set_error) set_error;
	typeof(&wslay_event_shutdown_read) shutdown_read;
};

/* The same table every time; NULL with an error where the library is missing. */
const struct libwslay *libwslay_load(struct error *err);

#endif
