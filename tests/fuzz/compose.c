/*
 * Any bytes as a compose file and, after a NUL, as a skill's declaration for it: adding and
 * removing the entries leaves the same bytes, and nothing crashes.
 */
#include <assert.h>
#include <string.h>

#include "engine/package/structured_format.h"
#include "fuzz.h"

#define NAME "compose.yaml"

static const char declared[] =
	"{db: {image: x, ports: ['80:80', '443:443/udp'], volumes: ['data:/d']},"
	" web: {image: y, ports: [{target: 1, published: 8080}], networks: [back]}}";

struct fuzzed {
	struct view own;
	struct contribution contributions[2];
	size_t count;
	struct yaml_doc *doc;
};

static int render(const struct fuzzed *f, struct view own, enum clash_side side,
	struct structured_output *output)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct structured_input input = {
		.name = NAME,
		.own = own,
		.contributions = f->contributions,
		.contribution_count = f->count,
		.side = side,
	};

	if (structured_compose.render(&input, f->doc, output, &err) == 0)
		return 0;
	assert(err.kind == ERROR_INVALID && *err.message);
	return -1;
}

static int strip(const struct fuzzed *f, struct view text, const struct yaml_node *record,
	struct buf *own, struct yaml_node **unwanted)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (structured_compose.strip(NAME, text, record, f->contributions, f->count, f->doc,
		    own, unwanted, &err) == 0)
		return 0;
	assert(err.kind == ERROR_INVALID && *err.message);
	return -1;
}

static void resolve_all(const struct fuzzed *f, const struct structured_output *output)
{
	for (size_t i = 0; i < output->clashes.count; i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct yaml_node *value;

		/* Of several clashes about one port, the first says what they are about. */
		assert(output->clashes.list[i].claim_count);
		structured_compose.resolved(NAME, view_of_buf(&output->text),
			&output->clashes.list[i], f->doc, &value, &err);
	}
}

static void check_side(const struct fuzzed *f, enum clash_side side)
{
	CLEANUP(structured_output_release)
	struct structured_output output = STRUCTURED_OUTPUT_INIT;
	CLEANUP(structured_output_release)
	struct structured_output again = STRUCTURED_OUTPUT_INIT;
	CLEANUP(buf_release) struct buf own = BUF_INIT;
	struct yaml_node *unwanted = NULL;

	if (render(f, f->own, side, &output) < 0)
		return;
	resolve_all(f, &output);
	if (strip(f, view_of_buf(&output.text), output.record, &own, &unwanted) < 0) {
		assert(output.clashes.count);
		return;
	}
	if (output.clashes.count)
		return;
	assert(!unwanted && view_equal(view_of_buf(&own), f->own));
	assert(render(f, view_of_buf(&own), side, &again) == 0);
	assert(view_equal(view_of_buf(&again.text), view_of_buf(&output.text)));
}

/* The file may be any, whatever the record says of it. */
static void check_strip(const struct fuzzed *f)
{
	CLEANUP(structured_output_release)
	struct structured_output output = STRUCTURED_OUTPUT_INIT;
	CLEANUP(buf_release) struct buf by_record = BUF_INIT;
	CLEANUP(buf_release) struct buf by_declaration = BUF_INIT;
	struct yaml_node *unwanted;

	strip(f, f->own, NULL, &by_declaration, &unwanted);
	if (render(f, view_of("name: x"), CLASH_FIRST, &output) == 0)
		strip(f, f->own, output.record, &by_record, &unwanted);
}

static void check_nothing(const struct fuzzed *f)
{
	CLEANUP(structured_output_release)
	struct structured_output output = STRUCTURED_OUTPUT_INIT;
	struct fuzzed nobody = {.own = f->own, .doc = f->doc};

	assert(render(&nobody, f->own, CLASH_NEITHER, &output) == 0);
	assert(view_equal(view_of_buf(&output.text), f->own));
}

FUZZ_TARGET(compose)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("output");
	CLEANUP(yaml_doc_freep) struct yaml_doc *ours = NULL;
	CLEANUP(yaml_doc_freep) struct yaml_doc *theirs = NULL;
	struct fuzzed f = {.own = {(const char *)data, len}, .count = 1, .doc = doc};
	const uint8_t *nul = len ? memchr(data, '\0', len) : NULL;

	assert(yaml_parse(view_of(declared), "a", &ours, &err) == 0);
	f.contributions[0] = (struct contribution){"a", ours->root};
	if (nul) {
		f.own.len = (size_t)(nul - data);
		if (yaml_parse((struct view){(const char *)nul + 1, len - f.own.len - 1}, "b",
			    &theirs, &err) == 0) {
			CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

			structured_compose.check(theirs->root, &faults);
			f.contributions[f.count++] = (struct contribution){"b", theirs->root};
		}
	}
	check_nothing(&f);
	check_strip(&f);
	for (int side = CLASH_NEITHER; side <= CLASH_LAST; side++)
		check_side(&f, (enum clash_side)side);
	return 0;
}
