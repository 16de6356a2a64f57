# the assistant becomes a service of systemd and stops being one; what was there is left alone
ignore: **/log
-- bin/systemctl [755] --
#!/bin/sh
# Records its arguments, and fails on request.
[ "$1" = --version ] && echo 'systemd 254 (254.1)' && exit
echo "$*" >>log
case $2 in
is-system-running) echo degraded; exit 1 ;;
is-active) echo active ;;
is-enabled) echo enabled ;;
"$(cat fail 2>/dev/null)") echo 'it does not want to' >&2; exit 1 ;;
esac
-- one/keep --
-- two/one/keep --
-- as [755] --
#!/bin/sh
# as FOLDER WORD...: a command in the folder, with a systemctl of ours; names are short
cd "$1" && shift
XDG_CONFIG_HOME=$OLDPWD/config PATH=$OLDPWD/bin:$PATH
export XDG_CONFIG_HOME PATH
nanoclaw "$@" >out 2>&1
code=$?
sed "s,-[0-9a-f]\{6\}.service,-XXXXXX.service,g" out
rm out
exit $code
== run ==
$ ./as one service status --user
> no service 'nanoclaw-one-XXXXXX.service': 'nanoclaw service install' creates one
$ ./as one service install --user
> '[dir]/config/systemd/user/nanoclaw-one-XXXXXX.service' is written, and it is running
> its log: journalctl --user -u nanoclaw-one-XXXXXX.service
> to run while you are logged out: loginctl enable-linger
# A second time, and from another folder of the same name: one unit each.
$ ./as one service install --user --no-start
> '[dir]/config/systemd/user/nanoclaw-one-XXXXXX.service' is written, and starts the next time
> its log: journalctl --user -u nanoclaw-one-XXXXXX.service
> to run while you are logged out: loginctl enable-linger
$ ./as two/one service install --user
> '[dir]/config/systemd/user/nanoclaw-one-XXXXXX.service' is written, and it is running
> its log: journalctl --user -u nanoclaw-one-XXXXXX.service
> to run while you are logged out: loginctl enable-linger
$ ls config/systemd/user | wc -l
> 2
$ cat one/log two/one/log | sed 's/-[0-9a-f]*\.service/-X.service/'; rm one/log two/one/log
> --user is-system-running
> --user daemon-reload
> --user enable nanoclaw-one-X.service
> --user restart nanoclaw-one-X.service
> --user is-system-running
> --user daemon-reload
> --user enable nanoclaw-one-X.service
> --user is-system-running
> --user daemon-reload
> --user enable nanoclaw-one-X.service
> --user restart nanoclaw-one-X.service
$ ./as one service status --user
> nanoclaw-one-XXXXXX.service: active, enabled
> '[dir]/config/systemd/user/nanoclaw-one-XXXXXX.service'
> its log: journalctl --user -u nanoclaw-one-XXXXXX.service
$ ./as one service remove --user
> the service 'nanoclaw-one-XXXXXX.service' is stopped and removed
$ sed 's/-[0-9a-f]*\.service/-X.service/' one/log; rm one/log
> --user is-active nanoclaw-one-X.service
> --user is-enabled nanoclaw-one-X.service
> --user is-system-running
> --user disable --now nanoclaw-one-X.service
> --user daemon-reload
$ ./as one service remove --user
? 2
> error: there is no service 'nanoclaw-one-XXXXXX.service'
> hint: 'nanoclaw service install' creates one
$ ls config/systemd/user | wc -l
> 1
# A manager that refuses: everything is as it was before.
$ echo restart >one/fail; ./as one service install --user
? 1
> error: systemctl restart: it does not want to
> hint: everything is as it was before; its log: journalctl --user -u nanoclaw-one-XXXXXX.service
$ sed 's/-[0-9a-f]*\.service/-X.service/' one/log; rm one/log one/fail; ls config/systemd/user | wc -l
> --user is-system-running
> --user daemon-reload
> --user enable nanoclaw-one-X.service
> --user restart nanoclaw-one-X.service
> --user disable --now nanoclaw-one-X.service
> --user daemon-reload
> 1
# The unit of another user, or of another project.
$ echo '[Unit]' >config/systemd/user/mine.service
$ ./as one service install --user --name mine
? 2
> error: '[dir]/config/systemd/user/mine.service' was not written by nanoclaw
> hint: choose another name with '--name'
$ ./as one service remove --user --name mine
? 2
> error: '[dir]/config/systemd/user/mine.service' was not written by nanoclaw
> hint: choose another name with '--name'
$ ./as one service install --user --name shared && ./as two/one service remove --user --name shared
? 2
> '[dir]/config/systemd/user/shared.service' is written, and it is running
> its log: journalctl --user -u shared.service
> to run while you are logged out: loginctl enable-linger
> error: the service 'shared.service' belongs to another project
> hint: '[dir]/config/systemd/user/shared.service' says which; choose another name with '--name'
$ ./as one service install --user --name ../evil
? 2
> error: the name of a service has letters, digits, '-' and '_'
$ ./as one service install --user --system
? 2
> error: '--user' and '--system' cannot be used together
$ sed -i 's/^Type=.*/Type=simple/' config/systemd/user/shared.service; ./as one service status --user --name shared
> shared.service: active, enabled
> '[dir]/config/systemd/user/shared.service'
> the unit is out of date: 'nanoclaw service install' renews it
> its log: journalctl --user -u shared.service
$ grep -c -e ^RestartSteps -e ^RestartMax config/systemd/user/shared.service
> 2
$ ./as one service status --user --name shared --json
> {
>   "active": "active",
>   "current": false,
>   "enabled": "enabled",
>   "installed": true,
>   "path": "[dir]/config/systemd/user",
>   "success": true,
>   "unit": "shared.service"
> }
$ mkdir 'one/end '; nanoclaw -C 'one/end ' service install --print || echo $?; rmdir 'one/end '
> 2
2> error: the folder's name cannot be used in a systemd unit
2> hint: rename it: no control characters, and no space or backslash at the end
$ rm -r config
