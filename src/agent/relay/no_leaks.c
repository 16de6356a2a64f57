/*
 * Only for builds with sanitizers: programs that run in a sandbox cannot be searched for leaks
 * there, because nothing may be traced.
 */
const char *__asan_default_options(void); /* NOLINT: its name is given */

const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
