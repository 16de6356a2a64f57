#include "net/stream/libwslay.h"

#include "proc/library.h"

#define SONAME "libwslay.so.1"

const struct libwslay *libwslay_load(struct error *err)
{
	static struct libwslay wslay;
	static bool is_loaded;
	static const struct library_symbol symbols[] = {
		{"wslay_event_config_set_max_recv_msg_length",
			&wslay.config_set_max_recv_msg_length},
		{"wslay_event_config_set_no_buffering", &wslay.config_set_no_buffering},
		{"wslay_event_context_client_init", &wslay.context_client_init},
		{"wslay_event_context_free", &wslay.context_free},
		{"wslay_event_get_close_received", &wslay.get_close_received},
		{"wslay_event_get_read_enabled", &wslay.get_read_enabled},
		{"wslay_event_get_status_code_received", &wslay.get_status_code_received},
		{"wslay_event_get_status_code_sent", &wslay.get_status_code_sent},
		{"wslay_event_queue_close", &wslay.queue_close},
		{"wslay_event_queue_msg", &wslay.queue_msg},
		{"wslay_event_recv", &wslay.recv},
		{"wslay_event_send", &wslay.send},
		{"wslay_event_set_error", &wslay.set_error},
		{"wslay_event_shutdown_read", &wslay.shutdown_read},
		{0},
	};

	if (!is_loaded && library_load(SONAME, symbols, err) < 0)
		return NULL;
	is_loaded = true;
	return &wslay;
}
