/* GMime, which parses mails; loaded when the first mail comes. */
#ifndef CHANNELS_EMAIL_GMIME_H
#define CHANNELS_EMAIL_GMIME_H

#include <gmime/gmime.h>

#include "base/error.h"

struct gmime {
	typeof(&g_byte_array_free) byte_array_free;
	typeof(&g_date_time_to_unix) date_time_to_unix;
	typeof(&g_free) free;
	typeof(&g_mime_content_type_get_mime_type) content_type_name;
	typeof(&g_mime_content_type_is_type) content_type_is;
	typeof(&g_mime_data_wrapper_write_to_stream) data_write;
	typeof(&g_mime_init) init;
	typeof(&g_mime_message_get_date) message_date;
	typeof(&g_mime_message_get_from) message_from;
	typeof(&g_mime_message_get_message_id) message_id;
	typeof(&g_mime_message_get_subject) message_subject;
	typeof(&g_mime_object_get_content_type) object_content_type;
	typeof(&g_mime_object_get_header) object_header;
	typeof(&g_mime_parser_construct_message) parser_message;
	typeof(&g_mime_parser_new_with_stream) parser_new;
	typeof(&g_mime_part_get_content) part_content;
	typeof(&g_mime_part_get_filename) part_filename;
	typeof(&g_mime_part_get_type) part_type;
	typeof(&g_mime_part_is_attachment) part_is_attachment;
	typeof(&g_mime_part_iter_free) iter_free;
	typeof(&g_mime_part_iter_get_current) iter_current;
	typeof(&g_mime_part_iter_new) iter_new;
	typeof(&g_mime_part_iter_next) iter_next;
	typeof(&g_mime_stream_mem_get_byte_array) memory_bytes;
	typeof(&g_mime_stream_mem_new) memory_new;
	typeof(&g_mime_stream_mem_new_with_buffer) memory_of;
	typeof(&g_mime_text_part_get_text) text_part_text;
	typeof(&g_mime_text_part_get_type) text_part_type;
	typeof(&g_object_unref) unref;
	typeof(&g_type_check_instance_is_a) is_a;
	typeof(&internet_address_get_name) address_name;
	typeof(&internet_address_list_get_address) addresses_get;
	typeof(&internet_address_list_length) addresses_length;
	typeof(&internet_address_mailbox_get_addr) mailbox_address;
	typeof(&internet_address_mailbox_get_type) mailbox_type;
};

/* The same table every time; NULL with an error where the library is missing. */
const struct gmime *gmime_load(struct error *err);

#endif
