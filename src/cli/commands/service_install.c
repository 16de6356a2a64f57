#include <stdio.h>

#include "cli/helper.h"
#include "cli/output.h"
#include "cli/service.h"

static const struct option options[] = {
	{.name = "system", .help = "a service of the system, not of the user; needs root"},
	{.name = "name",
		.argument = "NAME",
		.help = "the name of the service (nanoclaw); one for each project"},
	{.name = "only-write", .help = "write the unit, and start nothing"},
	{.name = "print", .help = "print the unit, and do nothing else"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw service install", "runs from now on, and whenever you are logged in"},
	{"sudo nanoclaw service install --system", "runs from now on, and after every boot"},
	{0},
};

static int print_unit(const struct cli *cli, const struct service *service)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	service_unit(service, &text);
	if (cli->json)
		output_json(json_pack("{s:b, s:s, s:o}", "success", true, "unit", service->unit,
			"text", json_text(view_of_buf(&text))));
	else
		fwrite(text.data, 1, text.len, stdout);
	return EXIT_DONE;
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(service_release) struct service service = {0};
	bool start = !helper_flag(args, "only-write");

	if (service_find(args, &service, err) < 0)
		return -1;
	if (helper_flag(args, "print"))
		return print_unit(cli, &service);
	if (service_install(&service, start, err) < 0)
		return -1;
	if (cli->json) {
		output_json(
			json_pack("{s:b, s:s, s:o, s:b}", "success", true, "unit", service.unit,
				"path", json_text(view_of(service.folder)), "started", start));
		return EXIT_DONE;
	}
	printf("'%s/%s' is written%s\n", service.folder, service.unit,
		start ? ", and it is running" : "");
	printf("its log: journalctl %s-u %s\n", service.system ? "" : "--user ", service.unit);
	if (!service.system)
		printf("to run without you being logged in: loginctl enable-linger\n");
	return EXIT_DONE;
}

COMMAND(service_install) = {
	.name = "service install",
	.summary = "run the assistant as a service of systemd",
	.description =
		"Writes a unit for the host of this project, starts it, and has it started at\n"
		"every login or, with '--system', at every boot. systemd is told when the host\n"
		"is ready, and starts it again when it fails. What it has to tell is read with\n"
		"journalctl. A service of the system runs as the owner of the project.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.run = run,
};
