#include "time/zone.h"

#include <stdio.h>
#include <string.h>

#include "time/zone_rule.h"

/* More than any place on earth, and what RFC 8536 allows. */
#define OFFSET_MIN (-25 * 3600 + 1)
#define OFFSET_MAX (26 * 3600 - 1)
#define WINDOW     (26 * 3600)

#define HEADER_SIZE     44
#define MAX_CHANGES     10000
#define MAX_TYPES       256
#define MAX_DESIGNATION 4096

/* Transitions beyond this count as never. */
#define FAR ((int64_t)1 << 58)

struct type {
	int32_t offset;
	bool is_dst;
	uint8_t name; /* in `names` */
};

struct zone {
	unsigned users;
	char *name;
	int64_t *changes;
	uint8_t *change_types;
	size_t change_count;
	struct type *types;
	char *names; /* each ends with a NUL */
	bool has_rule;
	struct zone_rule rule;
};

void zone_free(struct zone *zone)
{
	if (!zone || --zone->users)
		return;
	free(zone->name);
	free(zone->changes);
	free(zone->change_types);
	free(zone->types);
	free(zone->names);
	free(zone);
}

struct zone *zone_share(struct zone *zone)
{
	zone->users++;
	return zone;
}

void zone_freep(struct zone **zone)
{
	zone_free(*zone);
}

const char *zone_name(const struct zone *zone)
{
	return zone->name;
}

/* --- the file ---------------------------------------------------------------- */

struct header {
	char version;
	uint32_t ut_count;
	uint32_t std_count;
	uint32_t leap_count;
	uint32_t change_count;
	uint32_t type_count;
	uint32_t name_size;
};

static int64_t number_at(struct view data, size_t at, size_t size)
{
	uint64_t number = (uint8_t)data.data[at] & 0x80 ? UINT64_MAX : 0;

	for (size_t i = 0; i < size; i++)
		number = number << 8 | (uint8_t)data.data[at + i];
	return (int64_t)number;
}

static uint32_t count_at(struct view data, size_t at)
{
	return (uint32_t)number_at(data, at, 4);
}

static int zone_malformed(const char *name, const char *what, struct error *err)
{
	error_set(err, ERROR_INVALID, "the data of the time zone '%s' %s", name, what);
	return -1;
}

static int read_header(
	struct view data, const char *name, struct header *ret_header, struct error *err)
{
	if (data.len < HEADER_SIZE || memcmp(data.data, "TZif", 4) != 0)
		return zone_malformed(name, "is not a zone file", err);
	*ret_header = (struct header){
		.version = data.data[4],
		.ut_count = count_at(data, 20),
		.std_count = count_at(data, 24),
		.leap_count = count_at(data, 28),
		.change_count = count_at(data, 32),
		.type_count = count_at(data, 36),
		.name_size = count_at(data, 40),
	};
	if (ret_header->change_count > MAX_CHANGES || !ret_header->type_count ||
		ret_header->type_count > MAX_TYPES || !ret_header->name_size ||
		ret_header->name_size > MAX_DESIGNATION || ret_header->leap_count > 1000 ||
		ret_header->ut_count > MAX_TYPES || ret_header->std_count > MAX_TYPES)
		return zone_malformed(name, "has impossible counts", err);
	return 0;
}

static size_t body_size(const struct header *h, size_t time_size)
{
	return h->change_count * (time_size + 1) + (size_t)h->type_count * 6 + h->name_size +
	       h->leap_count * (time_size + 4) + h->std_count + h->ut_count;
}

static int read_changes(struct zone *zone, struct view body, const struct header *h,
	size_t time_size, struct error *err)
{
	zone->change_count = h->change_count;
	zone->changes = xcalloc(h->change_count + 1, sizeof(*zone->changes));
	zone->change_types = xcalloc(h->change_count + 1, 1);
	for (size_t i = 0; i < h->change_count; i++) {
		int64_t at = number_at(body, i * time_size, time_size);
		uint8_t type = (uint8_t)body.data[h->change_count * time_size + i];

		at = at < -FAR ? -FAR : at > FAR ? FAR : at;
		if (type >= h->type_count || (i && at <= zone->changes[i - 1]))
			return zone_malformed(zone->name, "has changes out of order", err);
		zone->changes[i] = at;
		zone->change_types[i] = type;
	}
	return 0;
}

static int read_types(
	struct zone *zone, struct view body, const struct header *h, struct error *err)
{
	struct view names =
		view_slice(body, (size_t)h->type_count * 6, h->type_count * 6 + h->name_size);

	zone->types = xcalloc(h->type_count, sizeof(*zone->types));
	zone->names = xmemdupz(names.data, names.len);
	for (size_t i = 0; i < h->type_count; i++) {
		struct type *type = &zone->types[i];

		type->offset = (int32_t)number_at(body, i * 6, 4);
		type->is_dst = body.data[i * 6 + 4] != 0;
		type->name = (uint8_t)body.data[i * 6 + 5];
		if (type->offset < OFFSET_MIN || type->offset > OFFSET_MAX ||
			type->name >= names.len)
			return zone_malformed(zone->name, "has an impossible offset", err);
	}
	return 0;
}

static int read_body(struct zone *zone, struct view body, const struct header *h,
	size_t time_size, struct error *err)
{
	if (h->leap_count)
		return zone_malformed(
			zone->name, "counts leap seconds, which are not supported", err);
	if (read_changes(zone, body, h, time_size, err) < 0)
		return -1;
	return read_types(
		zone, view_slice(body, h->change_count * (time_size + 1), body.len), h, err);
}

/* The rule is between two newlines, and may be empty. */
static int read_rule(struct zone *zone, struct view rest, struct error *err)
{
	const char *end;

	if (rest.len < 2 || rest.data[0] != '\n' ||
		!(end = memchr(rest.data + 1, '\n', rest.len - 1)))
		return zone_malformed(zone->name, "has no end", err);
	rest = view_slice(rest, 1, (size_t)(end - rest.data));
	if (!rest.len)
		return 0;
	zone->has_rule = true;
	if (zone_rule_parse(rest, &zone->rule, err) < 0)
		return error_prefix(err, "the time zone '%s'", zone->name);
	return 0;
}

/* From version 2 on the same follows with times of eight bytes, and the rule. */
static int read_all(struct zone *zone, struct view data, struct error *err)
{
	struct header h;
	size_t size;
	size_t time_size = 4;

	if (read_header(data, zone->name, &h, err) < 0)
		return -1;
	if (h.version >= '2') {
		size = HEADER_SIZE + body_size(&h, time_size);
		if (size > data.len)
			return zone_malformed(zone->name, "is cut off", err);
		data = view_slice(data, size, data.len);
		time_size = 8;
		if (read_header(data, zone->name, &h, err) < 0)
			return -1;
	}
	size = HEADER_SIZE + body_size(&h, time_size);
	if (size > data.len)
		return zone_malformed(zone->name, "is cut off", err);
	if (read_body(zone, view_slice(data, HEADER_SIZE, size), &h, time_size, err) < 0)
		return -1;
	return time_size == 8 ? read_rule(zone, view_slice(data, size, data.len), err) : 0;
}

int zone_parse(struct view data, const char *name, struct zone **ret_zone, struct error *err)
{
	CLEANUP(zone_freep) struct zone *zone = xcalloc(1, sizeof(*zone));

	zone->users = 1;
	zone->name = xstrdup(name);
	if (read_all(zone, data, err) < 0)
		return -1;
	*ret_zone = TAKE(zone);
	return 0;
}

/* --- conversions ------------------------------------------------------------- */

static struct zone_span span_of_type(const struct zone *zone, const struct type *type)
{
	return (struct zone_span){
		.from = INT64_MIN,
		.until = INT64_MAX,
		.offset = type->offset,
		.is_dst = type->is_dst,
		.abbreviation = zone->names + type->name,
	};
}

static struct zone_span span_of_rule(const struct zone *zone, int64_t instant)
{
	struct zone_rule_span span = zone_rule_at(&zone->rule, instant);

	return (struct zone_span){
		.from = span.from,
		.until = span.until,
		.offset = span.period->offset,
		.is_dst = span.is_dst,
		.abbreviation = span.period->abbreviation,
	};
}

/* How many changes are at or before the instant. */
static size_t changes_until(const struct zone *zone, int64_t instant)
{
	size_t low = 0;
	size_t high = zone->change_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (zone->changes[middle] <= instant)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct zone_span zone_span_at(const struct zone *zone, int64_t instant)
{
	int64_t bounded = instant < CIVIL_MIN   ? CIVIL_MIN
			  : instant > CIVIL_MAX ? CIVIL_MAX
						: instant;
	size_t passed = changes_until(zone, bounded);
	struct zone_span span;

	if (passed == zone->change_count && zone->has_rule)
		span = span_of_rule(zone, bounded);
	else
		span = span_of_type(
			zone, &zone->types[passed ? zone->change_types[passed - 1] : 0]);
	if (passed && span.from < zone->changes[passed - 1])
		span.from = zone->changes[passed - 1];
	if (passed < zone->change_count)
		span.until = zone->changes[passed];
	return span;
}

struct civil zone_local(const struct zone *zone, int64_t instant, int32_t *ret_offset)
{
	struct zone_span span = zone_span_at(zone, instant);

	if (ret_offset)
		*ret_offset = span.offset;
	return civil_of(instant + span.offset);
}

struct zone_instants zone_instants(const struct zone *zone, int64_t local)
{
	struct zone_span span = zone_span_at(zone, local - WINDOW);
	struct zone_instants found = {.fit = ZONE_GAP, .first = local, .last = local};
	int64_t gap = local - span.offset;
	int count = 0;

	for (;;) {
		int64_t instant = local - span.offset;
		int32_t before = span.offset;

		if (instant >= span.from && instant < span.until) {
			found.last = instant;
			found.first = count++ ? found.first : instant;
		}
		if (span.until > local + WINDOW || span.until >= CIVIL_MAX)
			break;
		instant = span.until;
		span = zone_span_at(zone, instant);
		if (instant + before <= local && local < instant + span.offset)
			gap = instant;
	}
	if (!count)
		found.first = found.last = gap;
	else
		found.fit = count > 1 ? ZONE_TWICE : ZONE_ONCE;
	return found;
}

void zone_format(const struct zone *zone, int64_t instant, char ret_text[static ZONE_TEXT_SIZE])
{
	int32_t offset;
	struct civil c = zone_local(zone, instant, &offset);
	int size = offset < 0 ? -offset : offset;
	char seconds[4] = "";

	if (size % 60)
		snprintf(seconds, sizeof(seconds), ":%02d", size % 60);
	snprintf(ret_text, ZONE_TEXT_SIZE, "%04d-%02d-%02dT%02d:%02d:%02d%c%02d:%02d%s",
		c.year % 10000, c.month, c.day, c.hour, c.minute, c.second,
		offset < 0 ? '-' : '+', size / 3600, size / 60 % 60, seconds);
}
