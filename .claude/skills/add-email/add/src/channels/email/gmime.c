#include "channels/email/gmime.h"

#include "proc/library.h"

/* The same for all versions of GMime 3. */
#define SONAME "libgmime-3.0.so.0"

const struct gmime *gmime_load(struct error *err)
{
	static struct gmime gmime;
	static bool is_set_up;
	static const struct library_symbol symbols[] = {
		{"g_byte_array_free", &gmime.byte_array_free},
		{"g_date_time_to_unix", &gmime.date_time_to_unix},
		{"g_free", &gmime.free},
		{"g_mime_content_type_get_mime_type", &gmime.content_type_name},
		{"g_mime_content_type_is_type", &gmime.content_type_is},
		{"g_mime_data_wrapper_write_to_stream", &gmime.data_write},
		{"g_mime_init", &gmime.init},
		{"g_mime_message_get_date", &gmime.message_date},
		{"g_mime_message_get_from", &gmime.message_from},
		{"g_mime_message_get_message_id", &gmime.message_id},
		{"g_mime_message_get_subject", &gmime.message_subject},
		{"g_mime_object_get_content_type", &gmime.object_content_type},
		{"g_mime_object_get_header", &gmime.object_header},
		{"g_mime_parser_construct_message", &gmime.parser_message},
		{"g_mime_parser_new_with_stream", &gmime.parser_new},
		{"g_mime_part_get_content", &gmime.part_content},
		{"g_mime_part_get_filename", &gmime.part_filename},
		{"g_mime_part_get_type", &gmime.part_type},
		{"g_mime_part_is_attachment", &gmime.part_is_attachment},
		{"g_mime_part_iter_free", &gmime.iter_free},
		{"g_mime_part_iter_get_current", &gmime.iter_current},
		{"g_mime_part_iter_new", &gmime.iter_new},
		{"g_mime_part_iter_next", &gmime.iter_next},
		{"g_mime_stream_mem_get_byte_array", &gmime.memory_bytes},
		{"g_mime_stream_mem_new", &gmime.memory_new},
		{"g_mime_stream_mem_new_with_buffer", &gmime.memory_of},
		{"g_mime_text_part_get_text", &gmime.text_part_text},
		{"g_mime_text_part_get_type", &gmime.text_part_type},
		{"g_object_unref", &gmime.unref},
		{"g_type_check_instance_is_a", &gmime.is_a},
		{"internet_address_get_name", &gmime.address_name},
		{"internet_address_list_get_address", &gmime.addresses_get},
		{"internet_address_list_length", &gmime.addresses_length},
		{"internet_address_mailbox_get_addr", &gmime.mailbox_address},
		{"internet_address_mailbox_get_type", &gmime.mailbox_type},
		{0},
	};

	if (is_set_up)
		return &gmime;
	if (library_load(SONAME, symbols, err) < 0)
		return NULL;
	gmime.init();
	is_set_up = true;
	return &gmime;
}
