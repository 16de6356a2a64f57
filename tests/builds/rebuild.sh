#!/bin/sh
# From a changed source to a running host, with builds that do not work:
#
#	rebuild.sh NANOCLAW FOLDER UNSTEADY
#
# The programs of FOLDER are the builds, with UNSTEADY (unsteady.c) as nanoclaw. Prints TAP.
set -u

nanoclaw=$(realpath "$1")
programs=$(realpath "$2")
unsteady=$(realpath "$3")
# shellcheck source=tests/builds/lib.sh
. "$(dirname "$0")/lib.sh"
here=${here:?}

mkdir "$here/seeds"
cp "$unsteady" "$here/seeds/nanoclaw"
make_project "$here/seeds/nanoclaw" "$programs"/nanoclaw-offline "$programs"/nanoclaw-mcp \
	"$programs"/nanoclaw-relay "$programs"/nanoclaw-sandbox
export NANOCLAW_SETTLE_SECONDS=1
cat >tools/test-changed <<END
#!/bin/sh
printf '%s\\n' "\$@" >"$here/tested"
! grep -q overwritten src/behaviour || echo crash at start >build-run/nanoclaw-behaviour
! grep -q untested src/behaviour
END
chmod +x tools/test-changed

rebuild() { # [OPTION...]: its exit code
	"$nanoclaw" rebuild "$@" >"$here/output" 2>&1 </dev/null
}

mkdir "$here/other"
"$nanoclaw" -C "$here/other" rebuild >"$here/output" 2>&1
[ $? = 2 ] && says 'is not the source of NanoClaw' && [ ! -e "$here/other/.nanoclaw" ]
report $? "a project that is not NanoClaw's own source is refused"

rebuild --check && [ "$(current)" = first ] && says 'it works'
report $? "--check builds and tries, and switches nothing"
rebuild && first=$(current) && [ -n "$first" ] && ! says building && says 'no host is running'
report $? "the first build becomes the current one"
rebuild && says 'nothing to do'
report $? "an unchanged source builds nothing"

start_service
pid=$(host pid)
"$nanoclaw" send main 'remember milk' --wait >/dev/null 2>&1
notes && runs "$first"
report $? "any program that is to be a host becomes the current build"

echo steady 2 >src/behaviour
rebuild && second=$(current) && [ "$second" != "$first" ] && runs "$second" &&
	[ "$(host pid)" = "$pid" ] && [ ! -e .nanoclaw/builds/starts ] && notes
report $? "a change is built, and the host runs it in the same process, with its data"
grep -qx src/behaviour "$here/tested"
report $? "what changed is tested"

echo broken >src/behaviour
rebuild
[ $? = 1 ] && says 'error: broken' && [ "$(current)" = "$second" ] && runs "$second"
report $? "a source that does not build changes nothing"

echo untested >src/behaviour
rebuild
code=$?
rebuild
code=$code$?
[ $code = 55 ] && says 'a test of what changed' && [ "$(current)" = "$second" ]
report $? "a source whose tests fail changes nothing, also the second time"

echo crash at start >src/behaviour
rebuild
[ $? = 1 ] && says 'the trial of the new build failed' && [ "$(current)" = "$second" ] &&
	runs "$second" && [ ! -e .nanoclaw/builds/trial ]
report $? "a build that crashes at its start is refused at the trial"

echo crash after 400 >src/behaviour
rebuild
[ $? = 1 ] && says 'was rolled back: the host' && [ "$(current)" = "$second" ] &&
	wait_for_host && runs "$second" && notes
report $? "a build that crashes later is taken back, and the data is intact"

echo steady 3 >src/behaviour
rebuild && third=$(current) && runs "$third"
report $? "the next build that works is taken"
echo steady 2 >src/behaviour
rebuild && [ "$(current)" = "$second" ] && runs "$second" && ! says building
report $? "a source as it was before is switched to without building"

# A bridge that connects unless the source is mute.
mkdir bridges
cat >bridges/it.sh <<'END'
#!/bin/sh
echo '{"type":"hello","protocol":1,"jids":["it:*"]}'
grep -q mute src/behaviour || echo '{"type":"connected"}'
while read -r line; do
	case $line in
	*shutdown*) exit 0 ;;
	*ping*) echo '{"type":"pong"}' ;;
	esac
done
END
chmod +x bridges/it.sh
echo '{"command": ["bridges/it.sh"]}' >bridges/it.json
"$nanoclaw" restart >/dev/null 2>&1
for _ in $(seq 100); do
	"$nanoclaw" channel list | grep -q '^it  *connected' && break
	sleep 0.05
done
echo steady mute >src/behaviour
rebuild
[ $? = 1 ] && says "channel 'it' was connected before" && [ "$(current)" = "$second" ] && runs "$second"
report $? "a build in which a channel no longer connects is taken back"
rm -r bridges

# A host with a chat, which logs to a file.
"$nanoclaw" stop >/dev/null 2>&1
mkfifo "$here/says"
"$nanoclaw" start <"$here/says" >"$here/chat" 2>&1 &
chat=$!
pids="$pids $chat"
exec 3>"$here/says"
wait_for_host
echo notes >&3
echo steady 5 >src/behaviour
rebuild && runs "$(current)"
code=$?
echo notes >&3
exec 3>&-
wait $chat
[ $code$? = 00 ] && [ "$(grep -c milk "$here/chat")" = 2 ] &&
	[ "$(grep -c 'is running (pid' logs/host.log)" = "$(grep -c '^20.* is running (pid' logs/host.log)" ]
report $? "a chat goes on with the new build"
echo steady 2 >src/behaviour
rebuild
start_service

# The build before is one that cannot read the store that it goes back to.
echo forgetful >src/behaviour
rebuild && forgetful=$(current)
echo steady 4 >src/behaviour
rebuild
[ $? = 2 ] && says 'changes the store so that the previous build cannot read it' &&
	[ "$(current)" = "$forgetful" ]
report $? "without a way back nothing is switched"
rebuild --one-way && [ "$(current)" != "$forgetful" ] && runs "$(current)"
report $? "--one-way switches all the same"
fourth=$(current)

# Without a command that watches, the host itself falls back.
"$nanoclaw" stop >/dev/null 2>&1
echo crash after 300 >src/behaviour
rebuild && [ "$(current)" != "$fourth" ] && says 'no host is running'
report $? "without a host only the switch is made"
bad=$(current)
start_service
for _ in $(seq 200); do
	runs "$fourth" && break
	sleep 0.05
done
[ "$(current)" = "$fourth" ] && notes && [ "$(sed -n 1p .nanoclaw/builds/failed)" = "$bad" ]
report $? "three failed starts in a row fall back by themselves"
"$nanoclaw" doctor >"$here/output" 2>&1
says 'the build of this source was rolled back: the host ended 3 times' &&
	"$nanoclaw" status | grep -q 'the build of this source was rolled back'
report $? "doctor and status say why"

echo steady 6 >src/behaviour
NANOCLAW_SETTLE_SECONDS=60 "$nanoclaw" rebuild >"$here/output" 2>&1 </dev/null &
rebuilding=$!
for _ in $(seq 200); do
	says watching && [ "$(current)" != "$fourth" ] && runs "$(current)" && break
	sleep 0.05
done
"$nanoclaw" stop >/dev/null 2>&1
wait $rebuilding && says 'the host was stopped' && [ "$(current)" != "$fourth" ]
report $? "stopping the host while it is watched takes nothing back"

echo overwritten >src/behaviour
rebuild && [ "$(cat .nanoclaw/builds/current/nanoclaw-behaviour)" = overwritten ]
report $? "a build is what was built, although ./run builds in the same folder while it is tested"

echo untested 2 >src/behaviour
rebuild --no-test && new=$(current)
rebuild
[ $? = 5 ] && says 'a test of what changed' && [ "$(current)" = "$new" ]
report $? "tests that --no-test has skipped are run by the next rebuild"
echo untested 3 >src/behaviour
rebuild --no-test && : >"$here/tested" && echo steady 7 >src/behaviour && rebuild --check &&
	[ "$(cat "$here/tested")" = src/behaviour ]
report $? "also if the source has changed meanwhile"

# It has not proved itself, so it is not the build to go back to.
echo forgetful 2 >src/behaviour
rebuild && echo steady 8 >src/behaviour && rebuild
report $? "a build that has not proved itself need not read the store"

[ "$(find .nanoclaw/builds -maxdepth 1 -type d ! -name builds | wc -l)" -le 4 ] &&
	[ "$(cat .nanoclaw/builds/.gitignore)" = '*' ]
report $? "few builds are kept, and git does not see them"

cat >tools/install-packages <<END
#!/bin/sh
env >"$here/environment"
END
chmod +x tools/install-packages
echo libfoo >system-packages.txt
echo steady 9 >src/behaviour
A_SECRET=x rebuild --check && ! grep A_SECRET "$here/environment" && grep -q ^PATH= "$here/environment"
report $? "what installs packages sees the environment of builds"

# As tools/install-packages does.
cat >tools/install-packages <<END
#!/bin/sh
[ "\$2" != --yes ] || exec touch "$here/installed"
exit 2
END
rebuild --check --yes
[ $? = 2 ] && [ ! -e "$here/installed" ] && says "'nanoclaw rebuild --install-packages'"
report $? "--yes does not install packages of the system"
mkdir -p "$here/skill/add"
printf 'skill: x\nversion: 1.0.0\ncore_version: 0.0.0\nadds: [src/x]\nstructured: {system_packages: [libfoo]}\n' \
	>"$here/skill/manifest.yaml"
mkdir "$here/skill/add/src" && echo x >"$here/skill/add/src/x"
"$nanoclaw" skill apply "$here/skill" --rebuild --yes --no-test --on-drift continue >"$here/output" 2>&1 </dev/null &&
	[ ! -e "$here/installed" ] && [ -e src/x ] && ! says building &&
	says "'nanoclaw rebuild --install-packages'"
report $? "a skill that needs them is applied with --yes, and nothing is installed or built"
"$nanoclaw" -q undo --yes --no-test --no-rebuild >"$here/output" 2>&1 </dev/null
rebuild --check --install-packages && [ -e "$here/installed" ]
report $? "--install-packages does"
rm system-packages.txt

echo hang >src/behaviour
rebuild --check
[ $? = 1 ] && says 'the trial of the new build failed' &&
	left=$(dirname "$PWD"/.nanoclaw/builds/*/nanoclaw-pid) &&
	! find /proc/[0-9]*/exe -maxdepth 0 -printf '%l\n' 2>"$here/output" | grep -F "$left/"
report $? "nothing of a trial goes on"

# Another program, which counts.
cat >"$here/seeds/nanoclaw" <<END
#!/bin/sh
find "\$2/groups" -name large | wc -l >"$here/copied"
echo yes
END
for i in $(seq 80); do
	mkdir -p groups/main/files/"$i"
	truncate -s 1M groups/main/files/"$i"/large
done
echo steady 10 >src/behaviour
rebuild --check && [ "$(cat "$here/copied")" -gt 50 ] && [ "$(cat "$here/copied")" -le 64 ]
report $? "a trial has at most 64 MiB of the data"
rm -r groups/main/files
cp "$unsteady" "$here/seeds/nanoclaw"

# As systemd does it, which does not restart it after exit code 2.
start_like_systemd() {
	(
		until "$1" run >>"$here/log" 2>&1; do
			[ $? != 2 ] || break
		done
	) &
	pids="$pids $!"
}
for behaviour in 'crash before main' 'picky NANOCLAW_PATIENCE_SECONDS' 'picky NANOCLAW_AGENTS'; do
	"$nanoclaw" stop >/dev/null 2>&1
	rm -rf .nanoclaw/builds build-run
	echo steady 11 >src/behaviour
	rebuild --one-way && good=$(current)
	echo "$behaviour" >src/behaviour
	rebuild && bad=$(current) && [ "$bad" != "$good" ]
	start_like_systemd .nanoclaw/builds/before/nanoclaw
	for _ in $(seq 200); do
		runs "$good" && break
		sleep 0.05
	done
	[ "$(current)" = "$good" ] && notes && [ "$(sed -n 1p .nanoclaw/builds/failed)" = "$bad" ]
	report $? "a build that fails only in its place falls back by itself: $behaviour"
done

"$nanoclaw" stop >/dev/null 2>&1
if command -v python3 >/dev/null; then
	rm -f data/run/host.sock
	cat >"$here/host.py" <<'END'
import json, os, socket
server = socket.socket(socket.AF_UNIX)
server.bind("data/run/host.sock")
server.listen()
while True:
    client = server.accept()[0].makefile("rw")
    for line in client:
        json.dump({"ok": True, "pid": os.getpid()}, client)
        print(file=client, flush=True)
END
	python3 "$here/host.py" &
	pids="$pids $!"
	while [ ! -S data/run/host.sock ]; do sleep 0.05; done
	rebuild --check
	report $? "a host may say nothing but its number"
	kill $!
fi

rm -rf .nanoclaw/builds build-run
XDG_CONFIG_HOME=$here/config "$nanoclaw" service install --user --no-start >"$here/output" 2>&1 &&
	cat "$here"/config/systemd/user/*.service >"$here/output" &&
	says "^ExecStart=:\"$PWD/.nanoclaw/builds/before/nanoclaw\" run" &&
	cmp "$nanoclaw" .nanoclaw/builds/before/nanoclaw
report $? "a service starts a program that no build overwrites"

rm -rf .nanoclaw/builds build-run
echo crash after 300 >src/behaviour
rebuild && bad=$(current) && start_service
for _ in $(seq 200); do
	runs first && break
	sleep 0.05
done
[ "$(current)" = first ] && notes && [ "$(sed -n 1p .nanoclaw/builds/failed)" = "$bad" ]
report $? "the very first build falls back to the program that ran before it"

end_tests
