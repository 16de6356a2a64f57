#include "test.h"

#include "base/entry.h"

struct fruit {
	const char *name;
	int price;
};

#define FRUIT(identifier) ENTRY(fruits, fruit, identifier)

ENTRY_SET(fruits, fruit)

FRUIT(pear) = {.name = "pear", .price = 3};
FRUIT(apple) = {.name = "apple", .price = 2};
FRUIT(fig) = {.name = "fig", .price = 5};

struct stone {
	const char *name;
};

ENTRY_SET(stones, stone)

static void a_set_has_each_entry_by_its_name(void **state)
{
	const struct fruit *const *fruits = fruits_sorted();

	(void)state;
	assert_string_equal(fruits[0]->name, "apple");
	assert_int_equal(fruits[0]->price, 2);
	assert_string_equal(fruits[1]->name, "fig");
	assert_string_equal(fruits[2]->name, "pear");
	assert_null(fruits[3]);
	assert_ptr_equal(fruits_sorted(), fruits);
}

static void a_set_may_be_empty(void **state)
{
	(void)state;
	assert_null(stones_sorted()[0]);
}

TESTS(cmocka_unit_test(a_set_has_each_entry_by_its_name), cmocka_unit_test(a_set_may_be_empty))
