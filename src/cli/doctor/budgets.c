/* Can usage be counted, and is a group paused by its budget? */
#include <string.h>

#include "cli/doctor/doctor.h"
#include "host/money/budget.h"
#include "host/money/prices.h"
#include "time/timestamp.h"

static void prices_check(struct doctor *doctor, const struct budget *budget)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(prices_release) struct prices prices = PRICES_INIT;
	CLEANUP(usage_sums_release) struct usage_sums models = {0};
	char month[USAGE_DAY_SIZE]; /* its first day */
	struct usage_filter filter = {NULL, month, budget->day};

	memcpy(month, budget->day, sizeof(month));
	memcpy(month + strlen("2026-11-"), "01", 2);

	if (prices_read(doctor->project.root, &prices, &err) < 0) {
		doctor_problem(doctor, "prices", err.hint, "%s; the default prices are used",
			err.message);
		return;
	}
	if (store_usage_list(doctor->store, &filter, USAGE_BY_MODEL, &models, &err) < 0) {
		doctor_warning(doctor, "prices", err.hint, "%s", err.message);
		return;
	}
	for (size_t i = 0; i < models.count; i++)
		if (models.list[i].figures.unpriced)
			doctor_warning(doctor, "prices", "nanoclaw usage --by model",
				"the price of the model '%s' is unknown, and it counts like the "
				"dearest: set it in '%s'",
				models.list[i].name, PRICES_FILE);
}

/* Is the group paused? Faults in its file are another probe's subject. */
static bool group_is_paused(
	struct doctor *doctor, const struct budget_desk *desk, const char *folder)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(budget_release) struct budget budget = BUDGET_INIT;
	CLEANUP(freep) char *reason = NULL;
	CLEANUP(freep) char *remedy = NULL;
	const struct budget_line *line;

	if (budget_look(desk, folder, timestamp_now(), &budget, &ignored) < 0)
		return false;
	line = budget_used_up(&budget);
	if (!line)
		return false;
	reason = budget_reason(&budget, line);
	remedy = budget_remedy(&budget, line);
	doctor_warning(doctor, "budgets", remedy, "%s", reason);
	return true;
}

static void run_budgets(struct doctor *doctor)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(budget_release) struct budget of_all = BUDGET_INIT;
	CLEANUP(container_cache_release) struct container_cache containers = {0};
	struct budget_desk desk = {
		doctor->store, doctor->project.root, &doctor->settings, &containers};
	size_t paused = 0;

	if (!doctor->store)
		return;
	if (budget_look(&desk, NULL, timestamp_now(), &of_all, &err) < 0) {
		doctor_problem(doctor, "budgets", err.hint, "%s", err.message);
		return;
	}
	for (size_t i = 0; i < doctor->groups.count; i++)
		paused += group_is_paused(doctor, &desk, doctor->groups.list[i].folder);
	if (!paused && doctor->groups_known)
		doctor_ok(doctor, "budgets", "no group is paused by its budget");
	prices_check(doctor, &of_all);
}

PROBE(budgets) = {
	.name = "budgets",
	.of_assistant = true,
	.run = run_budgets,
};
