# where systemd does not run, the unit is written, and what to type then is shown
-- bin/systemctl [755] --
#!/bin/sh
[ "$2" = is-system-running ] && echo offline && exit 1
echo 'System has not been booted with systemd as init system' >&2
exit 1
== run ==
$ XDG_CONFIG_HOME=$PWD/config PATH=$PWD/bin:$PATH nanoclaw service install --user --name a
> '[dir]/config/systemd/user/a.service' is written; systemd is not running
> to start it: systemctl --user daemon-reload && systemctl --user enable --now a.service
> its log: journalctl --user -u a.service
> to run while you are logged out: loginctl enable-linger
$ sed "s,$PWD,HERE,; s,^ExecStart=.*/,ExecStart=:\"/,; s,PATH=.*,PATH=…," config/systemd/user/a.service
> # Written by 'nanoclaw service install'.
> # 'nanoclaw service remove' removes it. To change something: 'systemctl edit', not here.
>
> [Unit]
> Description=NanoClaw in HERE
> Documentation=man:nanoclaw(1)
> StartLimitIntervalSec=0
>
> [Service]
> Type=notify
> NotifyAccess=main
> WorkingDirectory=HERE
> Environment="PATH=…
> ExecStart=:"/nanoclaw" run
>
> # The host ends its agents itself; what is left then is killed.
> KillMode=mixed
> TimeoutStartSec=5min
> TimeoutStopSec=1min
> WatchdogSec=2min
> # An agent that uses too much memory must not end the host.
> OOMPolicy=continue
>
> # Exit code 2: a setting is wrong. 4: another host is running here.
> Restart=on-failure
> RestartPreventExitStatus=2 4
> RestartSec=10s
>
> # Only the project can be written to, and what Claude Code keeps.
> ProtectSystem=strict
> ReadWritePaths="HERE" "-[..]/home/.claude"
> [..]
> UMask=0077
> NoNewPrivileges=yes
> LockPersonality=yes
> RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
> RestrictRealtime=yes
> RestrictSUIDSGID=yes
> SystemCallArchitectures=native
> # Left out on purpose, for the sandboxes of agents (bwrap) in the service:
> # RestrictNamespaces, because they are made of namespaces; ProtectProc,
> # ProtectKernelTunables and ProtectKernelLogs, which cover parts of /proc, so that
> # no new /proc may be mounted; PrivateDevices and ProtectControlGroups, which
> # containers need; MemoryDenyWriteExecute, because Node.js compiles as it runs.
> # Podman without root needs 'NoNewPrivileges=no', for newuidmap.
>
> [Install]
> WantedBy=default.target
$ mkdir config/systemd/user/default.target.wants; ln -s ../a.service config/systemd/user/default.target.wants
$ XDG_CONFIG_HOME=$PWD/config PATH=$PWD/bin:$PATH nanoclaw service status --user --name a
> a.service: unknown, unknown
> '[dir]/config/systemd/user/a.service'
> its log: journalctl --user -u a.service
$ XDG_CONFIG_HOME=$PWD/config PATH=$PWD/bin:$PATH nanoclaw service remove --user --name a
> the service 'a.service' is stopped and removed
$ find config -type f -o -type l; rm -r config
# Without systemctl, too.
$ nanoclaw=$(command -v nanoclaw); HOME=$PWD/home PATH=/nowhere $nanoclaw --json service install --user --name a
> {
>   "path": "[dir]/home/.config/systemd/user",
>   "result": "written",
>   "success": true,
>   "unit": "a.service"
> }
$ nanoclaw=$(command -v nanoclaw); HOME=$PWD/home PATH=/nowhere $nanoclaw service remove --user --name a; rm -r home
> the service 'a.service' is stopped and removed
$ HOME= nanoclaw service status --user
? 2
2> error: HOME is not set
$ nanoclaw service install --system --print | grep -e ^Wanted -e ^After
> After=network-online.target
> WantedBy=multi-user.target
