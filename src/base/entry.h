/*
 * Sets without a list: an entry adds itself where it is declared, and the linker collects them in
 * a section. So a skill adds a command, a channel or a kind of sandbox as a file, and edits none.
 *
 *	#define COMMAND(id) ENTRY(commands, command, id)	in the header of the set
 *	COMMAND(apply) = {.name = "apply", …};			an entry
 *
 *	ENTRY_SET(commands, command)				in one file
 *	for (const struct command *const *c = commands_sorted(); *c; c++)
 *
 * The first member of an entry is its name. The order is that of the names, which is the same in
 * every build; two entries of one name are an assertion.
 */
#ifndef BASE_ENTRY_H
#define BASE_ENTRY_H

#define ENTRY(set, type, identifier)                                                           \
	static const struct type type##_##identifier;                                          \
	__attribute__((used, section("nanoclaw_" #set))) static const struct type              \
		*const type##_pointer_##identifier = &type##_##identifier;                     \
	static const struct type type##_##identifier

/* Ends with NULL; made by the first call. A set may be empty. */
#define ENTRY_SET(set, type)                                                                   \
	extern const struct type *const __start_nanoclaw_##set[] __attribute__((weak));        \
	extern const struct type *const __stop_nanoclaw_##set[] __attribute__((weak));         \
	static const struct type *const *set##_sorted(void)                                    \
	{                                                                                      \
		static const struct type **sorted;                                             \
		if (!sorted)                                                                   \
			sorted = entries_sort(__start_nanoclaw_##set, __stop_nanoclaw_##set);  \
		return sorted;                                                                 \
	}

/* A sorted copy of the pointers between these two, with a NULL after it. */
void *entries_sort(const void *start, const void *stop);

#endif
