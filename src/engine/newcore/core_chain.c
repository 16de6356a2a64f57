#include "engine/newcore/core_chain.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/package/semver.h"
#include "fs/file.h"

#define BETWEEN "-to-"

/* --- names ----------------------------------------------------------------------- */

void core_link_release(struct core_link *link)
{
	free(link->name);
	free(link->from);
	free(link->to);
}

bool core_link_parse(struct view name, struct core_link *ret_link)
{
	size_t found = 0, ways = 0, len = strlen(BETWEEN);
	struct core_link link;

	for (size_t i = 0; i + len < name.len; i++)
		if (!memcmp(name.data + i, BETWEEN, len) &&
			semver_is_valid(view_slice(name, 0, i)) &&
			semver_is_valid(view_slice(name, i + len, name.len))) {
			found = i;
			ways++;
		}
	if (ways != 1)
		return false;
	link = (struct core_link){
		xmemdupz(name.data, name.len),
		xmemdupz(name.data, found),
		xmemdupz(name.data + found + len, name.len - found - len),
	};
	if (semver_compare_text(link.from, link.to) >= 0) {
		core_link_release(&link);
		return false;
	}
	*ret_link = link;
	return true;
}

void core_chain_release(struct core_chain *chain)
{
	for (size_t i = 0; i < chain->count; i++)
		core_link_release(&chain->list[i]);
	free(chain->list);
}

/* The latest start first, then by name: the continuation of a package comes before it. */
static int compare_starts(const void *a, const void *b)
{
	const struct core_link *x = a, *y = b;
	int order = semver_compare_text(y->from, x->from);

	return order ? order : strcmp(x->name, y->name);
}

static int list_links(
	int folder, const char *shown, struct core_chain *ret_links, struct error *err)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CLEANUP(closedirp) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!dir)
		return error_errno(err, "cannot open '%s'", shown);
	while (errno = 0, (entry = readdir(dir))) {
		struct core_link link;

		if (!core_link_parse(view_of(entry->d_name), &link))
			continue;
		GROW(ret_links->list, ret_links->count, ret_links->cap);
		ret_links->list[ret_links->count++] = link;
		if (ret_links->count > CORE_CHAIN_MAX)
			return error_set(err, ERROR_INVALID,
				"'%s' has more than %d update packages", shown, CORE_CHAIN_MAX);
	}
	if (errno)
		return error_errno(err, "cannot read '%s'", shown);
	if (ret_links->count)
		qsort(ret_links->list, ret_links->count, sizeof(*ret_links->list),
			compare_starts);
	return 0;
}

/* --- ways ------------------------------------------------------------------------ */

static bool same_version(const char *a, const char *b)
{
	return semver_compare_text(a, b) == 0;
}

/* For each link: how many paths to `to` go through it; 2 means 2 or more. */
static void count_ways(const struct core_chain *links, const char *to, unsigned char *ways)
{
	for (size_t i = 0; i < links->count; i++) {
		unsigned sum = same_version(links->list[i].to, to);

		for (size_t j = 0; j < i && sum < 2; j++)
			if (ways[j] && same_version(links->list[j].from, links->list[i].to))
				sum += ways[j];
		ways[i] = (unsigned char)(sum < 2 ? sum : 2);
	}
}

static void chain_append(struct core_chain *chain, const struct core_link *link)
{
	GROW(chain->list, chain->count, chain->cap);
	chain->list[chain->count++] =
		(struct core_link){xstrdup(link->name), xstrdup(link->from), xstrdup(link->to)};
}

static int refuse_gap(const struct core_chain *links, const char *shown, const char *from,
	const char *to, struct error *err)
{
	CLEANUP(buf_release) struct buf names = BUF_INIT;

	for (size_t i = links->count; i > 0 && names.len < 400; i--)
		buf_appendf(&names, "%s%s", names.len ? ", " : "", links->list[i - 1].name);
	error_set(err, ERROR_INVALID,
		"no update packages in '%s' lead from core %s to %s: there are %s", shown, from,
		to, names.len ? names.data : "none");
	return error_hint(err, "name a package that begins at %s, or a whole new core", from);
}

static int refuse_ambiguity(const struct core_link *one, const struct core_link *other,
	const char *shown, const char *to, struct error *err)
{
	error_set(err, ERROR_INVALID,
		"update packages in '%s' lead to core %s in more than one way: by '%s' and by "
		"'%s'",
		shown, to, one->name, other->name);
	return error_hint(err, "name one of them: 'nanoclaw update %s/%s'", shown, one->name);
}

/* Append the one way from `from` to `to`. */
static int append_way(const struct core_chain *links, const char *shown, const char *from,
	const char *to, struct core_chain *chain, struct error *err)
{
	CLEANUP(freep) unsigned char *ways = xcalloc(links->count + 1, sizeof(*ways));

	count_ways(links, to, ways);
	while (!same_version(from, to)) {
		const struct core_link *next = NULL;

		for (size_t i = 0; i < links->count; i++) {
			if (!ways[i] || !same_version(links->list[i].from, from))
				continue;
			if (next)
				return refuse_ambiguity(next, &links->list[i], shown, to, err);
			next = &links->list[i];
		}
		if (!next)
			return refuse_gap(links, shown, from, to, err);
		chain_append(chain, next);
		from = next->to;
	}
	return 0;
}

/* The newest version that any way leads to. */
static const char *farthest_version(const struct core_chain *links, const char *from)
{
	CLEANUP(freep) bool *reached = xcalloc(links->count + 1, sizeof(*reached));
	const char *best = from;

	/* From the earliest start on. */
	for (size_t i = links->count; i-- > 0;) {
		const struct core_link *link = &links->list[i];

		reached[i] = same_version(link->from, from);
		for (size_t j = i + 1; j < links->count && !reached[i]; j++)
			reached[i] = reached[j] && same_version(links->list[j].to, link->from);
		if (reached[i] && semver_compare_text(link->to, best) > 0)
			best = link->to;
	}
	return best;
}

static bool any_leads_to(const struct core_chain *links, const char *version)
{
	for (size_t i = 0; i < links->count; i++)
		if (same_version(links->list[i].to, version))
			return true;
	return false;
}

static int find_from_folder(const struct core_chain *links, const char *shown, const char *from,
	const char *to, struct core_chain *chain, struct error *err)
{
	const char *end = to ? to : farthest_version(links, from);

	if (same_version(end, from) && !to && !any_leads_to(links, from)) {
		error_set(err, ERROR_INVALID,
			"no update package in '%s' starts at the current core, %s", shown,
			from);
		return error_hint(err, "name a folder with the whole new core instead");
	}
	return append_way(links, shown, from, end, chain, err);
}

static int find_over_named(const struct core_chain *links, const char *shown, const char *from,
	const struct core_link *named, const char *to, struct core_chain *chain,
	struct error *err)
{
	if (same_version(named->to, from) && (!to || same_version(to, from)))
		return 0;
	if (to && semver_compare_text(to, named->to) < 0)
		return error_set(err, ERROR_INVALID,
			"package '%s' leads beyond core %s, which --to names", named->name, to);
	if (semver_compare_text(named->from, from) < 0)
		return error_set(err, ERROR_INVALID,
			"package '%s' starts at core %s, and the current one is %s",
			named->name, named->from, from);
	if (append_way(links, shown, from, named->from, chain, err) < 0)
		return error_prefix(err,
			"package '%s' starts at core %s, and the current one is %s",
			named->name, named->from, from);
	chain_append(chain, named);
	return append_way(links, shown, named->to, to ? to : named->to, chain, err);
}

int core_chain_find(int folder, const char *shown, const char *from, const char *named,
	const char *to, struct core_chain *ret_chain, struct error *err)
{
	CLEANUP(core_chain_release) struct core_chain links = CORE_CHAIN_INIT;
	CLEANUP(core_chain_release) struct core_chain chain = CORE_CHAIN_INIT;
	struct core_link link = {0};
	int result;

	if (list_links(folder, shown, &links, err) < 0)
		return -1;
	if (named && core_link_parse(view_of(named), &link))
		result = find_over_named(&links, shown, from, &link, to, &chain, err);
	else
		result = find_from_folder(&links, shown, from, to, &chain, err);
	core_link_release(&link);
	if (result < 0)
		return -1;
	*ret_chain = chain;
	chain = CORE_CHAIN_INIT;
	return 0;
}
