#include <nettle/base64.h>

#include "base/utf8.h"
#include "engine/conflict/internal.h"
#include "engine/conflict/resolver.h"
#include "engine/text/merge.h"
#include "format/json.h"

#define DOCUMENT_VERSION 1

/* --- the document ------------------------------------------------------------------------ */

/* The text, or null if it has no data. */
static json_t *text_or_null(struct view text)
{
	return text.data ? json_text(text) : json_null();
}

static json_t *in_base64(struct view content)
{
	size_t len = BASE64_ENCODE_RAW_LENGTH(content.len);
	CLEANUP(freep) char *encoded = xmalloc(len + 1);

	base64_encode_raw(encoded, content.len, (const uint8_t *)content.data);
	return json_text((struct view){encoded, len});
}

static bool is_text(struct view content)
{
	return !content.data || (utf8_valid(content) && !merge_is_binary(content));
}

static void set_content(json_t *object, const char *key, struct view content, bool encode)
{
	json_object_set_new(object, key,
		encode && content.data ? in_base64(content) : text_or_null(content));
}

static json_t *file_object(const struct resolver_file *file, const char *folder)
{
	CLEANUP(freep) char *edit = xasprintf("%s/%s", folder, file->path->text);
	bool encode = !is_text(file->base) || !is_text(file->current) ||
		      !is_text(file->skill) || !is_text(file->merged);
	json_t *object = json_object();

	json_object_set_new(object, "path", json_text(relpath_view(file->path)));
	json_object_set_new(object, "edit", json_text(view_of(edit)));
	json_object_set_new(object, "conflict", json_boolean(!file->clean));
	json_object_set_new(object, "encoding", json_string(encode ? "base64" : "utf-8"));
	set_content(object, "base", file->base, encode);
	set_content(object, "current", file->current, encode);
	set_content(object, "skill", file->skill, encode);
	set_content(object, "merged", file->merged, encode);
	json_object_set_new(object, "skillName", json_text(view_of(file->skill_name)));
	json_object_set_new(object, "skillVersion", json_text(view_of(file->skill_version)));
	return object;
}

static json_t *skill_object(const struct resolver_skill *skill)
{
	json_t *object = json_object();
	json_t *intents = json_array();

	for (size_t i = 0; i < skill->intent_count; i++) {
		const struct resolver_intent *intent = &skill->intents[i];
		json_t *entry = json_object();

		json_object_set_new(entry, "path", json_text(relpath_view(&intent->path)));
		json_object_set_new(entry, "text", json_text(view_of_buf(&intent->text)));
		json_array_append_new(intents, entry);
	}
	json_object_set_new(object, "name", json_text(view_of(skill->name)));
	json_object_set_new(object, "version", json_text(view_of(skill->version)));
	json_object_set_new(object, "skillMd",
		skill->has_skill_md ? json_text(view_of_buf(&skill->skill_md)) : json_null());
	json_object_set_new(object, "intents", intents);
	return object;
}

int resolver_write_request(const struct resolver_request *request, const char *folder,
	struct buf *out, char **ret_refused)
{
	json_t *document;
	json_t *files;
	json_t *skills;
	size_t size =
		request->state_text.len + request->migration.len + request->test_output.len;

	for (size_t i = 0; i < request->file_count; i++)
		size += request->files[i].base.len + request->files[i].current.len +
			request->files[i].skill.len + request->files[i].merged.len;
	for (size_t i = 0; i < request->skills->count; i++) {
		const struct resolver_skill *skill = &request->skills->list[i];

		size += skill->skill_md.len;
		for (size_t j = 0; j < skill->intent_count; j++)
			size += skill->intents[j].text.len;
	}
	if (size > RESOLVER_MAX_REQUEST) {
		*ret_refused = xasprintf("these files are larger than its limit of %zu MB",
			RESOLVER_MAX_REQUEST / (1024 * 1024));
		return -1;
	}
	for (size_t i = 0; i < request->file_count; i++) {
		const struct relpath *path = request->files[i].path;

		if (!utf8_valid(relpath_view(path)) || !utf8_valid(view_of(folder))) {
			CLEANUP(freep) char *shown = relpath_quote(path);

			*ret_refused = xasprintf(
				"%s cannot be passed to it: its path is not UTF-8", shown);
			return -1;
		}
	}
	document = json_object();
	files = json_array();
	skills = json_array();
	for (size_t i = 0; i < request->file_count; i++)
		json_array_append_new(files, file_object(&request->files[i], folder));
	for (size_t i = 0; i < request->skills->count; i++)
		json_array_append_new(skills, skill_object(&request->skills->list[i]));
	json_object_set_new(document, "version", json_integer(DOCUMENT_VERSION));
	json_object_set_new(document, "operation", json_text(view_of(request->operation)));
	json_object_set_new(document, "files", files);
	json_object_set_new(document, "skills", skills);
	json_object_set_new(document, "state", text_or_null(request->state_text));
	json_object_set_new(document, "migration", text_or_null(request->migration));
	json_object_set_new(document, "testOutput", text_or_null(request->test_output));
	json_write_ours(document, true, out);
	json_decref(document);
	return 0;
}
