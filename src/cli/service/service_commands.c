#include <stdio.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/service/service.h"

static const struct option install_options[] = {
	{.name = "user", .help = "a user service (the default, except for root)"},
	{.name = "system", .help = "a system service; needs root"},
	{.name = "name",
		.argument = "NAME",
		.help = "the name of the service (default: the folder's name and a few digits)"},
	{.name = "no-start", .help = "start only at the next login or boot"},
	{.name = "print", .help = "only print the unit"},
	{0},
};

static const struct example install_examples[] = {
	{"nanoclaw service install", "runs from now on, and whenever you are logged in"},
	{"sudo nanoclaw service install", "runs from now on, and after every boot"},
	{0},
};

static const char *const install_results[] = {
	[SERVICE_WRITTEN] = "written",
	[SERVICE_ENABLED] = "enabled",
	[SERVICE_STARTED] = "started",
};

static void print_installed(const struct service *service, enum service_installed installed)
{
	const char *scope = service->system ? "" : "--user ";

	printf("'%s/%s' is written%s\n", service->folder, service->unit,
		installed == SERVICE_STARTED   ? ", and it is running"
		: installed == SERVICE_ENABLED ? ", and starts the next time"
					       : "; systemd is not running");
	if (installed == SERVICE_WRITTEN)
		printf("to start it: systemctl %sdaemon-reload && systemctl %senable "
		       "--now %s\n",
			scope, scope, service->unit);
	printf("its log: journalctl %s-u %s\n", scope, service->unit);
	if (!service->system)
		printf("to run while you are logged out: loginctl enable-linger\n");
}

static int run_service_install(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(service_release) struct service service = {0};
	enum service_installed installed;
	bool print = arguments_flag(args, "print");

	if (!print && service_keep_program(err) < 0)
		return -1;
	if (service_find(args, &service, err) < 0)
		return -1;
	if (print) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;

		service_text(&service, &text);
		if (cli->json)
			output_success("unit:s text:v", service.unit, view_of_buf(&text));
		else
			fwrite(text.data, 1, text.len, stdout);
		return EXIT_DONE;
	}
	if (service_install(&service, !arguments_flag(args, "no-start"), &installed, err) < 0)
		return -1;
	if (cli->json)
		output_success("unit:s path:s result:s", service.unit, service.folder,
			install_results[installed]);
	else
		print_installed(&service, installed);
	return EXIT_DONE;
}

COMMAND(service_install) = {
	.name = "service install",
	.summary = "run the assistant as a systemd service",
	.description =
		"Writes a unit for the host of this project and starts it, now and at every login,\n"
		"or for a system service at every boot. systemd knows when the host is ready, and\n"
		"restarts it if it fails or hangs. journalctl shows its log. A system service runs\n"
		"as the owner of the project. If systemd is not running, the command writes the\n"
		"unit and shows the remaining steps.\n"
		"\n"
		"Each project has its own service. A unit that nanoclaw did not write is left\n"
		"alone.",
	.section = SECTION_ASSISTANT,
	.options = install_options,
	.examples = install_examples,
	.run = run_service_install,
};

static int run_service_status(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(service_release) struct service service = {0};
	struct service_state state;

	if (service_find(args, &service, err) < 0 || service_look(&service, &state, err) < 0)
		return -1;
	if (cli->json) {
		output_success("unit:s path:s installed:b current:b active:s enabled:s",
			service.unit, service.folder, state.installed, state.current,
			state.active, state.enabled);
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

static int run_service_remove(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(service_release) struct service service = {0};

	if (service_find(args, &service, err) < 0 || service_remove(&service, err) < 0)
		return -1;
	if (cli->json)
		output_success("unit:s", service.unit);
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
