#include "gate/api_address.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/quote.h"

void api_address_release(struct api_address *address)
{
	free(address->host);
	free(address->port);
	free(address->path);
	*address = (struct api_address){0};
}

/* --- parsing ----------------------------------------------------------------- */

static bool is_host(struct view text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!isalnum((unsigned char)text.data[i]) && !strchr("-._:", text.data[i]))
			return false;
	return text.len && text.len < 254;
}

static bool is_port(struct view text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!isdigit((unsigned char)text.data[i]))
			return false;
	return text.len && text.len <= 5;
}

/* "[::1]:8080", "host:8080", "host" */
static bool split_authority(
	struct view authority, bool tls, struct view *ret_host, struct view *ret_port)
{
	const char *colon = memrchr(authority.data, ':', authority.len);
	const char *bracket = memrchr(authority.data, ']', authority.len);
	struct view host = authority;

	*ret_port = view_of(tls ? "443" : "80");
	if (colon && (!bracket || colon > bracket)) {
		host = view_slice(authority, 0, (size_t)(colon - authority.data));
		*ret_port = view_slice(authority, host.len + 1, authority.len);
	}
	if (bracket) {
		if (host.len < 2 || host.data[0] != '[' || host.data[host.len - 1] != ']')
			return false;
		host = view_slice(host, 1, host.len - 1);
	}
	*ret_host = host;
	return is_host(host) && is_port(*ret_port);
}

static bool is_path(const char *text)
{
	for (; *text; text++)
		if (*text <= 0x20 || *text == 0x7f || strchr("?#\\\"<>", *text))
			return false;
	return true;
}

static int url_refuse(const char *url, const char *setting, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(url));

	/* A secret may come before the '@' or after the '?', and this message may be logged. */
	if (strpbrk(url, "@?")) {
		error_set(err, ERROR_INVALID, "%s is not the address of an API", setting);
		return error_hint(err, "it looks like '" API_ADDRESS_DEFAULT
				       "', without a name, password or key in it");
	}
	error_set(err, ERROR_INVALID, "%s is %s, which is not the address of an API", setting,
		shown);
	return error_hint(err, "it looks like '" API_ADDRESS_DEFAULT "'");
}

int api_address_parse(const char *url, const char *setting, struct api_address *ret_address,
	struct error *err)
{
	bool tls = !strncasecmp(url, "https://", strlen("https://"));
	bool plain = !strncasecmp(url, "http://", strlen("http://"));
	const char *rest = url + strlen(tls ? "https://" : "http://");
	struct view authority;
	struct view path;
	struct view host;
	struct view port;

	if (!tls && !plain)
		return url_refuse(url, setting, err);
	authority = (struct view){rest, strcspn(rest, "/?#")};
	if (!authority.len || !split_authority(authority, tls, &host, &port) ||
		!is_path(rest + authority.len))
		return url_refuse(url, setting, err);
	path = view_of(rest + authority.len);
	while (view_ends_with(path, "/"))
		path.len--;
	*ret_address = (struct api_address){
		.tls = tls,
		.host = xmemdupz(host.data, host.len),
		.port = xmemdupz(port.data, port.len),
		.path = xmemdupz(path.data, path.len),
	};
	return 0;
}

char *api_address_origin(const struct api_address *address)
{
	bool v6 = strchr(address->host, ':') != NULL;

	return xasprintf("%s://%s%s%s:%s", address->tls ? "https" : "http", v6 ? "[" : "",
		address->host, v6 ? "]" : "", address->port);
}

/* --- targets ----------------------------------------------------------------- */

/* "." or "..", with "%2e" for a dot. Some servers see them in "..;x", too. */
static bool is_dots(struct view segment)
{
	size_t dots = 0;

	for (size_t i = 0; i < segment.len; dots++) {
		struct view rest = view_slice(segment, i, segment.len);

		if (rest.data[0] == '.')
			i++;
		else if (rest.len >= 3 && !strncasecmp(rest.data, "%2e", 3))
			i += 3;
		else if (rest.data[0] == ';' ||
			 (rest.len >= 3 && !strncasecmp(rest.data, "%3b", 3)))
			break;
		else
			return false;
	}
	return dots == 1 || dots == 2;
}

/* Some servers read a backslash, or a slash that is encoded once or twice, as a slash. */
static bool hides_slash(struct view path)
{
	static const char *const codes[] = {"%25", "%2f", "%5c"};

	for (size_t i = 0; i + 3 <= path.len; i++)
		for (size_t k = 0; k < ARRAY_SIZE(codes); k++)
			if (!strncasecmp(path.data + i, codes[k], 3))
				return true;
	return memchr(path.data, '\\', path.len);
}

static struct view path_of(struct view target)
{
	const char *question = memchr(target.data, '?', target.len);

	return question ? view_slice(target, 0, (size_t)(question - target.data)) : target;
}

bool api_address_covers(const struct api_address *address, struct view target)
{
	struct view path = path_of(target);
	struct view rest = path;
	struct view segment;
	size_t len = strlen(address->path);

	if (!view_starts_with(path, address->path) || (path.len > len && path.data[len] != '/'))
		return false;
	if (hides_slash(path))
		return false;
	while (view_next(&rest, '/', &segment))
		if (is_dots(segment))
			return false;
	return true;
}
