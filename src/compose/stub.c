#include "compose/stub.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/hash.h"

/* The first eight bytes of the SHA-256 of each line, without white space around it. Sorted. */
static const uint64_t delivered[] = {
	/* clang-format off */
	0x01e001bcd051e7aa, 0x01e8f365b4e05346, 0x0317360f9994b128, 0x039c17bcd286f401,
	0x03a296c1b1d231b0, 0x04251912f5861b91, 0x0462563e98ff059a, 0x052614e8277de8ff,
	0x052fea78397d3c01, 0x06077ca33d7e4729, 0x06d266245c4a0141, 0x08e1b0b8a3008d77,
	0x0b6989f7c079bbb6, 0x0be0ea6cb184428a, 0x0c8d96c9c0c82be0, 0x0d2f09a0d4d556ca,
	0x12983c0922bbf266, 0x14b51d1baabe63d7, 0x1645b590c69baef6, 0x191893274144aced,
	0x1a0bd0b94775864e, 0x1a29008f642e86f8, 0x1ccb6ccb84a04fcb, 0x1ce7c7fbe2c72051,
	0x1df9b632e68f4899, 0x207457199558ce89, 0x243c0297e356857d, 0x26532c2e704da11a,
	0x2704e754ab0a0346, 0x28d3ea5086605815, 0x29e2578eead40269, 0x32fbb862c9c1e28b,
	0x34bdd5edc2c364fd, 0x35c44c68db32d037, 0x3a36792c3b99f715, 0x3cd3e29e0c7a0f0b,
	0x3f90b0018bb2ade0, 0x3fd8ffd36ed55010, 0x42850067fe64a606, 0x445034b6d8b11344,
	0x458be29fe3b46f9b, 0x4694703d2bf0568d, 0x4934d5f39c2b5a80, 0x4a3d84e71573b2e3,
	0x4c325db1be578abf, 0x4ddadeb293db5bda, 0x4f433e21d0a72d94, 0x4f4f5ee750b5e5a9,
	0x527e6c79580c45b2, 0x53ec6729d2a1ffbf, 0x540e79a6ac634e8a, 0x54636ee4eaa74d7b,
	0x56e657a6ae1465e0, 0x57ab42e5f3e8311a, 0x5c2db081995fafb0, 0x5cca0b85d075384b,
	0x5d6030f09517991d, 0x5ec3581d8f533d13, 0x5fa21f456871d848, 0x60169aff5471879e,
	0x60c9d55e30f59fb3, 0x62a7b6e12b17d311, 0x6366b565d9bd9c73, 0x63eeb4ab1949b37c,
	0x64f83c3ce7e2eeea, 0x654aaeb63e5ea555, 0x66c7cf6e2279740b, 0x67f775b17f612b55,
	0x693e5cb19bcada4a, 0x6c7f2f8612cfccc4, 0x6cca8048f925f3af, 0x6f15d9610295f0c6,
	0x6fe7d8aabfa921b2, 0x713ad9e282236cdf, 0x74562c96dba58d98, 0x7774420ac543614e,
	0x77a4eaeadf5bb764, 0x7a07bd1cd9b3073c, 0x7b3e08b4d33ea704, 0x7bafe44930915901,
	0x7daeb59269399e42, 0x7ef1b5b3ef909f96, 0x81c7dc7188420591, 0x81dfffdf4b246ae1,
	0x84d4c7cf51eab449, 0x85f3e6e9cba39917, 0x870efedfa1454074, 0x87523b7342bfd2e2,
	0x8a2a2c73cbb43de0, 0x8c767064bbc9ae74, 0x8dfbde02b4b9edd7, 0x9190fee977047ff0,
	0x932a14b670c4d86f, 0x9427a08fdae93402, 0x96cf4ea228d4f404, 0x9861f8c261cb79e9,
	0x990fd356904cd07a, 0x9bae79d7987cbf88, 0x9c63abcbf1e76f74, 0x9dbdc18dfd4ec813,
	0x9e5904225046abd9, 0x9e6c3b79e95be23f, 0x9e7ff1a892638479, 0xa2d6cb1463a0fc68,
	0xa38f62ffba7790d7, 0xa44336e7205cebf3, 0xa5645ddb2a3b0204, 0xa62d00edb6fd7621,
	0xa773ccbc43673f13, 0xa8216bcabeb545a9, 0xab040b6c423533c1, 0xacd6461dde9a2172,
	0xad332335cfaa348c, 0xad7bb2af40c48020, 0xae2599cf7b4bf210, 0xae8e78e6d2935617,
	0xaf44a69a148c9d3f, 0xb1086e53b8ece90f, 0xb27c7e35d9f710f2, 0xb8a6fe65e685cfbe,
	0xbadb735dc99986c6, 0xbd173559b5efcbe4, 0xc4c55f7e5891185b, 0xc5fe0b158c1f41c5,
	0xc6970078e8b58fc6, 0xc8a20b7ef0f10fa1, 0xcb3f91d54eee30e5, 0xcba991dfa01f27cb,
	0xcd1121361d1fdaa9, 0xcd3cc660b25f17d4, 0xcd87689a248555df, 0xcf9d5a5f60decc8b,
	0xd231c6a3c7d2980d, 0xd27055d9fb534ece, 0xd27cf02fa512c572, 0xd5b17010a2a5c52e,
	0xd91f58f962844d02, 0xdacdb36bf1b2242c, 0xdc3319b806625413, 0xddd3f1c54c26744d,
	0xde2769428295d81b, 0xdf2f6d41f0b52937, 0xe380df495ac8bb4b, 0xe455e20c9b6d64cb,
	0xe4a31b679ddaf753, 0xe8f7efcf96320a64, 0xea31c7fe1ea6cea1, 0xeb13c532d846f3a4,
	0xeb22072518a7940d, 0xee5b6170b5886f22, 0xf00b8dae5244a2bb, 0xf0b19e97b43a6c11,
	0xf1b901847390b0ed, 0xf6f7f7a37eafe5e8, 0xf91bf85b7c8e80c5, 0xf9f1a285570f3316,
	/* clang-format on */
};

struct paragraph {
	struct view text;
	bool heading;
	bool delivered;
	bool kept;
};

struct paragraphs {
	struct paragraph *list;
	size_t count;
	size_t cap;
};

static void paragraphs_release(struct paragraphs *p)
{
	free(p->list);
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static bool is_delivered(struct view line)
{
	struct hash hash = hash_of(view_trim(line));
	uint64_t number = 0;

	for (int i = 0; i < 8; i++)
		number = number << 8 | hash.bytes[i];
	return bsearch(
		&number, delivered, ARRAY_SIZE(delivered), sizeof(*delivered), by_number);
}

/* --- paragraphs -------------------------------------------------------------- */

/* Blank lines separate paragraphs, and a heading is a paragraph by itself. */
static void paragraph_add_line(struct paragraphs *p, struct view line, bool after_blank)
{
	struct paragraph *last;

	if (!p->count || after_blank || p->list[p->count - 1].heading || line.data[0] == '#') {
		GROW(p->list, p->count, p->cap);
		p->list[p->count++] = (struct paragraph){.text = {line.data, 0},
			.heading = line.data[0] == '#',
			.delivered = true};
	}
	last = &p->list[p->count - 1];
	last->text.len = (size_t)(line.data + line.len - last->text.data);
	last->delivered = last->delivered && is_delivered(line);
}

/* Works backwards: a heading is kept if a paragraph below it is. Returns whether all are kept. */
static bool paragraphs_choose(struct paragraphs *p)
{
	bool below = false;
	bool all = true;

	for (size_t i = p->count; i > 0; i--) {
		struct paragraph *paragraph = &p->list[i - 1];

		paragraph->kept = !paragraph->delivered || (paragraph->heading && below);
		below = paragraph->heading ? false : below || paragraph->kept;
		all = all && paragraph->kept;
	}
	return all;
}

void stub_remove(struct view text, struct buf *ret_rest)
{
	CLEANUP(paragraphs_release) struct paragraphs p = {0};
	struct view rest = text, line;
	bool after_blank = false;

	buf_clear(ret_rest);
	while (view_next(&rest, '\n', &line)) {
		if (view_trim(line).len)
			paragraph_add_line(&p, line, after_blank);
		after_blank = !view_trim(line).len;
	}
	if (paragraphs_choose(&p) && p.count) {
		buf_append(ret_rest, text.data, text.len);
		return;
	}
	for (size_t i = 0; i < p.count; i++)
		if (p.list[i].kept)
			buf_appendf(ret_rest, "%s%.*s\n", ret_rest->len ? "\n" : "",
				VIEW_ARGS(p.list[i].text));
}
