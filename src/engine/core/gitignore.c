#include "engine/core/gitignore.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "engine/core/wildmatch.h"

/* --- reading ------------------------------------------------------------------ */

/* Spaces at the end do not count, unless a backslash is before them. */
static void trim_spaces(char *line)
{
	char *spaces = NULL;

	for (char *p = line; *p; p++) {
		if (*p == ' ') {
			spaces = spaces ? spaces : p;
			continue;
		}
		spaces = NULL;
		if (*p == '\\' && !*++p)
			return;
	}
	if (spaces)
		*spaces = '\0';
}

static void gitignore_add(struct gitignore *rules, char *line)
{
	struct gitignore_rule rule = {0};

	trim_spaces(line);
	if (*line == '!') {
		rule.negative = true;
		line++;
	}
	rule.len = strlen(line);
	if (rule.len && line[rule.len - 1] == '/') {
		rule.only_folder = true;
		line[--rule.len] = '\0';
	}
	/* An empty rule matches nothing. */
	if (!rule.len || rule.len > GITIGNORE_MAX_RULE)
		return;
	rule.any_depth = !strchr(line, '/');
	rule.literal = strcspn(line, WILDMATCH_SPECIAL);
	rule.pattern = line;
	GROW(rules->rules, rules->count, rules->cap);
	rules->rules[rules->count++] = rule;
}

void gitignore_parse(struct view text, struct gitignore *ret_rules)
{
	struct gitignore rules = GITIGNORE_INIT;
	struct view rest, line;

	if (view_starts_with(text, UTF8_BOM))
		text = view_slice(text, strlen(UTF8_BOM), text.len);
	rules.text = xmemdupz(text.data, text.len);
	rest = (struct view){rules.text, text.len};
	while (view_next(&rest, '\n', &line)) {
		char *start = rules.text + (line.data - rules.text);

		if (!line.len || *start == '#')
			continue;
		start[line.len - (start[line.len - 1] == '\r')] = '\0';
		gitignore_add(&rules, start);
	}
	*ret_rules = rules;
}

void gitignore_release(struct gitignore *rules)
{
	free(rules->text);
	free(rules->rules);
}

/* --- matching ----------------------------------------------------------------- */

/*
 * The part before the first wildcard is compared first and cut off, as git does.
 * That is not only faster: `**` is special after a slash and at the start, and
 * behind this cut any `**` is at the start.
 */
static bool rule_matches_path(const struct gitignore_rule *rule, const char *path)
{
	size_t anchor = rule->pattern[0] == '/';
	const char *pattern = rule->pattern + anchor;
	size_t literal = rule->literal - anchor;

	if (strncmp(pattern, path, literal) != 0)
		return false;
	if (literal == rule->len - anchor && !path[literal])
		return true;
	return wildmatch(pattern + literal, path + literal, true);
}

enum gitignore_match gitignore_match(
	const struct gitignore *rules, const char *path, bool is_folder)
{
	const char *slash, *name;

	if (!rules->count)
		return GITIGNORE_NONE;
	slash = strrchr(path, '/');
	name = slash ? slash + 1 : path;
	for (size_t i = rules->count; i-- > 0;) {
		const struct gitignore_rule *rule = &rules->rules[i];
		bool matches;

		if (rule->only_folder && !is_folder)
			continue;
		if (!rule->any_depth)
			matches = rule_matches_path(rule, path);
		else if (rule->literal == rule->len)
			matches = !strcmp(rule->pattern, name);
		else
			matches = wildmatch(rule->pattern, name, false);
		if (matches)
			return rule->negative ? GITIGNORE_INCLUDE : GITIGNORE_EXCLUDE;
	}
	return GITIGNORE_NONE;
}
