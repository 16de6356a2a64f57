#include "engine/disk/damage.h"

int damage_hint(struct error *err)
{
	return error_hint(err,
		"nothing was changed; 'nanoclaw doctor --fix' mends what is kept in '.nanoclaw', "
		"and 'nanoclaw verify' shows what is damaged");
}
