/* Keys: where they come from, when they are read again, and what is refused. */
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gate/credentials.h"
#include "gate/provider.h"
#include "host/base/settings.h"
#include "tempdir.h"

static int find(struct view text, const char *name, char **ret_value, struct error *err)
{
	CLEANUP(settings_release) struct settings settings = SETTINGS_INIT;
	const char *value;

	if (settings_parse(text, ".env", &settings, err) < 0)
		return -1;
	value = settings_in_file(&settings, name);
	*ret_value = value ? xstrdup(value) : NULL;
	return 0;
}

static void put(int root, const char *text, mode_t mode)
{
	int fd = openat(root, ".env", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static void expect(
	struct credentials *credentials, enum credential_kind kind, const char *value)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct credential credential;

	assert_int_equal(
		credentials_get(credentials, provider_find("anthropic"), &credential, &err), 0);
	assert_int_equal(credential.kind, kind);
	if (value)
		assert_string_equal(credential.value, value);
	else
		assert_null(credential.value);
}

static void expect_error(struct credentials *credentials, const char *part, const char *secret)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct credential credential;

	assert_int_equal(
		credentials_get(credentials, provider_find("anthropic"), &credential, &err),
		-1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_non_null(strstr(err.message, part));
	assert_null(strstr(err.message, secret));
	assert_true(!err.hint || !strstr(err.hint, secret));
}

struct fixture {
	struct tempdir *temp;
	int root;
	struct credentials *credentials;
};

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	void *temp;

	if (tempdir_setup(&temp))
		return -1;
	f->temp = temp;
	f->root = f->temp->fd;
	credentials_new(f->root, find, &f->credentials);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	void *temp = f->temp;

	credentials_free(f->credentials);
	free(f);
	return tempdir_teardown(&temp);
}

static void each_kind_is_found_and_the_order_is_claude_codes(void **state)
{
	struct fixture *f = *state;

	expect(f->credentials, CREDENTIAL_NONE, NULL);
	put(f->root, "OTHER=1\n", 0600);
	expect(f->credentials, CREDENTIAL_NONE, NULL);
	put(f->root, "CLAUDE_CODE_OAUTH_TOKEN=o\n", 0600);
	expect(f->credentials, CREDENTIAL_OAUTH, "o");
	put(f->root, "CLAUDE_CODE_OAUTH_TOKEN=o\nANTHROPIC_API_KEY='k'\n", 0600);
	expect(f->credentials, CREDENTIAL_KEY, "k");
	put(f->root, "ANTHROPIC_API_KEY='k'\nexport ANTHROPIC_AUTH_TOKEN=t # mine\n", 0600);
	expect(f->credentials, CREDENTIAL_TOKEN, "t");
	put(f->root, "ANTHROPIC_API_KEY=\nCLAUDE_CODE_OAUTH_TOKEN=o\n", 0600);
	expect(f->credentials, CREDENTIAL_OAUTH, "o");
	unlinkat(f->root, ".env", 0);
	expect(f->credentials, CREDENTIAL_NONE, NULL);
}

static void a_provider_gets_its_own_key_and_no_other(void **state)
{
	struct fixture *f = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct credential credential;

	put(f->root,
		"ANTHROPIC_API_KEY=a\nOPENAI_API_KEY=o\nMISTRAL_API_KEY='m m'\n"
		"NANOCLAW_MODEL_KEY=own\n",
		0600);
	expect(f->credentials, CREDENTIAL_KEY, "a");
	assert_int_equal(
		credentials_get(f->credentials, provider_find("openai"), &credential, &err), 0);
	assert_int_equal(credential.kind, CREDENTIAL_TOKEN);
	assert_string_equal(credential.value, "o");
	assert_string_equal(credential.name, "OPENAI_API_KEY");
	assert_int_equal(
		credentials_get(f->credentials, provider_find("ollama"), &credential, &err), 0);
	assert_string_equal(credential.value, "own");
	assert_int_equal(
		credentials_get(f->credentials, provider_find("groq"), &credential, &err), 0);
	assert_int_equal(credential.kind, CREDENTIAL_NONE);
	/* A bad key is the fault of those who need it. */
	assert_int_equal(
		credentials_get(f->credentials, provider_find("mistral"), &credential, &err),
		-1);
}

/* The same length and, as far as the file system can tell, perhaps the same time. */
static void a_change_is_seen_at_once_each_time(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 300; i++) {
		CLEANUP(freep) char *text = xasprintf("ANTHROPIC_API_KEY=%04d\n", i);
		CLEANUP(freep) char *value = xasprintf("%04d", i);

		put(f->root, text, 0600);
		expect(f->credentials, CREDENTIAL_KEY, value);
	}
}

static void a_file_that_others_write_is_refused(void **state)
{
	static const mode_t wrong[] = {0602, 0666, 0622};
	static const mode_t right[] = {0600, 0400, 0640, 0644};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		put(f->root, "ANTHROPIC_API_KEY=secret\n", wrong[i]);
		expect_error(f->credentials, "may write it", "secret");
		unlinkat(f->root, ".env", 0);
	}
	for (size_t i = 0; i < ARRAY_SIZE(right); i++) {
		put(f->root, "ANTHROPIC_API_KEY=secret\n", right[i]);
		expect(f->credentials, CREDENTIAL_KEY, "secret");
		unlinkat(f->root, ".env", 0);
	}
}

static void a_group_of_others_is_others(void **state)
{
	struct stat st = {.st_mode = S_IFREG | 0660, .st_uid = geteuid(), .st_gid = geteuid()};

	(void)state;
	assert_null(credentials_file_fault(&st));
	st.st_gid++;
	assert_string_equal(credentials_file_fault(&st), "its group can write to it");
	st.st_mode = S_IFREG | 0640;
	assert_null(credentials_file_fault(&st));
}

static void messages_never_hold_what_they_are_about(void **state)
{
	struct fixture *f = *state;

	put(f->root, "ANTHROPIC_API_KEY='sec ret'\n", 0600);
	expect_error(f->credentials, "ANTHROPIC_API_KEY", "sec");
	put(f->root, "ANTHROPIC_API_KEY='secret\r\nx: y'\n", 0600);
	expect_error(f->credentials, "ANTHROPIC_API_KEY", "secret");
	put(f->root, "ANTHROPIC_API_KEY=s\xc3\xa4\n", 0600);
	expect_error(f->credentials, "ANTHROPIC_API_KEY", "\xc3");
	put(f->root, "secret\n", 0600);
	expect_error(f->credentials, ".env:1:1", "secret");
	put(f->root, "ANTHROPIC_API_KEY=good\n", 0600);
	expect(f->credentials, CREDENTIAL_KEY, "good");
}

static void a_link_is_not_followed(void **state)
{
	struct fixture *f = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct credential credential;

	put(f->root, "ANTHROPIC_API_KEY=secret\n", 0600);
	assert_int_equal(renameat(f->root, ".env", f->root, "elsewhere"), 0);
	assert_int_equal(symlinkat("elsewhere", f->root, ".env"), 0);
	assert_int_equal(
		credentials_get(f->credentials, provider_find("anthropic"), &credential, &err),
		-1);
}

/* Last: what was taken stays for the process. */
static void the_environment_wins_is_wiped_and_stays(void **state)
{
	static char variable[] = "ANTHROPIC_API_KEY=from-environment";
	struct fixture *f = *state;

	put(f->root, "ANTHROPIC_AUTH_TOKEN=from-file\n", 0600);
	expect(f->credentials, CREDENTIAL_TOKEN, "from-file");
	putenv(variable);
	credentials_take_environment();
	assert_null(getenv("ANTHROPIC_API_KEY"));
	for (const char *c = variable + strlen("ANTHROPIC_API_KEY=");
		c < variable + sizeof(variable); c++)
		assert_int_equal(*c, '\0');
	expect(f->credentials, CREDENTIAL_KEY, "from-environment");
	credentials_take_environment();
	expect(f->credentials, CREDENTIAL_KEY, "from-environment");
	put(f->root, "ANTHROPIC_API_KEY=changed\n", 0600);
	expect(f->credentials, CREDENTIAL_KEY, "from-environment");
}

static void names_of_secrets_are_known(void **state)
{
	(void)state;
	assert_true(credentials_is_ours("ANTHROPIC_API_KEY"));
	assert_true(credentials_is_ours("ANTHROPIC_AUTH_TOKEN"));
	assert_true(credentials_is_ours("CLAUDE_CODE_OAUTH_TOKEN"));
	assert_true(credentials_is_ours("OPENROUTER_API_KEY"));
	assert_true(credentials_is_ours("NANOCLAW_MODEL_KEY"));
	assert_false(credentials_is_ours("NANOCLAW_MODEL"));
	assert_false(credentials_is_ours("ANTHROPIC_CUSTOM_HEADERS"));
	assert_true(credentials_is_secret("ANTHROPIC_CUSTOM_HEADERS"));
	assert_true(credentials_is_secret("ANTHROPIC_API_KEY"));
	assert_false(credentials_is_secret("ANTHROPIC_MODEL"));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

TESTS(TEST(each_kind_is_found_and_the_order_is_claude_codes),
	TEST(a_provider_gets_its_own_key_and_no_other),
	TEST(a_change_is_seen_at_once_each_time), TEST(a_file_that_others_write_is_refused),
	TEST(messages_never_hold_what_they_are_about), TEST(a_link_is_not_followed),
	cmocka_unit_test(a_group_of_others_is_others),
	cmocka_unit_test(names_of_secrets_are_known),
	TEST(the_environment_wins_is_wiped_and_stays))
