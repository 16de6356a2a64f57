/* Tokens and dollars as people read them. All to be freed. */
#ifndef HOST_MONEY_AMOUNTS_H
#define HOST_MONEY_AMOUNTS_H

#include <stdint.h>

/* "1,234,567" */
char *amount_tokens(int64_t tokens);

/* "$12.34"; below a dollar "$0.0123" */
char *amount_dollars(int64_t micro_usd);

#endif
