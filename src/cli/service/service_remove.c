#include <stdio.h>

#include "cli/output.h"
#include "cli/service/service.h"

static int run_service_remove(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(service_release) struct service service = {0};

	if (service_find(args, &service, err) < 0 || service_remove(&service, err) < 0)
		return -1;
	if (cli->json)
		output_json(json_pack("{s:b, s:s}", "success", true, "unit", service.unit));
	else
		printf("the service '%s' is stopped and removed\n", service.unit);
	return EXIT_DONE;
}

COMMAND(service_remove) = {
	.name = "service remove",
	.summary = "stop and remove the service",
	.description = "The project's messages, groups and settings stay.",
	.section = SECTION_ASSISTANT,
	.options = service_options,
	.run = run_service_remove,
};
