/*
 * For nanoclaw-faulty: no index is written (stat_index.h), so that a command makes the
 * same calls each time. What a fault does to the index is tested in unit/stat_index.c.
 */
#include "engine/disk/stat_index.h"

static void __attribute__((constructor)) switch_index_off(void)
{
	stat_index_saving = false;
}
