#include "engine/disk/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/string_array.h"
#include "proc/process.h"

#define TAIL_SIZE  ((size_t)16 * 1024)
#define TAIL_LINES 20

#define SECONDS_MAX (24 * 60 * 60)

/* --- the environment ------------------------------------------------------------- */

/* Variables that builds, package managers and tests need; `*` at the end is a wildcard. */
static const char *const passed[] = {
	"ACLOCAL_PATH",
	"AR",
	"AS",
	"ASAN_OPTIONS",
	"BUN_INSTALL",
	"CARGO_HOME",
	"CC",
	"CCACHE_*",
	"CFLAGS",
	"CI",
	"CLICOLOR*",
	"CMAKE_PREFIX_PATH",
	"COLORTERM",
	"COLUMNS",
	"COREPACK_HOME",
	"CPATH",
	"CPP",
	"CPPFLAGS",
	"CURL_CA_BUNDLE",
	"CXX",
	"CXXFLAGS",
	"FORCE_COLOR",
	"GCOV_PREFIX*",
	"GOCACHE",
	"GOMODCACHE",
	"GOPATH",
	"GOROOT",
	"HOME",
	"JAVA_HOME",
	"LANG",
	"LANGUAGE",
	"LC_*",
	"LD",
	"LDFLAGS",
	"LD_LIBRARY_PATH",
	"LIBRARY_PATH",
	"LINES",
	"LLVM_PROFILE_FILE",
	"LOGNAME",
	"LSAN_OPTIONS",
	"MAKEFLAGS",
	"MALLOC_PERTURB_",
	"NM",
	"NODE_ENV",
	"NODE_EXTRA_CA_CERTS",
	"NODE_OPTIONS",
	"NODE_PATH",
	"NO_COLOR",
	"NO_PROXY",
	"NVM_DIR",
	"OBJCOPY",
	"PATH",
	"PKG_CONFIG*",
	"PNPM_HOME",
	"PWD",
	"PYENV_ROOT",
	"PYTHONPATH",
	"RANLIB",
	"REQUESTS_CA_BUNDLE",
	"RUSTFLAGS",
	"RUSTUP_HOME",
	"SHELL",
	"SOURCE_DATE_EPOCH",
	"SSL_CERT_DIR",
	"SSL_CERT_FILE",
	"STRIP",
	"TEMP",
	"TERM",
	"TMP",
	"TMPDIR",
	"TZ",
	"UBSAN_OPTIONS",
	"USER",
	"VIRTUAL_ENV",
	"VOLTA_HOME",
	"XDG_CACHE_HOME",
	"XDG_CONFIG_HOME",
	"XDG_DATA_HOME",
	"XDG_STATE_HOME",
	"YARN_CACHE_FOLDER",
	"no_proxy",
};

/* The address of a proxy may hold a name and a password. */
static const char *const proxies[] = {
	"ALL_PROXY",
	"FTP_PROXY",
	"HTTPS_PROXY",
	"HTTP_PROXY",
};

#define ASKED_FOR_MAX 100

static const char *asked_for[ASKED_FOR_MAX];
static size_t asked_for_count;

int command_pass_env(const char *name, struct error *err)
{
	if (!*name || strchr(name, '='))
		return error_set(err, ERROR_INVALID,
			"'%s' is not the name of an environment variable", name);
	if (asked_for_count == ASKED_FOR_MAX)
		return error_set(err, ERROR_INVALID,
			"more than %d variables cannot be passed on", ASKED_FOR_MAX);
	asked_for[asked_for_count++] = name;
	return 0;
}

/* Settings of npm, such as the registry and the cache, but no credentials. */
static bool is_npm_setting(const char *name, const char *value)
{
	static const char *const secret[] = {
		"auth", "cert", "email", "key", "otp", "pass", "secret", "token", "user", ":"};

	if (strncasecmp(name, "npm_config_", strlen("npm_config_")))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(secret); i++)
		if (strcasestr(name + strlen("npm_config_"), secret[i]))
			return false;
	return !strchr(value, '@');
}

static bool is_passed(const char *variable)
{
	const char *sign = strchr(variable, '='), *value = sign ? sign + 1 : "";
	CLEANUP(freep) char *name = sign ? xmemdupz(variable, (size_t)(sign - variable)) : NULL;

	if (!name)
		return false;
	for (size_t i = 0; i < asked_for_count; i++)
		if (!strcmp(name, asked_for[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(passed); i++) {
		size_t len = strlen(passed[i]) - 1;

		if (passed[i][len] == '*' ? !strncmp(name, passed[i], len)
					  : !strcmp(name, passed[i]))
			return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(proxies); i++)
		if (!strcasecmp(name, proxies[i]))
			return !strchr(value, '@');
	return is_npm_setting(name, value);
}

void command_environment(struct string_array *ret_env)
{
	for (char **variable = environ; *variable; variable++)
		if (is_passed(*variable))
			string_array_add(ret_env, *variable);
}

/* --- running it ------------------------------------------------------------------ */

/* The last lines of a text. */
static struct view last_lines(const struct buf *text)
{
	size_t start = text->len;
	int lines = 0;

	while (start > 0) {
		if (text->data[start - 1] == '\n' && start < text->len && ++lines == TAIL_LINES)
			break;
		start--;
	}
	return view_slice(view_of_buf(text), start, text->len);
}

int command_run(
	const struct project *project, const struct command_request *command, struct error *err)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(string_array_release) struct string_array env = {0};
	struct process_request request = PROCESS_REQUEST_INIT;
	CLEANUP(freep) const char **names = NULL;
	CLEANUP(freep) char *how = NULL;
	struct view tail;

	/* As process_request wants it: names of variables to unset, then the added ones. */
	for (char **variable = environ; *variable; variable++)
		if (!is_passed(*variable))
			string_array_addf(
				&env, "%.*s", (int)strcspn(*variable, "="), *variable);
	if (command->kind == ERROR_TEST)
		string_array_addf(&env, "NANOCLAW_TEST_TIMEOUT=%u", command->seconds);
	for (const char *const *added = command->env; added && *added; added++)
		string_array_add(&env, *added);
	names = xcalloc(env.count + 1, sizeof(*names));
	for (size_t i = 0; i < env.count; i++)
		names[i] = env.list[i];
	request.argv = command->argv;
	request.env = names;
	request.cwd_fd = project->root;
	request.timeout_ms = command->seconds * 1000;
	request.end_group = true;
	request.dies_with_us = true;
	if (!command->live) {
		request.output = (struct process_stream){PROCESS_CAPTURE_TAIL, TAIL_SIZE};
		request.errors = (struct process_stream){.mode = PROCESS_WITH_OUTPUT};
	}
	if (process_run(&request, &result, err) < 0)
		return error_prefix(err, "cannot run '%s'", command->shown);
	if (result.timed_out)
		how = xasprintf("took more than %u seconds", command->seconds);
	else if (result.signal)
		how = xasprintf("was killed by signal %d (%s)", result.signal,
			strsignal(result.signal));
	else if (result.exit_code)
		how = xasprintf("failed with exit code %d", result.exit_code);
	else
		return 0;
	tail = last_lines(&result.output);
	return error_set(err, command->kind, "%s %s: %s%s%.*s", command->what, how,
		command->shown, tail.len ? "\n" : "", VIEW_ARGS(view_trim(tail)));
}

int command_seconds(
	const char *variable, unsigned fallback, unsigned *ret_seconds, struct error *err)
{
	const char *text = getenv(variable);
	CLEANUP(freep) char *shown = NULL;
	unsigned long seconds = fallback;
	char *end;

	if (text && *text) {
		errno = 0;
		seconds = strtoul(text, &end, 10);
		if (errno || *end || text[0] < '0' || text[0] > '9' || !seconds ||
			seconds > SECONDS_MAX) {
			shown = quote(view_of(text));
			return error_set(err, ERROR_INVALID,
				"%s is %s: it must be a number of seconds, from 1 to %d",
				variable, shown, SECONDS_MAX);
		}
	}
	*ret_seconds = (unsigned)seconds;
	return 0;
}
