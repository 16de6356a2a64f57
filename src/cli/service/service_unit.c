#include "cli/service/service_unit.h"

#include <string.h>

#include "base/view.h"

/* The first version that can wait longer from try to try. */
#define SYSTEMD_WITH_STEPS 254

bool service_unit_can_name(const char *path)
{
	size_t len = strlen(path);

	for (size_t i = 0; i < len; i++)
		if ((unsigned char)path[i] < ' ' || path[i] == 0x7f)
			return false;
	return len && path[0] == '/' && path[len - 1] != ' ' && path[len - 1] != '\\';
}

/* For values that are a whole line: '%' begins a specifier there too. */
static void append_plain(const char *text, struct buf *out)
{
	for (; *text; text++) {
		if (*text == '%')
			buf_append_char(out, '%');
		buf_append_char(out, *text);
	}
}

/* Where a line is split into words. */
static void append_word(const char *text, struct buf *out)
{
	buf_append_char(out, '"');
	for (; *text; text++) {
		if (*text == '%')
			buf_append_char(out, '%');
		if (*text == '"' || *text == '\\')
			buf_append_char(out, '\\');
		buf_append_char(out, *text);
	}
	buf_append_char(out, '"');
}

void service_unit_place(const char *root, struct buf *out)
{
	buf_append_str(out, "\nWorkingDirectory=");
	append_plain(root, out);
	buf_append_char(out, '\n');
}

/* So that agents and bridges are found as on a terminal. */
static void append_path(const char *path, struct buf *out)
{
	CLEANUP(buf_release) struct buf value = BUF_INIT;
	struct view rest = view_of(path);
	struct view entry;

	buf_append_str(&value, "PATH=");
	while (view_next(&rest, ':', &entry)) {
		CLEANUP(freep) char *folder = xmemdupz(entry.data, entry.len);

		if (service_unit_can_name(folder))
			buf_appendf(&value, "%s%s", value.data[value.len - 1] == '=' ? "" : ":",
				folder);
	}
	if (value.data[value.len - 1] == '=')
		return;
	buf_append_str(out, "Environment=");
	append_word(value.data, out);
	buf_append_char(out, '\n');
}

/*
 * The restrictions of the service. Those that need a mount namespace work for a user's services
 * since systemd 254, through a user namespace; older versions ignore them there.
 */
static void append_limits(const struct service_unit *unit, struct buf *out)
{
	struct view root;

	buf_append_str(out,
		"\n# Only the project can be written to, and what Claude Code keeps.\n"
		"ProtectSystem=strict\nReadWritePaths=");
	append_word(unit->root, out);
	if (unit->home && service_unit_can_name(unit->home)) {
		CLEANUP(freep) char *claude = xasprintf("-%s/.claude", unit->home);

		buf_append_char(out, ' ');
		append_word(claude, out);
	}
	buf_append_char(out, '\n');
	/* /tmp of its own, unless the project is in it. */
	root = view_of(unit->root);
	if (view_starts_with(root, "/tmp/") || view_starts_with(root, "/var/tmp/"))
		buf_append_str(out, "ReadWritePaths=/tmp /var/tmp\n");
	else
		buf_append_str(out, "PrivateTmp=yes\n");
	buf_append_str(out, "UMask=0077\n"
			    "NoNewPrivileges=yes\n"
			    "LockPersonality=yes\n"
			    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK\n"
			    "RestrictRealtime=yes\n"
			    "RestrictSUIDSGID=yes\n"
			    "SystemCallArchitectures=native\n");
	if (unit->system && unit->user)
		buf_append_str(out, "CapabilityBoundingSet=\n");
	buf_append_str(out,
		"# Left out on purpose, for the sandboxes of agents (bwrap) in the service:\n"
		"# RestrictNamespaces, because they are made of namespaces; ProtectProc,\n"
		"# ProtectKernelTunables and ProtectKernelLogs, which cover parts of /proc, so that\n"
		"# no new /proc may be mounted; PrivateDevices and ProtectControlGroups, which\n"
		"# containers need; MemoryDenyWriteExecute, because Node.js compiles as it runs.\n"
		"# Podman without root needs 'NoNewPrivileges=no', for newuidmap.\n");
}

void service_unit_write(const struct service_unit *unit, struct buf *out)
{
	buf_append_str(out,
		SERVICE_UNIT_MARK "# 'nanoclaw service remove' removes it. To change "
				  "something: 'systemctl edit', not here.\n"
				  "\n[Unit]\nDescription=NanoClaw in ");
	append_plain(unit->root, out);
	buf_append_str(out, "\nDocumentation=man:nanoclaw(1)\n");
	if (unit->system)
		buf_append_str(out, "Wants=network-online.target\n"
				    "After=network-online.target\n");
	/* Restart it forever: there may be nobody to start it by hand. */
	buf_append_str(out, "StartLimitIntervalSec=0\n");
	buf_append_str(out, "\n[Service]\nType=notify\nNotifyAccess=main\n");
	if (unit->user)
		buf_appendf(out, "User=%s\n", unit->user);
	/* The line before ends here: service_unit_place() begins with its newline. */
	buf_set_len(out, out->len - 1);
	service_unit_place(unit->root, out);
	if (unit->path)
		append_path(unit->path, out);
	/* ':' keeps a '$' in the path. */
	buf_append_str(out, "ExecStart=:");
	append_word(unit->program, out);
	buf_append_str(out, " run\n");
	buf_append_str(out,
		"\n# The host ends its agents itself; what is left then is killed.\n"
		"KillMode=mixed\n"
		"TimeoutStartSec=5min\n"
		"TimeoutStopSec=1min\n"
		"WatchdogSec=2min\n"
		"# An agent that uses too much memory must not end the host.\n"
		"OOMPolicy=continue\n"
		"\n# Exit code 2: a setting is wrong. 4: another host is running here.\n"
		"Restart=on-failure\n"
		"RestartPreventExitStatus=2 4\n");
	if (unit->systemd >= SYSTEMD_WITH_STEPS)
		buf_append_str(out, "RestartSec=2s\nRestartSteps=8\nRestartMaxDelaySec=5min\n");
	else
		buf_append_str(out, "RestartSec=10s\n");
	append_limits(unit, out);
	buf_appendf(out, "\n[Install]\nWantedBy=%s\n",
		unit->system ? "multi-user.target" : "default.target");
}
