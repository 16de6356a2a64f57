/* Which variables a command gets. */
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/alloc.h"
#include "veil/veil.h"

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

int veil_pass_env(const char *name, struct error *err)
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

bool veil_passes(const char *variable)
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

void veil_environment(struct string_array *ret_env)
{
	for (char **variable = environ; *variable; variable++)
		if (veil_passes(*variable))
			string_array_add(ret_env, *variable);
}
