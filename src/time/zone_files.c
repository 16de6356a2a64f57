/* Where zones are found, and by which names: the part of zone.h that reads the disk. */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/similar.h"
#include "fs/file.h"
#include "fs/stamp.h"
#include "time/zone.h"

#define FOLDER      "/usr/share/zoneinfo"
#define MAX_FILE    ((size_t)256 * 1024)
#define MAX_DEPTH   3
#define MAX_ENTRIES 5000
#define MAX_KEPT    8

static const char utc[] = "TZif2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
			  "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\4"
			  "\0\0\0\0\0\0UTC\0"
			  "TZif2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
			  "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\4"
			  "\0\0\0\0\0\0UTC\0"
			  "\nUTC0\n";

static const char *zone_folder(void)
{
	const char *own = getenv("TZDIR");

	return own && *own ? own : FOLDER;
}

/* Letters, digits, _ + - and single slashes between: nothing that leads elsewhere. */
static bool is_name(const char *name)
{
	size_t len = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				  "0123456789_+-/");

	return len && !name[len] && len <= ZONE_NAME_MAX && name[0] != '/' &&
	       name[len - 1] != '/' && !strstr(name, "//");
}

/* --- the nearest name -------------------------------------------------------- */

struct search {
	const char *word; /* with '_' for spaces */
	struct similar best;
	char *found;
	int entries;
};

/* In lower case, with '_' for spaces. */
static char *zone_lower(const char *text)
{
	char *lower = xstrdup(text);

	for (char *c = lower; *c; c++)
		*c = *c == ' ' ? '_' : (char)tolower((unsigned char)*c);
	return lower;
}

/* The whole name or the last part of it, in any case. */
static void zone_consider(struct search *search, const char *name)
{
	CLEANUP(freep) char *lower = zone_lower(name);
	const char *last = strrchr(lower, '/');
	size_t before = search->best.distance;

	if (!strcmp(lower, search->word) || (last && !strcmp(last + 1, search->word))) {
		search->best.distance = 0;
	} else {
		similar_consider(&search->best, lower);
		if (last)
			similar_consider(&search->best, last + 1);
	}
	if (search->best.distance == before)
		return;
	free(search->found);
	search->found = xstrdup(name);
}

static bool is_place(const char *name)
{
	/* Copies of the others, and files that are no zones. */
	return name[0] >= 'A' && name[0] <= 'Z' && !strchr(name, '.') &&
	       strcmp(name, "SystemV") != 0;
}

static void look_into(struct search *search, const char *path, const char *prefix, int depth)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir)) && search->entries++ < MAX_ENTRIES) {
		CLEANUP(freep) char *name = NULL;
		CLEANUP(freep) char *inner = NULL;
		struct stat st;

		if (!is_place(entry->d_name))
			continue;
		name = xasprintf("%s%s", prefix, entry->d_name);
		inner = xasprintf("%s/%s", path, entry->d_name);
		if (stat(inner, &st) < 0)
			continue;
		if (S_ISREG(st.st_mode)) {
			zone_consider(search, name);
		} else if (S_ISDIR(st.st_mode) && depth < MAX_DEPTH) {
			CLEANUP(freep) char *below = xasprintf("%s/", name);

			look_into(search, inner, below, depth + 1);
		}
	}
	if (dir)
		closedir(dir);
}

/* The name, or one of which at most this many letters are different. */
static char *find_near(const char *words, size_t allowed)
{
	CLEANUP(freep) char *lower = zone_lower(words);
	struct search search = {.word = lower, .best = {lower, NULL, allowed + 1}};

	look_into(&search, zone_folder(), "", 0);
	return search.found;
}

/* --- what people mean -------------------------------------------------------- */

/* "GMT+1" is an hour ahead: in the files of POSIX, 'Etc/GMT-1'. False if it is no offset. */
static bool read_offset(const char *words, char **ret_name)
{
	int hours, minutes = 0, end = 0;
	char sign[2];

	*ret_name = NULL;
	if (!strncasecmp(words, "GMT", 3) || !strncasecmp(words, "UTC", 3))
		words += 3;
	if (sscanf(words, " %1[+-] %2d%n:%2d%n", sign, &hours, &end, &minutes, &end) < 2 ||
		words[end])
		return false;
	if (!minutes && hours >= 0 && hours <= (*sign == '-' ? 12 : 14))
		*ret_name = hours ? xasprintf("Etc/GMT%c%d", *sign == '-' ? '+' : '-', hours)
				  : xstrdup("UTC");
	return true;
}

char *zone_meant(const char *words)
{
	char *name;

	return read_offset(words, &name) ? name : find_near(words, 0);
}

char *zone_suggest(const char *words)
{
	char *name = zone_meant(words);

	/* Short words are like too many names: "USA" is not 'UTC'. */
	return name || read_offset(words, &name) ? name : find_near(words, strlen(words) / 5);
}

/* --- opening ----------------------------------------------------------------- */

static int zone_unknown(const char *name, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(name));
	CLEANUP(freep) char *near = zone_suggest(name);

	error_set(err, ERROR_INVALID, "there is no time zone %s", shown);
	if (near)
		return error_hint(err, "did you mean '%s'?", near);
	if (access(zone_folder(), R_OK) < 0)
		return error_hint(err,
			"this machine has no time zones in '%s': install the package 'tzdata'",
			zone_folder());
	return error_hint(err, "name a city, such as 'Europe/Berlin' or 'America/New_York'");
}

/* The zones used last, in a ring. */
static struct kept_zone {
	struct zone *zone;
	struct stamp stamp;
} kept_zones[MAX_KEPT];
static size_t kept_next;

static struct zone *find_kept(const char *name, const struct stamp *stamp)
{
	for (size_t i = 0; i < MAX_KEPT; i++)
		if (kept_zones[i].zone && !strcmp(zone_name(kept_zones[i].zone), name) &&
			stamp_equal(&kept_zones[i].stamp, stamp))
			return zone_share(kept_zones[i].zone);
	return NULL;
}

static void keep_zone(struct zone *zone, const struct stamp *stamp)
{
	struct kept_zone *kept = &kept_zones[kept_next++ % MAX_KEPT];

	zone_free(kept->zone);
	*kept = (struct kept_zone){zone_share(zone), *stamp};
}

int zone_open(const char *name, struct zone **ret_zone, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(buf_release) struct buf data = BUF_INIT;
	CLEANUP(freep) char *path = NULL;
	struct stamp stamp;
	struct stat st;
	struct zone *zone;

	if (!strcmp(name, "UTC"))
		return zone_parse((struct view){utc, sizeof(utc) - 1}, name, ret_zone, err);
	if (!is_name(name))
		return zone_unknown(name, err);
	path = xasprintf("%s/%s", zone_folder(), name);
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return zone_unknown(name, err);
	stamp = stamp_of(&st);
	zone = find_kept(name, &stamp);
	if (!zone) {
		if (file_read(path, MAX_FILE, &data, &missing) < 0)
			return zone_unknown(name, err);
		if (zone_parse(view_of_buf(&data), name, &zone, err) < 0)
			return -1;
		keep_zone(zone, &stamp);
	}
	*ret_zone = zone;
	return 0;
}

/* --- the zone of this machine ------------------------------------------------ */

static bool is_zone(const char *name)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(zone_freep) struct zone *zone = NULL;

	return zone_open(name, &zone, &ignored) == 0;
}

/* The part of a path after ".../zoneinfo/", or else the whole text. */
static const char *name_in(const char *text)
{
	const char *behind = strstr(text, "zoneinfo/");

	return behind ? behind + strlen("zoneinfo/") : text;
}

static char *from_localtime(void)
{
	char target[256];
	ssize_t len = readlink("/etc/localtime", target, sizeof(target) - 1);

	if (len <= 0)
		return NULL;
	target[len] = '\0';
	return is_zone(name_in(target)) ? xstrdup(name_in(target)) : NULL;
}

static char *from_timezone(void)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *name = NULL;
	struct view line;

	if (file_read("/etc/timezone", 1024, &text, &ignored) < 0)
		return NULL;
	line = view_trim(view_of_buf(&text));
	name = xmemdupz(line.data, line.len);
	return is_zone(name) ? TAKE(name) : NULL;
}

char *zone_default_name(const char *tz)
{
	char *name = NULL;

	if (tz && *tz == ':')
		tz++;
	if (tz && *tz && is_zone(name_in(tz)))
		return xstrdup(name_in(tz));
	name = from_localtime();
	if (!name)
		name = from_timezone();
	return name ? name : xstrdup("UTC");
}
