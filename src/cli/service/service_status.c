#include <stdio.h>

#include "cli/output.h"
#include "cli/service/service.h"

static int run_service_status(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(service_release) struct service service = {0};
	struct service_state state;

	if (service_find(args, &service, err) < 0 || service_look(&service, &state, err) < 0)
		return -1;
	if (cli->json) {
		output_json(json_pack("{s:b, s:s, s:o, s:b, s:b, s:s, s:s}", "success", true,
			"unit", service.unit, "path", json_text(view_of(service.folder)),
			"installed", state.installed, "current", state.current, "active",
			state.active, "enabled", state.enabled));
		return EXIT_DONE;
	}
	if (!state.installed) {
		printf("no service '%s': 'nanoclaw service install' creates one\n",
			service.unit);
		return EXIT_DONE;
	}
	printf("%s: %s, %s\n'%s/%s'%s\n", service.unit, state.active, state.enabled,
		service.folder, service.unit,
		state.current ? ""
			      : "\nthe unit is out of date: 'nanoclaw service install' "
				"renews it");
	printf("its log: journalctl %s-u %s\n", service.system ? "" : "--user ", service.unit);
	return EXIT_DONE;
}

COMMAND(service_status) = {
	.name = "service status",
	.summary = "show whether the assistant is a service, and its state",
	.description = "Shows systemd's view. 'nanoclaw status' asks the host itself.",
	.section = SECTION_ASSISTANT,
	.options = service_options,
	.run = run_service_status,
};
