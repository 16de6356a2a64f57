/*
 * What we would write into a compose file, for comparison with other readers of YAML.
 *
 * Reads any number of requests from standard input: a line with the number of pieces,
 * then each piece as "LENGTH\nBYTES". The first is the file, the others are what the
 * skills a, b, … declare for it, in YAML. The answer is two pieces: the file with the
 * services in it, and the file when they have been taken out again; or "error" and the
 * message. A port that is taken is moved to the next free one.
 */
#include <stdio.h>

#include "engine/package/structured_format.h"

#define NAME       "compose.yaml"
#define MAX_SKILLS 8

struct request {
	struct buf own;
	struct yaml_doc *manifests[MAX_SKILLS];
	struct contribution contributions[MAX_SKILLS];
	size_t count;
};

static void request_release(struct request *request)
{
	buf_release(&request->own);
	for (size_t i = 0; i < request->count; i++)
		yaml_doc_free(request->manifests[i]);
}

static bool read_piece(struct buf *ret_piece)
{
	CLEANUP(freep) char *data = NULL;
	size_t len;

	if (scanf("%zu%*c", &len) != 1)
		return false;
	data = xmalloc(len + 1);
	if (fread(data, 1, len, stdin) != len)
		return false;
	buf_append(ret_piece, data, len);
	return true;
}

static bool read_request(struct request *request)
{
	static const char *const names[MAX_SKILLS] = {"a", "b", "c", "d", "e", "f", "g", "h"};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	size_t pieces;

	if (scanf("%zu%*c", &pieces) != 1 || !read_piece(&request->own))
		return false;
	for (size_t i = 0; i + 1 < pieces && i < MAX_SKILLS; i++) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;

		if (!read_piece(&text) || yaml_parse(view_of_buf(&text), names[i],
						  &request->manifests[i], &err) < 0)
			return false;
		request->contributions[i] =
			(struct contribution){names[i], request->manifests[i]->root};
		request->count++;
	}
	return true;
}

static void print_piece(struct view piece)
{
	printf("%zu\n", piece.len);
	fwrite(piece.data, 1, piece.len, stdout);
}

static int answer(const struct request *request, struct error *err)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("output");
	CLEANUP(structured_output_release)
	struct structured_output output = STRUCTURED_OUTPUT_INIT;
	CLEANUP(buf_release) struct buf own = BUF_INIT;
	struct structured_input input = {
		.name = NAME,
		.own = view_of_buf(&request->own),
		.contributions = request->contributions,
		.contribution_count = request->count,
		.side = CLASH_FIRST, /* the own content keeps its ports */
	};
	struct yaml_node *unwanted;

	if (structured_compose.render(&input, doc, &output, err) < 0 ||
		structured_compose.strip(NAME, view_of_buf(&output.text), output.record,
			request->contributions, request->count, doc, &own, &unwanted, err) < 0)
		return -1;
	print_piece(view_of_buf(&output.text));
	print_piece(view_of_buf(&own));
	return 0;
}

int main(void)
{
	for (;;) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(request_release) struct request request = {.own = BUF_INIT};

		if (!read_request(&request))
			return feof(stdin) ? 0 : 1;
		if (answer(&request, &err) < 0) {
			print_piece(view_of("error"));
			print_piece(view_of(err.message));
		}
	}
}
