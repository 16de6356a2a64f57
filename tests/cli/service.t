# the assistant becomes a service of systemd and stops being one; a unit of somebody else is left alone
ignore: log **/log
-- bin/systemctl [755] --
#!/bin/sh
# Notes what it is asked, and fails if it shall.
echo "$*" >>log
case $2 in
is-active) echo active ;;
is-enabled) echo enabled ;;
"$(cat fail 2>/dev/null)") echo 'it does not want to' >&2; exit 1 ;;
esac
-- a 100% $odd "folder"/keep --
== run ==
$ XDG_CONFIG_HOME=$PWD/config PATH=$PWD/bin:$PATH nanoclaw service status
> no service 'nanoclaw.service': 'nanoclaw service install' makes one
$ XDG_CONFIG_HOME=$PWD/config PATH=$PWD/bin:$PATH nanoclaw service install
> '[dir]/config/systemd/user/nanoclaw.service' is written, and it is running
> its log: journalctl --user -u nanoclaw.service
> to run without you being logged in: loginctl enable-linger
$ XDG_CONFIG_HOME=$PWD/config PATH=$PWD/bin:$PATH nanoclaw service install
> '[dir]/config/systemd/user/nanoclaw.service' is written, and it is running
> its log: journalctl --user -u nanoclaw.service
> to run without you being logged in: loginctl enable-linger
$ sed "s,$PWD,HERE,; s,^ExecStart=.*/,ExecStart=\"/," config/systemd/user/nanoclaw.service
> # Written by 'nanoclaw service install'.
> [Unit]
> Description=NanoClaw in HERE
> Documentation=man:nanoclaw(1)
>
> [Service]
> Type=notify
> NotifyAccess=main
> WorkingDirectory=HERE
> ExecStart="/nanoclaw" run
> Restart=on-failure
> RestartSec=5
> TimeoutStopSec=30
> # exit code 4: another host is running here
> RestartPreventExitStatus=2 4
> NoNewPrivileges=yes
> LockPersonality=yes
> RestrictRealtime=yes
> RestrictSUIDSGID=yes
> SystemCallArchitectures=native
> UMask=0077
>
> [Install]
> WantedBy=default.target
$ cat log; rm log
> --user daemon-reload
> --user enable nanoclaw.service
> --user restart nanoclaw.service
> --user daemon-reload
> --user enable nanoclaw.service
> --user restart nanoclaw.service
$ XDG_CONFIG_HOME=$PWD/config PATH=$PWD/bin:$PATH nanoclaw service status
> nanoclaw.service: active, enabled
> '[dir]/config/systemd/user/nanoclaw.service'
$ XDG_CONFIG_HOME=$PWD/config PATH=$PWD/bin:$PATH nanoclaw service remove
> the service 'nanoclaw.service' is stopped and removed
$ XDG_CONFIG_HOME=$PWD/config PATH=$PWD/bin:$PATH nanoclaw service remove
? 2
2> error: there is no service 'nanoclaw.service'
2> hint: 'nanoclaw service install' makes one
$ ls config/systemd/user
# A manager that refuses: everything is as it was before.
$ rm -f log; echo enable >fail; XDG_CONFIG_HOME=$PWD/config PATH=$PWD/bin:$PATH nanoclaw service install
? 1
2> error: systemctl enable: it does not want to
2> hint: the unit is as it was before; '--only-write' writes it and starts nothing
$ cat log; rm fail; ls config/systemd/user
> --user daemon-reload
> --user enable nanoclaw.service
> --user disable --now nanoclaw.service
> --user daemon-reload
# Only written; the name of the folder is nothing to systemd but a name.
$ XDG_CONFIG_HOME=$PWD/config nanoclaw -C 'a 100% $odd "folder"' service install --name other --only-write
> '[dir]/config/systemd/user/other.service' is written
> its log: journalctl --user -u other.service
> to run without you being logged in: loginctl enable-linger
$ grep -e Description -e Working config/systemd/user/other.service
> Description=NanoClaw in [dir]/a 100%% $odd "folder"
> WorkingDirectory=[dir]/a 100%% $odd "folder"
$ echo '[Unit]' >config/systemd/user/mine.service
$ XDG_CONFIG_HOME=$PWD/config PATH=$PWD/bin:$PATH nanoclaw service install --name mine
? 2
2> error: '[dir]/config/systemd/user/mine.service' was not written by nanoclaw
2> hint: choose another name with '--name'
$ XDG_CONFIG_HOME=$PWD/config PATH=$PWD/bin:$PATH nanoclaw service remove --name mine
? 2
2> error: '[dir]/config/systemd/user/mine.service' was not written by nanoclaw
2> hint: choose another name with '--name'
$ nanoclaw service install --name ../evil
? 2
2> error: the name of a service has letters, digits, '-' and '_'
$ XDG_CONFIG_HOME=$PWD/config PATH=$PWD/bin:$PATH nanoclaw service remove --name other
? 2
2> error: the service 'other.service' is that of another project
2> hint: '[dir]/config/systemd/user/other.service' says which; choose another name with '--name'
$ XDG_CONFIG_HOME=$PWD/config PATH=$PWD/bin:$PATH nanoclaw -C 'a 100% $odd "folder"' --json service status --name other
> {
>   "active": "active",
>   "enabled": "enabled",
>   "installed": true,
>   "path": "[dir]/config/systemd/user",
>   "success": true,
>   "unit": "other.service"
> }
$ XDG_CONFIG_HOME=$PWD/config PATH=$PWD/bin:$PATH nanoclaw --json service status
> {
>   "active": "inactive",
>   "enabled": "disabled",
>   "installed": false,
>   "path": "[dir]/config/systemd/user",
>   "success": true,
>   "unit": "nanoclaw.service"
> }
$ rm -r config
