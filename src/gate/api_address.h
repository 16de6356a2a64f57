/*
 * The address of a model's API: the parts of a base URL such as https://api.anthropic.com or
 * http://127.0.0.1:8080/anthropic.
 */
#ifndef GATE_API_ADDRESS_H
#define GATE_API_ADDRESS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/view.h"

#define API_ADDRESS_DEFAULT "https://api.anthropic.com"

struct api_address {
	bool tls;
	char *host; /* without brackets */
	char *port;
	char *path; /* "", or with a leading slash and no trailing one */
};

void api_address_release(struct api_address *address);

/*
 * ERROR_INVALID if it is neither http nor https, or has more than host, port and path: a user name
 * or password in it would be a credential in the wrong place. `setting` is the name of its
 * setting, for the message.
 */
int api_address_parse(const char *url, const char *setting, struct api_address *ret_address,
	struct error *err);

/* "https://api.anthropic.com:443" and so on: the part before a target. To be freed. */
char *api_address_origin(const struct api_address *address);

/*
 * May an agent request this target, a path and perhaps a query? It must be below the path of the
 * address, and contain no "..", plain or encoded.
 */
bool api_address_covers(const struct api_address *address, struct view target);

#endif
