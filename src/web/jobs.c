#include "web/jobs.h"

#include "format/json.h"

#define RESULT_MAX ((size_t)64 * 1024) /* in an event */

struct job {
	struct jobs *jobs;
	int64_t number; /* 0: free */
	struct run *run;
	int exit;
	json_t *result;
};

struct jobs {
	struct runs *runs;
	struct events *events;
	struct job list[JOBS_KEPT]; /* number n is at n % JOBS_KEPT */
	int64_t last;
};

static void job_said(struct view line, void *data)
{
	struct job *job = data;

	events_add(
		job->jobs->events, json_build("type:s job:I line:v", "job", job->number, line));
}

static void job_ended(const struct run_result *result, void *data)
{
	struct job *job = data;
	bool fits = result->output.len <= RESULT_MAX;

	job->run = NULL;
	job->exit = result->exit;
	job->result = run_result_json(result);
	events_add(job->jobs->events,
		json_build("type:s job:I exit:i result:O", "job", job->number, job->exit,
			fits ? job->result : json_null()));
}

int job_start(struct jobs *jobs, const struct string_array *words, struct view input,
	int64_t *ret_job, struct error *err)
{
	static const struct run_handlers handlers = {job_said, job_ended};
	struct job *job = &jobs->list[(jobs->last + 1) % JOBS_KEPT];

	if (job->run)
		return error_set(err, ERROR_BUSY, "too many jobs are running");
	if (run_start(jobs->runs, words, input, 0, &handlers, job, &job->run, err) < 0)
		return -1;
	json_decref(job->result);
	job->result = NULL;
	job->jobs = jobs;
	job->number = ++jobs->last;
	*ret_job = job->number;
	return 0;
}

static struct job *job_find(const struct jobs *jobs, int64_t number)
{
	const struct job *job = number > 0 ? &jobs->list[number % JOBS_KEPT] : NULL;

	return job && job->number == number ? (struct job *)(uintptr_t)job : NULL;
}

bool job_stop(struct jobs *jobs, int64_t number)
{
	struct job *job = job_find(jobs, number);

	if (!job || !job->run)
		return false;
	run_interrupt(job->run);
	return true;
}

json_t *jobs_result(const struct jobs *jobs, int64_t number)
{
	const struct job *job = job_find(jobs, number);

	if (!job)
		return NULL;
	if (job->run)
		return json_build("job:I running:b", number, 1);
	return json_build("job:I exit:i result:O", number, job->exit, job->result);
}

struct jobs *jobs_new(struct runs *runs, struct events *events)
{
	struct jobs *jobs = xcalloc(1, sizeof(*jobs));

	jobs->runs = runs;
	jobs->events = events;
	return jobs;
}

void jobs_free(struct jobs *jobs)
{
	if (!jobs)
		return;
	for (size_t i = 0; i < JOBS_KEPT; i++)
		json_decref(jobs->list[i].result);
	free(jobs);
}
