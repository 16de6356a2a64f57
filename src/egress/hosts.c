#include "egress/hosts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/quote.h"
#include "net/address.h"

#define MAX_LABEL 63

/* --- names ------------------------------------------------------------------- */

static int bad_name(struct view text, const char *why, const char *hint, struct error *err)
{
	CLEANUP(freep)
	char *shown = quote(view_slice(text, 0, text.len < 300 ? text.len : 300));

	error_set(err, ERROR_INVALID, "%s is not the name of a host: %s", shown, why);
	return hint ? error_hint(err, "%s", hint) : -1;
}

/* Its last label is a number, so it is an address or malformed. */
static bool name_ends_in_number(struct view name)
{
	const char *dot = memrchr(name.data, '.', name.len);
	size_t start = dot ? (size_t)(dot - name.data) + 1 : 0;
	struct view label = view_slice(name, start, name.len);
	size_t i = 0;

	if (label.len > 1 && label.data[0] == '0' && (label.data[1] | 0x20) == 'x')
		return true;
	while (i < label.len && isdigit((unsigned char)label.data[i]))
		i++;
	return label.len && i == label.len;
}

static bool is_label(struct view label)
{
	if (!label.len || label.len > MAX_LABEL || label.data[0] == '-' ||
		label.data[label.len - 1] == '-')
		return false;
	for (size_t i = 0; i < label.len; i++)
		if (!isalnum((unsigned char)label.data[i]) && label.data[i] != '-' &&
			label.data[i] != '_')
			return false;
	return true;
}

static int name_check_labels(struct view name, struct error *err)
{
	struct view rest = name;
	struct view label;
	size_t count = 0;

	for (size_t i = 0; i < name.len; i++)
		if ((unsigned char)name.data[i] >= 0x80)
			return bad_name(name, "it has characters outside ASCII",
				"write its DNS form: 'xn--bcher-kva.example'", err);
	for (; view_next(&rest, '.', &label); count++)
		if (!is_label(label))
			return bad_name(name,
				"each label has 1 to 63 of A-Z a-z 0-9 - _, and no '-' at either end",
				NULL, err);
	if (!name.len || name.data[name.len - 1] == '.')
		return bad_name(name, "a label is empty", NULL, err);
	if (count < 2)
		return bad_name(name, "it has no dot",
			"write the whole name, such as 'www.example.com'", err);
	return 0;
}

/* In the form in which addresses are compared. */
static int target_parse_address(struct view text, char **ret_host, struct error *err)
{
	CLEANUP(freep) char *copy = xmemdupz(text.data, text.len);
	struct sockaddr_storage address;
	char shown[ADDRESS_TEXT_MAX];

	if (strlen(copy) != text.len || !address_parse(copy, 0, &address))
		return bad_name(text, "it is an address in an unusual form",
			"write it as '93.184.216.34' or '[2606:4700::1111]'", err);
	address_text((const struct sockaddr *)&address, shown);
	*ret_host = xstrdup(shown);
	return 0;
}

static int target_parse_name(
	struct view text, char **ret_host, bool *ret_address, struct error *err)
{
	struct view name = text;

	if (name.len > 1 && name.data[name.len - 1] == '.')
		name.len--;
	*ret_address = name.len && name_ends_in_number(name);
	if (*ret_address)
		return target_parse_address(name, ret_host, err);
	if (name.len > HOSTS_MAX_NAME)
		return bad_name(text, "it is longer than 253 characters", NULL, err);
	if (name_check_labels(name, err) < 0)
		return -1;
	*ret_host = xmemdupz(name.data, name.len);
	for (char *c = *ret_host; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return 0;
}

/* --- host and port ----------------------------------------------------------- */

static int target_parse_port(
	struct view whole, struct view text, uint16_t *ret_port, struct error *err)
{
	CLEANUP(freep)
	char *shown = quote(view_slice(whole, 0, whole.len < 300 ? whole.len : 300));
	unsigned port = 0;

	for (size_t i = 0; i < text.len && i < 6; i++) {
		if (!isdigit((unsigned char)text.data[i]))
			port = 100000;
		port = port * 10 + (unsigned)(text.data[i] - '0');
	}
	if (!text.len || text.len > 5 || text.data[0] == '0' || port > UINT16_MAX)
		return error_set(err, ERROR_INVALID,
			"the port of %s must be a number from 1 to 65535", shown);
	*ret_port = (uint16_t)port;
	return 0;
}

/* "[::1]:80", "[::1]" */
static int target_split_bracketed(
	struct view text, struct view *ret_host, struct view *ret_port, struct error *err)
{
	const char *end = memchr(text.data, ']', text.len);
	size_t len = end ? (size_t)(end - text.data) : 0;

	if (!end || (len + 1 < text.len && text.data[len + 1] != ':'))
		return bad_name(text, "the brackets are not closed", NULL, err);
	*ret_host = view_slice(text, 1, len);
	*ret_port = len + 1 < text.len ? view_slice(text, len + 2, text.len)
				       : (struct view){NULL, 0};
	return 0;
}

/* `ret_port->data` is NULL without a port. */
static int target_split(
	struct view text, struct view *ret_host, struct view *ret_port, struct error *err)
{
	const char *colon = memchr(text.data, ':', text.len);
	size_t len = colon ? (size_t)(colon - text.data) : text.len;

	if (memchr(text.data, '/', text.len))
		return bad_name(text, "it has a '/'",
			"write the name alone, without 'https://' and without a path", err);
	if (memchr(text.data, '@', text.len))
		return bad_name(text, "it has an '@'", NULL, err);
	if (text.len && text.data[0] == '[')
		return target_split_bracketed(text, ret_host, ret_port, err);
	if (colon && memchr(colon + 1, ':', text.len - len - 1))
		return bad_name(text, "it has several ':'",
			"an IPv6 address must be in brackets: '[2606:4700::1111]:443'", err);
	*ret_host = view_slice(text, 0, len);
	*ret_port = colon ? view_slice(text, len + 1, text.len) : (struct view){NULL, 0};
	return 0;
}

static int target_parse_bracketed(struct view text, char **ret_host, struct error *err)
{
	if (memchr(text.data, '%', text.len))
		return bad_name(text, "it names a device of this machine", NULL, err);
	if (!memchr(text.data, ':', text.len))
		return bad_name(text, "only an IPv6 address can be in brackets", NULL, err);
	return target_parse_address(text, ret_host, err);
}

/* Parses host and port; the port is 0 if missing. */
static int target_parse(struct view text, struct host_target *ret_target, struct error *err)
{
	CLEANUP(host_target_release) struct host_target target = HOST_TARGET_INIT;
	struct view host;
	struct view port;

	if (target_split(text, &host, &port, err) < 0)
		return -1;
	if (text.len && text.data[0] == '[') {
		target.is_address = true;
		if (target_parse_bracketed(host, &target.host, err) < 0)
			return -1;
	} else if (target_parse_name(host, &target.host, &target.is_address, err) < 0) {
		return -1;
	}
	if (port.data && target_parse_port(text, port, &target.port, err) < 0)
		return -1;
	*ret_target = target;
	target.host = NULL;
	return 0;
}

int host_target_parse(
	struct view text, uint16_t otherwise, struct host_target *ret_target, struct error *err)
{
	CLEANUP(host_target_release) struct host_target target = HOST_TARGET_INIT;
	CLEANUP(freep) char *shown = NULL;

	if (target_parse(text, &target, err) < 0)
		return -1;
	if (!target.port)
		target.port = otherwise;
	if (!target.port) {
		shown = quote(text);
		return error_set(err, ERROR_INVALID, "%s has no port", shown);
	}
	*ret_target = target;
	target.host = NULL;
	return 0;
}

bool host_target_equal(const struct host_target *a, const struct host_target *b)
{
	return a->port == b->port && !strcmp(a->host, b->host);
}

char *host_target_text(const struct host_target *target)
{
	bool v6 = strchr(target->host, ':') != NULL;

	return xasprintf("%s%s%s:%u", v6 ? "[" : "", target->host, v6 ? "]" : "", target->port);
}

void host_target_release(struct host_target *target)
{
	free(target->host);
	*target = HOST_TARGET_INIT;
}

/* --- the list ---------------------------------------------------------------- */

static int pattern_check_address(struct view pattern, const char *host, struct error *err)
{
	CLEANUP(freep) char *shown = quote(pattern);
	struct sockaddr_storage address;
	const char *why;

	if (!address_parse(host, 0, &address))
		return error_set(err, ERROR_INVALID, "%s is not an address", shown);
	why = address_refused((const struct sockaddr *)&address);
	if (!why)
		return 0;
	error_set(err, ERROR_INVALID, "%s is %s, which agents cannot reach", shown, why);
	return error_hint(err, "only hosts of the public network can be allowed");
}

int hosts_add(struct hosts *hosts, struct view pattern, struct error *err)
{
	CLEANUP(host_target_release) struct host_target target = HOST_TARGET_INIT;
	bool below = view_starts_with(pattern, "*.");
	struct view rest = view_slice(pattern, below ? 2 : 0, pattern.len);

	if (memchr(rest.data, '*', rest.len))
		return bad_name(pattern, "a '*' must be the first label",
			"write it as '*.example.org'", err);
	if (target_parse(rest, &target, err) < 0)
		return -1;
	if (below && target.is_address)
		return bad_name(pattern, "there are no names below an address", NULL, err);
	if (target.is_address && pattern_check_address(pattern, target.host, err) < 0)
		return -1;
	GROW(hosts->list, hosts->count, hosts->cap);
	hosts->list[hosts->count++] =
		(struct host_pattern){TAKE(target.host), target.port, below};
	return 0;
}

static bool pattern_fits_name(const struct host_pattern *pattern, const char *host)
{
	size_t len = strlen(pattern->host);
	size_t host_len = strlen(host);

	if (!pattern->below)
		return !strcmp(pattern->host, host);
	return host_len > len + 1 && host[host_len - len - 1] == '.' &&
	       !strcmp(host + host_len - len, pattern->host);
}

static bool pattern_fits_port(const struct host_pattern *pattern, uint16_t port)
{
	return pattern->port ? pattern->port == port : port == 80 || port == 443;
}

bool hosts_allow(
	const struct hosts *hosts, const struct host_target *target, bool *ret_name_only)
{
	*ret_name_only = false;
	for (size_t i = 0; i < hosts->count; i++) {
		if (!pattern_fits_name(&hosts->list[i], target->host))
			continue;
		if (pattern_fits_port(&hosts->list[i], target->port)) {
			*ret_name_only = false;
			return true;
		}
		*ret_name_only = true;
	}
	return false;
}

char *host_pattern_text(const struct host_pattern *pattern)
{
	bool v6 = strchr(pattern->host, ':') != NULL;
	CLEANUP(freep)
	char *host = xasprintf("%s%s%s%s", pattern->below ? "*." : "", v6 ? "[" : "",
		pattern->host, v6 ? "]" : "");

	return pattern->port ? xasprintf("%s:%u", host, pattern->port) : TAKE(host);
}

void hosts_copy(const struct hosts *hosts, struct hosts *ret_copy)
{
	struct hosts copy = HOSTS_INIT;

	for (size_t i = 0; i < hosts->count; i++) {
		GROW(copy.list, copy.count, copy.cap);
		copy.list[copy.count] = hosts->list[i];
		copy.list[copy.count++].host = xstrdup(hosts->list[i].host);
	}
	*ret_copy = copy;
}

void hosts_release(struct hosts *hosts)
{
	for (size_t i = 0; i < hosts->count; i++)
		free(hosts->list[i].host);
	free(hosts->list);
	*hosts = HOSTS_INIT;
}
