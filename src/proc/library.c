#include "proc/library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <string.h>

/*
 * Debian's rule for the name of a library's package: libgit2.so.1.5 is in
 * libgit2-1.5, with a dash since the name ends in a digit; libssl.so.3 in libssl3.
 */
static void hint_package(const char *soname, struct error *err)
{
	const char *so = strstr(soname, ".so.");
	int len;

	if (!so || so == soname)
		return;
	len = (int)(so - soname);
	error_hint(err, "install it, on Debian with: apt install %.*s%s%s", len, soname,
		isdigit((unsigned char)so[-1]) ? "-" : "", so + strlen(".so."));
}

int library_load(const char *soname, const struct library_symbol *symbols, struct error *err)
{
	void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		error_set(err, ERROR_FAILED, "cannot load the library '%s': %s", soname,
			dlerror());
		hint_package(soname, err);
		return -1;
	}
	for (const struct library_symbol *s = symbols; s->name; s++) {
		if (!dlsym(library, s->name)) {
			error_set(err, ERROR_FAILED, "the library '%s' has no '%s'", soname,
				s->name);
			hint_package(soname, err);
			dlclose(library);
			return -1;
		}
	}
	for (const struct library_symbol *s = symbols; s->name; s++) {
		void *address = dlsym(library, s->name);

		/* ISO C has no cast from a pointer to data to one to a function. */
		memcpy(s->pointer, &address, sizeof(address));
	}
	return 0;
}
