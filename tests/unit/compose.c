#include "test.h"

#include <stdio.h>
#include <string.h>

#include "engine/package/structured_format.h"
#include "engine/text/merge.h"
#include "format/yaml_write.h"

#define FILE_NAME  "compose.yaml"
#define MAX_SKILLS 4

/* A rendering, and everything it needs to be stripped again. */
struct work {
	struct yaml_doc *doc;
	struct yaml_doc *manifests[MAX_SKILLS];
	struct contribution contributions[MAX_SKILLS];
	size_t count;
	struct structured_output output;
	struct buf own;
	struct yaml_node *unwanted;
	const char *file; /* as it is now; or NULL */
};

static void work_release(struct work *w)
{
	for (size_t i = 0; i < w->count; i++)
		yaml_doc_free(w->manifests[i]);
	yaml_doc_free(w->doc);
	structured_output_release(&w->output);
	buf_release(&w->own);
}

static struct yaml_doc *parse(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct yaml_doc *doc = NULL;

	if (yaml_parse(view_of(text), "manifest.yaml", &doc, &err) < 0)
		fail_msg("'%s': %s", text, err.message);
	return doc;
}

/* Skills "a", "b", …, by what they declare; a NULL ends them. */
static struct work work_of(const char *const *declared)
{
	static const char *const names[MAX_SKILLS] = {"a", "b", "c", "d"};
	struct work w = {.doc = yaml_doc_new("output"), .own = BUF_INIT};

	w.output = STRUCTURED_OUTPUT_INIT;
	for (; declared[w.count]; w.count++) {
		w.manifests[w.count] = parse(declared[w.count]);
		w.contributions[w.count] =
			(struct contribution){names[w.count], w.manifests[w.count]->root};
	}
	return w;
}

static int render_into(struct work *w, const char *own, const struct yaml_node *decisions,
	enum clash_side side, struct error *err)
{
	struct structured_input input = {
		.name = FILE_NAME,
		.own = view_of(own),
		.contributions = w->contributions,
		.contribution_count = w->count,
		.decisions = decisions,
		.unwanted = w->unwanted,
		.side = side,
		.file = view_of(w->file ? w->file : ""),
	};

	structured_output_release(&w->output);
	return structured_compose.render(&input, w->doc, &w->output, err);
}

static void render_decided(struct work *w, const char *own, const char *decisions)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = decisions ? parse(decisions) : NULL;

	if (render_into(w, own, doc ? doc->root : NULL, CLASH_NEITHER, &err) < 0)
		fail_msg("'%s': %s", own, err.message);
}

static void render(struct work *w, const char *own)
{
	render_decided(w, own, NULL);
}

static void strip(struct work *w, const char *text, const struct yaml_node *record)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	buf_clear(&w->own);
	if (structured_compose.strip(FILE_NAME, view_of(text), record, w->contributions,
		    w->count, w->doc, &w->own, &w->unwanted, &err) < 0)
		fail_msg("'%s': %s", text, err.message);
}

#define WORK(...) work_of((const char *const[]){__VA_ARGS__, NULL})

/* --- where it is written ---------------------------------------------------------------- */

#define REDIS "{redis: {image: 'redis:alpine', ports: ['6380:6379']}}"
#define REDIS_TEXT                                                                             \
	"  # skill: a\n"                                                                       \
	"  redis:\n"                                                                           \
	"    image: redis:alpine\n"                                                            \
	"    ports:\n"                                                                         \
	"      - \"6380:6379\"\n"

static void a_service_goes_behind_the_others_and_all_else_stays(void **state)
{
	static const struct {
		const char *own;
		const char *rendered;
	} table[] = {
		{"", "services:\n" REDIS_TEXT},
		{"# only this\n", "# only this\n\nservices:\n" REDIS_TEXT},
		{"# only this", "# only this\n\nservices:\n" REDIS_TEXT},
		{"\n", "\nservices:\n" REDIS_TEXT},
		{"---\n", "---\n\nservices:\n" REDIS_TEXT},
		{"---\n# x\n...\n", "---\n# x\n\nservices:\n" REDIS_TEXT "...\n"},
		{"name: x\n...\n# y\n", "name: x\n\nservices:\n" REDIS_TEXT "...\n# y\n"},
		{"name: x", "name: x\n\nservices:\n" REDIS_TEXT},
		{"name: x\n\n", "name: x\n\nservices:\n" REDIS_TEXT},
		{"services:\n", "services:\n" REDIS_TEXT},
		{"services:", "services:\n" REDIS_TEXT},
		{"services: # c\n\n# d\n", "services: # c\n" REDIS_TEXT "\n# d\n"},
		{"services:\n  # add here\n\nvolumes: {}\n",
			"services:\n  # add here\n" REDIS_TEXT "\nvolumes: {}\n"},
		{"services: {}\n", "services:\n" REDIS_TEXT},
		{"services: {  } # none\nname: x\n",
			"services: # none\n" REDIS_TEXT "name: x\n"},
		{"services: ~\nname: x\n", "services:\n" REDIS_TEXT "name: x\n"},
		{"services:   null\n", "services:\n" REDIS_TEXT},
		{"\"services\":\n  w: {image: x} # tail\n",
			"\"services\":\n  w: {image: x} # tail\n" REDIS_TEXT},
		{"services:\n  w:\n    image: x  \n    # in w\n  # below w\n\n# of name\nname: x\n",
			"services:\n  w:\n    image: x  \n    # in w\n  # below w\n" REDIS_TEXT
			"\n# of name\nname: x\n"},
		{"services:\n  w:\n    command: |\n      a\n      # no comment\n\nname: x\n",
			"services:\n  w:\n    command: |\n      a\n      # no comment\n\n" REDIS_TEXT
			"name: x\n"},
		{"services:\n  w: &w\n    image: x\n  v: *w\nname: x\n",
			"services:\n  w: &w\n    image: x\n  v: *w\n" REDIS_TEXT "name: x\n"},
		{"x-b: &b\n  image: x\nservices:\n  w:\n    <<: *b\n",
			"x-b: &b\n  image: x\nservices:\n  w:\n    <<: *b\n" REDIS_TEXT},
		{"services:\n  w:\n    image: \"a\n  b\"\nname: x\n",
			"services:\n  w:\n    image: \"a\n  b\"\n" REDIS_TEXT "name: x\n"},
		{"name: |+\n  text\n\n", "name: |+\n  text\n\nservices:\n" REDIS_TEXT},
		{"\xef\xbb\xbfname: \xc3\xbc\n",
			"\xef\xbb\xbfname: \xc3\xbc\n\nservices:\n" REDIS_TEXT},
		{"\xef\xbb\xbf", "\xef\xbb\xbfservices:\n" REDIS_TEXT},
		{"name: \xe2\x80\xa8 x\nservices:\n", NULL},
		{"services: {w: {image: x}}\n",
			"services: {w: {image: x}, \"redis\": {\"image\": \"redis:alpine\", "
			"\"ports\": [\"6380:6379\"]}}\n"},
		{"services: {w: {image: x}, } # c\n",
			"services: {w: {image: x}, \"redis\": {\"image\": \"redis:alpine\", "
			"\"ports\": [\"6380:6379\"]} } # c\n"},
		{"services: { # none\n }\n",
			"services: { # none\n \"redis\": {\"image\": \"redis:alpine\", "
			"\"ports\": [\"6380:6379\"]}}\n"},
		{"{}", "{\"services\": {\"redis\": {\"image\": \"redis:alpine\", "
		       "\"ports\": [\"6380:6379\"]}}}"},
		{"{\n  \"services\": {\n    \"w\": {}\n  }\n}\n",
			"{\n  \"services\": {\n    \"w\": {},\n    \"redis\": {\"image\": "
			"\"redis:alpine\", \"ports\": [\"6380:6379\"]}\n  }\n}\n"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(work_release) struct work w = WORK(REDIS);

		render(&w, table[i].own);
		if (table[i].rendered)
			assert_string_equal(w.output.text.data, table[i].rendered);
		assert_int_equal(w.output.clashes.count, 0);
		strip(&w, w.output.text.data, w.output.record);
		assert_string_equal(w.own.data, table[i].own);
		assert_null(w.unwanted);
	}
}

static void indentation_and_line_ends_are_those_of_the_file(void **state)
{
	static const char own[] = "services:\r\n    w:\r\n        image: x";
	CLEANUP(work_release)
	struct work w = WORK("{r: {image: x, deploy: {resources: {limits: {cpus: '0.5'}}}, "
			     "ports: [{target: 1, published: 2}]}}");

	(void)state;
	render(&w, own);
	assert_string_equal(w.output.text.data,
		"services:\r\n    w:\r\n        image: x\r\n"
		"    # skill: a\r\n    r:\r\n        deploy:\r\n            resources:\r\n"
		"                limits:\r\n                    cpus: \"0.5\"\r\n"
		"        image: x\r\n        ports:\r\n            - published: 2\r\n"
		"              target: 1\r\n");
	strip(&w, w.output.text.data, w.output.record);
	assert_string_equal(w.own.data, own);
}

static void values_are_read_alike_by_every_reader(void **state)
{
	CLEANUP(work_release)
	struct work w = WORK(
		"{r: {image: x, restart: 'no', tty: true, user: '1000', mem: 1_0, mode: 0440, "
		"command: [yes, 'on', '12:30', \"a\\nb\", ''], environment: {A: , Y: off}, "
		"ports: ['6060:6060/udp', '[::1]:1:1', 80, 2222:22]}}");

	(void)state;
	render(&w, "");
	assert_string_equal(w.output.text.data,
		"services:\n  # skill: a\n  r:\n    command:\n      - \"yes\"\n      - \"on\"\n"
		"      - \"12:30\"\n      - \"a\\nb\"\n      - \"\"\n    environment:\n"
		"      A: null\n      \"Y\": \"off\"\n    image: x\n    mem: \"1_0\"\n    mode: 0440\n"
		"    ports:\n      - \"6060:6060/udp\"\n      - \"[::1]:1:1\"\n      - 80\n"
		"      - \"2222:22\"\n    restart: \"no\"\n    tty: true\n    user: \"1000\"\n");
}

static void nothing_declared_is_the_own_text_whatever_it_is(void **state)
{
	static const char *const owns[] = {"", "services: [", "\t", "a: b"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(owns); i++) {
		CLEANUP(work_release) struct work w = WORK("{}");

		render(&w, owns[i]);
		assert_string_equal(w.output.text.data, owns[i]);
		assert_non_null(w.output.record);
		assert_non_null(w.output.outcome);
		strip(&w, owns[i], w.output.record);
		assert_string_equal(w.own.data, owns[i]);
	}
}

static void what_cannot_be_extended_is_refused_with_the_place(void **state)
{
	static const struct {
		const char *own;
		const char *message;
	} table[] = {
		{"services: [a]\n", "compose.yaml:1:11: 'services' must be a mapping"},
		{"services: x\n", "compose.yaml:1:11: 'services' must be a mapping"},
		{"- a\n", "compose.yaml:1:1: a compose file must be a mapping"},
		{"services:\n\tw: x\n", "compose.yaml:2:1: "},
		{"a: 1\n---\nb: 2\n", "more than one document"},
		{"x: &s {w: {image: x}}\nservices: *s\n",
			"compose.yaml:2:1: 'services' is an alias"},
		{"services: &s\nx: *s\n", "cannot be added to this file"},
		{"name: |\n  text", "cannot be added to this file"},
		{"services:\n  a: 1\n  a: 2\n", "appears twice"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(work_release) struct work w = WORK(REDIS);

		assert_int_equal(render_into(&w, table[i].own, NULL, CLASH_NEITHER, &err), -1);
		assert_int_equal(err.kind, ERROR_INVALID);
		if (!strstr(err.message, table[i].message))
			fail_msg("'%s': %s", table[i].own, err.message);
	}
}

/* --- volumes and networks ----------------------------------------------------------------- */

static void volumes_and_networks_that_are_used_by_name_are_added(void **state)
{
	static const char own[] = "volumes:\n  old:\n";
	CLEANUP(work_release)
	struct work w = WORK(
		"{r: {image: x, volumes: ['data:/x', 'old:/y', './b:/z', '~/h:/h', '/anon', "
		"'/a:/b', 'C:\\d:/e', '${V}:/v', {type: volume, source: long, target: /l}, "
		"{type: bind, source: bound, target: /l}], networks: [back, default]}}",
		"{s: {image: x, volumes: ['data:/q'], networks: {back: , front: {}}}}");

	(void)state;
	render(&w, own);
	assert_non_null(strstr(w.output.text.data,
		"volumes:\n  old:\n  # skills: a, b\n  data: {}\n  # skill: a\n  long: {}\n\n"
		"services:\n"));
	assert_non_null(strstr(w.output.text.data,
		"\n\nnetworks:\n  # skills: a, b\n  back: {}\n  # skill: b\n  front: {}\n"));
	strip(&w, w.output.text.data, w.output.record);
	assert_string_equal(w.own.data, own);
}

static void a_volume_that_a_person_uses_too_is_theirs(void **state)
{
	CLEANUP(work_release) struct work w = WORK("{r: {image: x, volumes: ['data:/x']}}");
	CLEANUP(buf_release) struct buf edited = BUF_INIT;

	(void)state;
	render(&w, "services:\n  w:\n    image: x\n");
	buf_append_str(&edited, w.output.text.data);
	buf_append_str(&edited, "  more: {}\n");
	strip(&w, edited.data, w.output.record);
	assert_string_equal(
		w.own.data, "services:\n  w:\n    image: x\n\nvolumes:\n  more: {}\n");
	buf_clear(&edited);
	buf_append_str(&edited, "services:\n  w:\n    volumes: ['data:/w']\n");
	buf_append_str(&edited, strstr(w.output.text.data, "  # skill: a\n  r:"));
	strip(&w, edited.data, w.output.record);
	assert_string_equal(w.own.data,
		"services:\n  w:\n    volumes: ['data:/w']\n\nvolumes:\n"
		"  # skill: a\n  data: {}\n");
}

/* --- clashes ------------------------------------------------------------------------------ */

static void assert_outcome(const struct work *w, const char *expected)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = parse(expected);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	assert_int_equal(yaml_write(w->output.outcome, &text, &err), 0);
	if (!yaml_equal(w->output.outcome, doc->root))
		fail_msg("the outcome is:\n%s", text.data);
}

static void a_port_that_is_taken_is_a_clash_with_a_free_one(void **state)
{
	static const char own[] =
		"services:\n  w:\n    ports: [\"6380:80\", \"127.0.0.1:6381:1\"]\n";
	CLEANUP(work_release) struct work w = WORK(REDIS);
	const struct clash *clash;

	(void)state;
	render(&w, own);
	assert_int_equal(w.output.clashes.count, 1);
	clash = &w.output.clashes.list[0];
	assert_string_equal(clash->key, "redis:6380:6379/tcp");
	assert_string_equal(clash->about,
		"service 'redis' of skill 'a' wants port 6380/tcp of the host, which service 'w' "
		"of 'compose.yaml' itself has; free is 6382");
	assert_int_equal(clash->claim_count, 2);
	assert_string_equal(clash->claims[0].who, "");
	assert_string_equal(clash->claims[0].what, "w 6380:80/tcp");
	assert_string_equal(clash->claims[1].who, "a");
	assert_null(strstr(w.output.text.data, "ports:\n"));
	assert_outcome(
		&w, "{services: {redis: {skills: [a], ports: []}}, volumes: [], networks: []}");
}

static void a_port_that_is_not_known_is_not_in_the_outcome(void **state)
{
	CLEANUP(work_release)
	struct work w = WORK("{redis: {image: r, ports: ['${PORT}:6379', '6380:1']}}");

	(void)state;
	render(&w, "");
	assert_outcome(&w,
		"{services: {redis: {skills: [a], ports: ['6380']}}, volumes: [], networks: []}");
}

static void merge_sides(const char *redis, const char *own, struct merge_result *ret_result)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(work_release) struct work neither = WORK(redis);
	CLEANUP(work_release) struct work first = WORK(redis);
	CLEANUP(work_release) struct work last = WORK(redis);
	struct merge_options options = {0};

	first.file = last.file = "services:\n  redis: {ports: ['7000:6379']}\n";
	assert_int_equal(render_into(&neither, own, NULL, CLASH_NEITHER, &err), 0);
	assert_int_equal(render_into(&first, own, NULL, CLASH_FIRST, &err), 0);
	assert_int_equal(render_into(&last, own, NULL, CLASH_LAST, &err), 0);
	assert_int_equal(
		merge_contents(&(struct merge_input){view_of_buf(&first.output.text), "first"},
			&(struct merge_input){view_of_buf(&neither.output.text), "neither"},
			&(struct merge_input){view_of_buf(&last.output.text), "last"}, &options,
			ret_result, &err),
		0);
}

/* The markers stand around the lines that are in dispute, and nothing else. */
static void the_three_renderings_merge_to_one_small_conflict(void **state)
{
	static const struct {
		const char *declared;
		const char *merged;
	} table[] = {
		{"{w: {image: x}}",
			"services:\n<<<<<<< first\n  w:\n    ports: [\"6380:80\"]\n=======\n"
			"  # skill: a\n  w:\n    image: x\n>>>>>>> last\nname: x\n"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(merge_result_release) struct merge_result merged = {0};

		merge_sides(table[i].declared,
			"services:\n  w:\n    ports: [\"6380:80\"]\nname: x\n", &merged);
		assert_string_equal(merged.content.data, table[i].merged);
		assert_int_equal(merged.conflicts, 1);
	}
}

/* As a caller notes them: the claims of each clash, and what was resolved in `text`. */
static char *decide(struct work *w, const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("decisions");
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	doc->root = yaml_new_mapping(doc);
	assert_true(w->output.clashes.count > 0);
	for (size_t i = 0; i < w->output.clashes.count; i++) {
		const struct clash *clash = &w->output.clashes.list[i];
		struct yaml_node *decision = yaml_new_mapping(doc);
		struct yaml_node *claims = yaml_new_mapping(doc);
		struct yaml_node *value;

		if (structured_compose.resolved(
			    FILE_NAME, view_of(text), clash, doc, &value, &err) < 0)
			fail_msg("%s", err.message);
		for (size_t k = 0; k < clash->claim_count; k++)
			yaml_set_string(claims, clash->claims[k].who, clash->claims[k].what);
		yaml_set(decision, "claims", claims);
		yaml_set(decision, "value", value ? value : yaml_new_null(doc));
		yaml_set(doc->root, clash->key, decision);
	}
	assert_int_equal(yaml_write(doc->root, &out, &err), 0);
	return buf_take(&out);
}

/* The file has `there` of the service `redis`, which wants 6380. */
static void each_side_of_a_port_gives_it_to_one_service(void **state)
{
	static const struct {
		const char *own;
		const char *there;
		const char *first, *last; /* ports of `w` and `redis` */
		const char *says[2];
	} table[] = {
		{"'6380:80'", "", "'6380:80' 6381", "'6381:80' 6380",
			{" (redis on 6381)", " (w on 6381)"}},
		{"\"127.0.0.1:6380:80\"", "7000:6379", "\"127.0.0.1:6380:80\" 7000",
			"\"127.0.0.1:6381:80\" 6380", {" (redis on 7000)", " (w on 6381)"}},
		{"6380-6381:80-81", "", "6380-6381:80-81 6382", "6382-6383:80-81 6380",
			{" (redis on 6382)", " (w on 6382-6383)"}},
		{"{target: 80, published: 6380}", "", "{target: 80, published: 6380} 6381",
			"{target: 80, published: 6381} 6380",
			{" (redis on 6381)", " (w on 6381)"}},
		{"'${PORT:-6380}:80'", "", "'${PORT:-6380}:80' 6381", "'${PORT:-6381}:80' 6380",
			{" (redis on 6381)", " (w on 6381)"}},
		/* Written in a way that is not edited: without a port. */
		{"\"638\\x30:80\"", "", "\"638\\x30:80\" 6381", "\"638\\x30:80\" -",
			{" (redis on 6381)", ""}},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		for (int side = 0; side < 2; side++) {
			CLEANUP(error_release) struct error err = ERROR_INIT;
			CLEANUP(freep)
			char *own =
				xasprintf("services:\n  w:\n    ports: [%s]\n", table[i].own);
			CLEANUP(freep)
			char *there = xasprintf(
				"services:\n  redis: {ports: ['%s']}\n", table[i].there);
			CLEANUP(work_release) struct work w = WORK(REDIS);
			CLEANUP(freep)
			char *wanted = xstrdup(side ? table[i].last : table[i].first);
			char *host = strrchr(wanted, ' ');
			CLEANUP(freep) char *expected = NULL;

			*host++ = '\0';
			expected = xasprintf("services:\n  w:\n    ports: [%s]\n  # skill: a\n"
					     "  redis:\n    image: redis:alpine\n%s%s%s",
				wanted, *host == '-' ? "" : "    ports:\n      - \"",
				*host == '-' ? "" : host, *host == '-' ? "" : ":6379\"\n");
			w.file = *table[i].there ? there : own;
			assert_int_equal(render_into(&w, own, NULL,
						 side ? CLASH_LAST : CLASH_FIRST, &err),
				0);
			assert_string_equal(w.output.text.data, expected);
			assert_string_equal(w.output.says.data, table[i].says[side]);
		}
}

/* Whoever is decided for is written that way again; alone it has the port that it wants. */
static void either_of_two_skills_can_give_way(void **state)
{
	static const char x[] = "{x: {image: x, ports: ['80:1']}}";
	static const char y[] = "{y: {image: y, ports: ['80:2']}}";

	(void)state;
	for (int side = CLASH_FIRST; side <= CLASH_LAST; side++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(work_release) struct work w = WORK(x, y);
		CLEANUP(work_release) struct work alone = WORK(y);
		CLEANUP(freep) char *text = NULL;
		CLEANUP(freep) char *decisions = NULL;

		assert_int_equal(render_into(&w, "", NULL, (enum clash_side)side, &err), 0);
		assert_int_equal(w.output.clashes.count, 2);
		assert_non_null(
			strstr(w.output.text.data, side == CLASH_FIRST ? "81:2" : "81:1"));
		text = xstrdup(w.output.text.data);
		decisions = decide(&w, text);
		render_decided(&w, "", decisions);
		assert_int_equal(w.output.clashes.count, 0);
		assert_string_equal(w.output.text.data, text);
		render_decided(&alone, "", decisions);
		assert_non_null(strstr(alone.output.text.data, "80:2"));
	}
}

static void a_port_of_two_services_is_a_problem_if_one_is_a_skills(void **state)
{
	static const struct {
		const char *file;
		const char *problem; /* NULL: none */
	} table[] = {
		{"services: {x: {ports: ['80:1', '81:1']}, y: {ports: ['82:1']}}", NULL},
		{"services: {y: {ports: ['80:1']}, z: {ports: ['80:1']}}", NULL},
		{"services: {x: {ports: ['80:1']}, z: {ports: ['80:1/udp']}}", NULL},
		{"services: {x: {ports: ['80:1']}, z: {network_mode: host, ports: ['80:1']}}",
			NULL},
		{"services: [", NULL},
		{"services: {x: {ports: ['80:1']}, z: {ports: ['127.0.0.1:80:1']}}",
			"services 'x' and 'z' in 'compose.yaml' both bind port 80/tcp of the host"},
	};
	CLEANUP(work_release) struct work w = WORK("{x: {image: x, ports: ['80:1']}}");

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(string_array_release) struct string_array problems = {0};

		structured_compose.find_problems(
			FILE_NAME, view_of(table[i].file), w.contributions, w.count, &problems);
		assert_int_equal(problems.count, table[i].problem ? 1 : 0);
		if (table[i].problem)
			assert_string_equal(problems.list[0], table[i].problem);
	}
}

static void of_two_skills_with_one_port_each_has_a_clash(void **state)
{
	static const struct {
		const char *declared[2];
		const char *key; /* of the last; NULL: no clash */
	} table[] = {
		{{"{y: {image: x, ports: ['80:80']}}", "{x: {image: x, ports: ['80:1']}}"},
			"y:80:80/tcp"},
		{{"{x: {image: x, ports: ['80-81:80-81']}}",
			 "{y: {image: x, ports: ['81:1']}}"},
			"y:81:1/tcp"},
		{{"{x: {image: x, ports: ['80:80/udp']}}", "{y: {image: x, ports: ['80:1']}}"},
			NULL},
		{{"{x: {image: x, ports: ['[::1]:80:80']}}",
			 "{y: {image: x, ports: ['127.0.0.1:80:1']}}"},
			NULL},
		{{"{x: {image: x, ports: ['[::1]:80:80']}}",
			 "{y: {image: x, ports: [{target: 1, published: 80}]}}"},
			"y:80:1/tcp"},
		{{"{x: {image: x, ports: [80]}}", "{y: {image: x, ports: ['80:1']}}"}, NULL},
		{{"{x: {image: x, network_mode: host, ports: ['80:80']}}",
			 "{y: {image: x, ports: ['80:1']}}"},
			NULL},
		{{"{x: {image: x, ports: ['80:80', '80:80']}}", "{}"}, NULL},
		{{"{x: {image: x}}", "{x: {image: x}}"}, NULL},
		{{"{x: {image: x, tty: true}}", "{x: {tty: true, image: 'x'}}"}, NULL},
		{{"{x: {image: x}}", "{x: {image: y}}"}, "service x"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(work_release)
		struct work w = WORK(table[i].declared[0], table[i].declared[1]);
		size_t count;

		render(&w, "");
		count = !table[i].key ? 0 : strchr(table[i].key, ':') ? 2 : 1;
		if (w.output.clashes.count != count)
			fail_msg("%zu: %zu clashes", i, w.output.clashes.count);
		if (count)
			assert_string_equal(w.output.clashes.list[count - 1].key, table[i].key);
	}
}

static void a_service_that_is_there_as_declared_is_shared(void **state)
{
	static const char own[] =
		"services:\n  redis: {ports: ['6380:6379'], image: redis:alpine}\n";
	CLEANUP(work_release) struct work w = WORK(REDIS, REDIS);

	(void)state;
	render(&w, own);
	assert_string_equal(w.output.text.data, own);
	assert_int_equal(w.output.clashes.count, 0);
	assert_outcome(&w,
		"{services: {redis: {skills: [a, b], ports: ['6380']}}, volumes: [], networks: []}");
	strip(&w, own, w.output.record);
	assert_string_equal(w.own.data, own);
}

static void a_service_clash_says_who_wants_what(void **state)
{
	CLEANUP(work_release) struct work w = WORK("{w: {image: y}}", "{w: {image: z}}");

	(void)state;
	render(&w, "services:\n  w: {image: x}\n");
	assert_int_equal(w.output.clashes.count, 1);
	assert_int_equal(w.output.clashes.list[0].claim_count, 3);
	assert_string_equal(w.output.clashes.list[0].about,
		"service 'w' is defined differently: 'compose.yaml' itself has {\"image\": \"x\"}; "
		"skill 'a' has {\"image\": \"y\"}; skill 'b' has {\"image\": \"z\"}");
}

/* --- decisions ---------------------------------------------------------------------------- */

static void what_was_resolved_is_written_again(void **state)
{
	static const struct {
		const char *own;
		const char *declared;
		const char *resolved;
		const char *ports; /* outcome of `redis`; NULL: it is not there */
	} table[] = {
		{"services:\n  w:\n    ports: ['6380:1']\n", REDIS,
			"services:\n  w:\n    ports: ['6380:1']\n  # skill: a\n  redis:\n"
			"    image: redis:alpine\n    ports:\n      - \"7000:6379\"\n",
			"['7000']"},
		{"services:\n  w:\n    ports: ['6380:1']\n", REDIS,
			"services:\n  w:\n    ports: ['6380:1']\n  # skill: a\n  redis:\n"
			"    image: redis:alpine\n    ports:\n      - \"6380:6379\"\n",
			"['6380']"},
		{"services:\n  w:\n    ports: ['6380:1']\n", REDIS,
			"services:\n  w:\n    ports: ['6380:1']\n  # skill: a\n  redis:\n"
			"    image: redis:alpine\n",
			"[]"},
		{"services:\n  redis:\n    image: mine # me\nname: x\n", REDIS,
			"services:\n  redis:\n    image: mine # me\nname: x\n", "[]"},
		{"services:\n  redis:\n    image: mine # me\n  w: {image: w}\nname: x\n", REDIS,
			"services:\n" REDIS_TEXT "  w: {image: w}\nname: x\n", "['6380']"},
		{"services:\n  redis:\n    image: mine # me\nname: x\n", REDIS,
			"services:\n  # skill: a\n  redis:\n    image: third\n    ports:\n"
			"      - \"1:1\"\nname: x\n",
			"['1']"},
		{"services:\n  w: {image: w}\n  redis:\n    image: mine # me\nname: x\n", REDIS,
			"services:\n  w: {image: w}\nname: x\n", NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(work_release) struct work w = WORK(table[i].declared);
		CLEANUP(freep) char *decisions = NULL;
		CLEANUP(freep)
		char *outcome = xasprintf("{services: {%s%s%s}, volumes: [], networks: []}",
			table[i].ports ? "redis: {skills: [a], ports: " : "",
			table[i].ports ? table[i].ports : "", table[i].ports ? "}" : "");

		render(&w, table[i].own);
		decisions = decide(&w, table[i].resolved);
		render_decided(&w, table[i].own, decisions);
		assert_int_equal(w.output.clashes.count, 0);
		assert_string_equal(w.output.text.data, table[i].resolved);
		assert_outcome(&w, outcome);
		strip(&w, w.output.text.data, w.output.record);
		assert_string_equal(w.own.data, table[i].own);
	}
}

static void a_decision_that_leads_to_a_taken_port_is_a_clash_again(void **state)
{
	static const char resolved[] = "services:\n  redis: {ports: ['81:6379']}\n";
	CLEANUP(work_release) struct work w = WORK(REDIS);
	CLEANUP(freep) char *decisions = NULL;

	(void)state;
	render(&w, "services:\n  w: {ports: ['6380:1', '81:2']}\n");
	decisions = decide(&w, resolved);
	render_decided(&w, "services:\n  w: {ports: ['6380:1', '81:2']}\n", decisions);
	assert_int_equal(w.output.clashes.count, 1);
	assert_string_equal(w.output.clashes.list[0].key, "redis:81:6379/tcp");
}

static void a_decision_about_other_claims_does_not_count(void **state)
{
	CLEANUP(work_release) struct work w = WORK(REDIS);
	CLEANUP(freep) char *decisions = NULL;

	(void)state;
	render(&w, "services:\n  w: {ports: ['6380:1']}\n");
	decisions = decide(&w, "services:\n  redis: {ports: ['7000:6379']}\n");
	render_decided(&w, "services:\n  other: {ports: ['6380:1']}\n", decisions);
	assert_int_equal(w.output.clashes.count, 1);
}

/* --- edits of a person ------------------------------------------------------------------ */

static void what_a_person_took_out_stays_out(void **state)
{
	CLEANUP(work_release) struct work w = WORK(REDIS, "{s: {image: s}}");

	(void)state;
	render(&w, "");
	strip(&w, "services:\n  # skill: b\n  s:\n    image: s\n", w.output.record);
	assert_string_equal(w.own.data, "");
	assert_non_null(w.unwanted);
	for (int turn = 0; turn < 2; turn++) {
		CLEANUP(freep) char *own = xstrdup(w.own.data);

		render(&w, own);
		assert_string_equal(
			w.output.text.data, "services:\n  # skill: b\n  s:\n    image: s\n");
		assert_int_equal(w.output.warnings.count, 1);
		assert_string_equal(w.output.warnings.list[0],
			"service 'redis' of skill 'a' was left out in 'compose.yaml' by hand; the "
			"edit stays");
		strip(&w, w.output.text.data, w.output.record);
	}
}

static void what_a_person_changed_is_theirs(void **state)
{
	static const char *const edits[] = {
		"services:\n  # skill: a\n  redis:\n    image: redis:8\n",
		("services:\n  # skill: a\n  redis:\n    image: redis:alpine # pin?\n    ports:\n"
		 "      - \"6380:6379\"\n    tty: true\n"),
		"services:\n  # skill: a\n  redis: {image: x}\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(edits); i++) {
		CLEANUP(work_release) struct work w = WORK(REDIS);

		render(&w, "");
		strip(&w, edits[i], w.output.record);
		assert_string_equal(w.own.data, edits[i]);
		render(&w, edits[i]);
		assert_string_equal(w.output.text.data, edits[i]);
		assert_int_equal(w.output.clashes.count, 0);
		assert_int_equal(w.output.warnings.count, 1);
	}
}

static void comments_beside_a_contribution_survive(void **state)
{
	CLEANUP(work_release) struct work w = WORK(REDIS);

	(void)state;
	render(&w, "name: x\n");
	strip(&w, "# 1\nname: x\n# 2\n\nservices:\n" REDIS_TEXT "  # 3\n# 4\n",
		w.output.record);
	assert_string_equal(w.own.data, "# 1\nname: x\n# 2\n  # 3\n# 4\n");
	strip(&w, "name: x\n\nservices: # 5\n" REDIS_TEXT "  mine: {image: x}\n",
		w.output.record);
	assert_string_equal(w.own.data, "name: x\n\nservices: # 5\n  mine: {image: x}\n");
}

static void in_braces_the_commas_go_with_the_entries(void **state)
{
	CLEANUP(work_release) struct work w = WORK("{r: {image: x}, s: {image: y}}");

	(void)state;
	render(&w, "{}");
	assert_string_equal(w.output.text.data,
		"{\"services\": {\"r\": {\"image\": \"x\"}, \"s\": {\"image\": \"y\"}}}");
	strip(&w,
		"{\"services\": {\"r\": {\"image\": \"x\"}, \"s\": {\"image\": \"y\"}, "
		"\"mine\": {}}}",
		w.output.record);
	assert_string_equal(w.own.data, "{\"services\": {\"mine\": {}}}");
}

static void line_ends_may_have_changed(void **state)
{
	CLEANUP(work_release) struct work w = WORK("{r: {image: x}}");

	(void)state;
	render(&w, "name: x\n");
	strip(&w, "name: x\r\n\r\nservices:\r\n  # skill: a\r\n  r:\r\n    image: x\r\n",
		w.output.record);
	assert_string_equal(w.own.data, "name: x\r\n");
}

static void without_a_record_what_is_as_declared_is_taken_out(void **state)
{
	CLEANUP(work_release)
	struct work w = WORK("{r: {image: x, volumes: ['d:/d', 'e:/e']}, s: {image: s}}");

	(void)state;
	strip(&w,
		"services:\n  w: {image: w, volumes: ['e:/e']}\n  # skill: a\n  r: {image: x, "
		"volumes: ['d:/d', 'e:/e']}\n  # mine\n  s: {image: t}\nvolumes:\n  d:\n  e:\n",
		NULL);
	assert_string_equal(w.own.data,
		"services:\n  w: {image: w, volumes: ['e:/e']}\n  # mine\n  s: {image: t}\n"
		"volumes:\n  e:\n");
	assert_null(w.unwanted);
}

/* --- check ------------------------------------------------------------------------------ */

static void wrong_declarations_are_named_with_their_place(void **state)
{
	static const struct {
		const char *declared;
		const char *where; /* NULL: nothing is wrong */
		const char *text;
	} table[] = {
		{REDIS, NULL, NULL},
		{"{a.b_c-1: {build: .}}", NULL, NULL},
		{"null", NULL, NULL},
		{"[a]", "manifest.yaml:1:1", "must be a mapping"},
		{"{a b: {image: x}}", "manifest.yaml:1:2", "'a b' cannot be the name"},
		{"{a: x}", "manifest.yaml:1:5", "a service must be a mapping"},
		{"{a: {tty: true}}", "manifest.yaml:1:2", "neither an 'image' nor a 'build'"},
		{"{a: {image: x, ports: 80}}", "manifest.yaml:1:23",
			"'ports' must be a sequence"},
		{"{a: {image: x, ports: [80, 'x:1']}}", "manifest.yaml:1:28",
			"'x:1' is not a port"},
		{"{a: {image: x, <<: {}}}", "manifest.yaml:1:16", "list the keys themselves"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(yaml_doc_freep) struct yaml_doc *doc = parse(table[i].declared);
		CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

		structured_compose.check(doc->root, &faults);
		if (faults.count != (table[i].where ? 1 : 0))
			fail_msg("%s: %zu faults", table[i].declared, faults.count);
		if (!table[i].where)
			continue;
		assert_string_equal(faults.list[0].where, table[i].where);
		if (!strstr(faults.list[0].text, table[i].text))
			fail_msg("%s: %s", table[i].declared, faults.list[0].text);
	}
}

static void compose_looks_for_its_file_in_this_order(void **state)
{
	(void)state;
	assert_string_equal(structured_compose.names[0], "compose.yaml");
	assert_string_equal(structured_compose.names[3], "docker-compose.yaml");
	assert_null(structured_compose.names[4]);
	assert_string_equal(structured_compose.made_as, "docker-compose.yml");
}

TESTS(cmocka_unit_test(a_service_goes_behind_the_others_and_all_else_stays),
	cmocka_unit_test(indentation_and_line_ends_are_those_of_the_file),
	cmocka_unit_test(values_are_read_alike_by_every_reader),
	cmocka_unit_test(nothing_declared_is_the_own_text_whatever_it_is),
	cmocka_unit_test(what_cannot_be_extended_is_refused_with_the_place),
	cmocka_unit_test(volumes_and_networks_that_are_used_by_name_are_added),
	cmocka_unit_test(a_volume_that_a_person_uses_too_is_theirs),
	cmocka_unit_test(a_port_that_is_not_known_is_not_in_the_outcome),
	cmocka_unit_test(a_port_that_is_taken_is_a_clash_with_a_free_one),
	cmocka_unit_test(the_three_renderings_merge_to_one_small_conflict),
	cmocka_unit_test(a_port_of_two_services_is_a_problem_if_one_is_a_skills),
	cmocka_unit_test(of_two_skills_with_one_port_each_has_a_clash),
	cmocka_unit_test(a_service_that_is_there_as_declared_is_shared),
	cmocka_unit_test(each_side_of_a_port_gives_it_to_one_service),
	cmocka_unit_test(either_of_two_skills_can_give_way),
	cmocka_unit_test(a_service_clash_says_who_wants_what),
	cmocka_unit_test(what_was_resolved_is_written_again),
	cmocka_unit_test(a_decision_that_leads_to_a_taken_port_is_a_clash_again),
	cmocka_unit_test(a_decision_about_other_claims_does_not_count),
	cmocka_unit_test(what_a_person_took_out_stays_out),
	cmocka_unit_test(what_a_person_changed_is_theirs),
	cmocka_unit_test(comments_beside_a_contribution_survive),
	cmocka_unit_test(in_braces_the_commas_go_with_the_entries),
	cmocka_unit_test(line_ends_may_have_changed),
	cmocka_unit_test(without_a_record_what_is_as_declared_is_taken_out),
	cmocka_unit_test(wrong_declarations_are_named_with_their_place),
	cmocka_unit_test(compose_looks_for_its_file_in_this_order))
