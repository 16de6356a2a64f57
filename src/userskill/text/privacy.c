#include "userskill/text/privacy.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"

#define LEAST_DIGITS 7
#define MOST_DIGITS  15
#define MOST_SHOWN   40

static bool is_alnum(char c)
{
	return (unsigned char)c < 0x80 && isalnum((unsigned char)c);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void privacy_warn(
	struct skill_faults *faults, size_t number, const char *what, struct view text)
{
	CLEANUP(freep) char *shown = NULL;

	text.len = text.len > MOST_SHOWN ? MOST_SHOWN : text.len;
	shown = utf8_excerpt(text);
	skill_faults_add(faults, number, SKILL_WARNING, "%s: '%s'", what, shown);
}

/* --- mail -------------------------------------------------------------------- */

/* RFC 2606 and 6761, and the host itself. */
static bool is_nobodys(struct view domain)
{
	static const char *const names[] = {"example", "example.com", "example.net",
		"example.org", "invalid", "localhost", "test"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t len = strlen(names[i]);

		if (domain.len >= len &&
			!strncasecmp(domain.data + domain.len - len, names[i], len) &&
			(domain.len == len || domain.data[domain.len - len - 1] == '.'))
			return true;
	}
	return false;
}

/* A name with a dot in it, the last part of letters. */
static bool is_domain(struct view domain)
{
	const char *dot = memrchr(domain.data, '.', domain.len);
	size_t letters = 0;

	if (!dot || dot == domain.data || dot[-1] == '.')
		return false;
	for (const char *p = dot + 1; p < domain.data + domain.len; p++) {
		if ((unsigned char)*p >= 0x80 || !isalpha((unsigned char)*p))
			return false;
		letters++;
	}
	return letters >= 2;
}

static void check_mail(struct view line, size_t number, struct skill_faults *faults)
{
	size_t from = 0;

	for (size_t at = 0; at < line.len; at++) {
		size_t start = at;
		size_t end = at + 1;
		struct view domain;

		if (line.data[at] != '@')
			continue;
		while (start > from &&
			(is_alnum(line.data[start - 1]) ||
				strchr("._%+-", line.data[start - 1])) &&
			line.data[start - 1])
			start--;
		while (end < line.len && (is_alnum(line.data[end]) || line.data[end] == '.' ||
						 line.data[end] == '-'))
			end++;
		while (end > at + 1 && (line.data[end - 1] == '.' || line.data[end - 1] == '-'))
			end--;
		domain = view_slice(line, at + 1, end);
		if (start < at && is_domain(domain) && !is_nobodys(domain))
			privacy_warn(
				faults, number, "a mail address", view_slice(line, start, end));
		from = end;
		at = end - 1;
	}
}

/* --- phones ------------------------------------------------------------------ */

struct number {
	size_t end; /* after its last digit */
	size_t digits;
	size_t groups;
	size_t shortest_behind; /* the shortest group but for the first */
	char all[MOST_DIGITS + 1];
	bool dashes_only;
};

/* Digits from `start` on, with at most two separators between them. */
static struct number read_number(struct view line, size_t start)
{
	struct number n = {.end = start, .dashes_only = true, .shortest_behind = MOST_DIGITS};
	size_t between = 0;
	size_t group = 0;

	for (size_t i = start; i < line.len && between <= 2 && n.digits <= MOST_DIGITS; i++) {
		char c = line.data[i];

		if (is_digit(c)) {
			if (between || !n.digits) {
				if (n.groups > 1 && group < n.shortest_behind)
					n.shortest_behind = group;
				n.groups++;
				group = 0;
			}
			between = 0;
			group++;
			if (n.digits < MOST_DIGITS)
				n.all[n.digits] = c;
			n.digits++;
			n.end = i + 1;
		} else if (c && strchr(" -./()", c)) {
			n.dashes_only &= c == '-';
			between += i > start;
		} else if (c != '+' || i != start) {
			break;
		}
	}
	if (n.groups > 1 && group < n.shortest_behind)
		n.shortest_behind = group;
	return n;
}

/* 555-0100 to 555-0199 are for stories. */
static bool is_fictional(const struct number *n)
{
	return n->digits >= 7 && n->digits <= MOST_DIGITS &&
	       !strncmp(n->all + n->digits - 7, "55501", 5);
}

/*
 * With its country ("+49 30 1234567"); in the form 030/1234567, that is with a zero in
 * front and parts; or in that of North America. Dates, versions and amounts have other forms.
 */
static bool is_phone(struct view line, size_t start, const struct number *n)
{
	char first = line.data[start];

	if (n->digits < LEAST_DIGITS || n->digits > MOST_DIGITS || is_fictional(n))
		return false;
	if (n->end < line.len && is_alnum(line.data[n->end]))
		return false;
	if (first == '+')
		return n->digits >= 8;
	if (first == '(')
		return n->groups >= 2 && n->shortest_behind >= 3;
	if (first == '0')
		return n->groups >= 2 && n->groups <= 5 && n->digits >= 9 &&
		       n->shortest_behind >= 2 && n->all[1] != '0';
	return n->digits == 10 && n->groups == 3 && n->shortest_behind >= 3;
}

static void check_phones(struct view line, size_t number, struct skill_faults *faults)
{
	for (size_t i = 0; i < line.len; i++) {
		struct number n;

		if (!is_digit(line.data[i]) && line.data[i] != '+' && line.data[i] != '(')
			continue;
		if (i && (is_alnum(line.data[i - 1]) || strchr("_/.-:", line.data[i - 1])) &&
			line.data[i - 1])
			continue;
		n = read_number(line, i);
		if (is_phone(line, i, &n)) {
			privacy_warn(
				faults, number, "a phone number", view_slice(line, i, n.end));
			i = n.end - 1;
		}
	}
}

void privacy_check(struct view line, size_t number, struct skill_faults *faults)
{
	if (memchr(line.data, '@', line.len))
		check_mail(line, number, faults);
	check_phones(line, number, faults);
}
