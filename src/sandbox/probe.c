/* Can sandboxes be made here? sandbox_probe() */
#include <string.h>
#include <unistd.h>

#include "sandbox/parts.h"
#include "sandbox/trial.h"
#include "util/scratch.h"

#define PROBE_MS 60000
#define WORD     "in the sandbox"

/* What forbids it where a distribution does, and how it is allowed. */
static const struct {
	const char *file;
	const char *fix;
} locks[] = {
	{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
		"sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"},
	{"/proc/sys/kernel/unprivileged_userns_clone",
		"sudo sysctl kernel.unprivileged_userns_clone=1"},
};

static void hint(enum sandbox_kind kind, struct error *err)
{
	for (size_t i = 0; kind == SANDBOX_BWRAP && i < ARRAY_SIZE(locks); i++)
		if (!access(locks[i].file, F_OK)) {
			error_hint(err, "%s", locks[i].fix);
			return;
		}
	if (kind != SANDBOX_BWRAP)
		error_hint(err, "build the image with 'container/build.sh', or choose the "
				"sandbox 'bwrap'");
}

static int judge(enum sandbox_kind kind, const struct trial *trial, struct error *err)
{
	struct view complaint = view_of_buf(&trial->errors);
	struct view line = {0};

	if (!trial->exit_code && strstr(trial->output.data, WORD))
		return 0;
	view_next(&complaint, '\n', &line);
	if (trial->timed_out)
		error_set(err, ERROR_FAILED, "'%s' does not work here: it hangs",
			sandbox_kind_name(kind));
	else
		error_set(err, ERROR_FAILED, "'%s' does not work here: %.*s",
			sandbox_kind_name(kind),
			line.len ? (int)line.len : (int)strlen("it ended without a word"),
			line.len ? line.data : "it ended without a word");
	hint(kind, err);
	return -1;
}

static int try_one(int root, enum sandbox_kind kind, const char *image, const char *rootfs,
	struct error *err)
{
	CLEANUP(trial_release) struct trial trial = TRIAL_INIT;
	struct sandbox_spec spec = SANDBOX_SPEC_INIT;
	struct ownership *owner = NULL;
	int result;

	if (ownership_open(root, &owner, err) < 0)
		return -1;
	spec.kind = kind;
	spec.argv = (const char *const[]){"sh", "-c", "echo " WORD, NULL};
	spec.workdir = "/tmp";
	spec.image = image;
	spec.rootfs = rootfs;
	result = trial_run(owner, &spec, PROBE_MS, &trial, err);
	ownership_sweep(owner);
	ownership_free(owner);
	return result < 0 ? -1 : judge(kind, &trial, err);
}

int sandbox_probe(
	enum sandbox_kind kind, const char *image, const char *rootfs, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct scratch scratch;
	int result;

	if (scratch_make("nanoclaw-sandbox-", &scratch, err) < 0)
		return -1;
	result = try_one(scratch.fd, kind, image, rootfs, err);
	scratch_remove(&scratch, &ignored);
	return result;
}
