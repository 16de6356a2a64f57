#!/bin/sh
# Is the Dockerfile's image built, and does the assistant run in it, not as root, with its data in a
# volume? With an engine of this test alone; the base is Debian from debootstrap, of no registry.
set -u

cd "$(dirname "$0")/../.." || exit 1
skip() {
	echo "1..0 # SKIP $1"
	exit 0
}
[ "$(id -u)" -eq 0 ] || skip 'needs root rights'
[ -e .git ] || skip 'needs a git checkout'
for program in debootstrap docker dockerd; do
	command -v "$program" >/dev/null || skip "'$program' is missing"
done
cache=${NANOCLAW_CLEAN_ROOT-${TMPDIR:-/tmp}/nanoclaw-clean-root}
[ -e "$cache/trixie/etc/debian_version" ] || tools/clean-root --cache "$cache" true >/dev/null 2>&1 ||
	skip 'no base system can be made'

work=$(mktemp -d)
export DOCKER_HOST="unix://$work/docker.sock" DOCKER_BUILDKIT=0
dockerd --bridge=none --iptables=false --host "$DOCKER_HOST" --data-root "$work/data" \
	--exec-root "$work/exec" --pidfile "$work/pid" >"$work/log" 2>&1 &
engine=$!
# shellcheck disable=SC2317 # the trap calls it
clean_up() {
	docker rm --force --volumes assistant >/dev/null 2>&1
	kill "$engine"
	wait "$engine"
	umount -l "$work/exec/netns/default" 2>/dev/null
	rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM
until docker info >/dev/null 2>&1; do
	kill -0 "$engine" 2>/dev/null || skip 'dockerd does not start'
	sleep 1
done

count=0
failed=0
tell() { # CLAIM, of the last command
	code=$?
	count=$((count + 1))
	[ $code = 0 ] || failed=1
	[ $code = 0 ] && echo "ok $count - $1" || echo "not ok $count - $1"
}
start() {
	docker run --detach --name assistant --init --network none --health-interval 1s \
		--volume assistant:/data nanoclaw:test >/dev/null
	for _ in $(seq 60); do
		[ "$(docker inspect --format '{{.State.Health.Status}}' assistant)" != healthy ] || return 0
		sleep 1
	done
	docker logs assistant 2>&1 | sed 's/^/# /'
	return 1
}
say() { # TEXT
	docker exec assistant nanoclaw send main --wait "$1"
}

tar -C "$cache/trixie" -c . | docker import - base:test >/dev/null
git archive HEAD | docker build --network host --build-arg BASE=base:test --tag nanoclaw:test - \
	>"$work/build" 2>&1
tell 'the image is built' || tail -n 20 "$work/build" | sed 's/^/# /'
start
tell 'the assistant starts, and is healthy'
[ "$(docker exec assistant id -u)" = 1000 ]
tell 'it is not root'
[ "$(say 'remember milk')" = 'Noted: milk' ]
tell 'it answers'
docker stop assistant >/dev/null && [ "$(docker inspect --format '{{.State.ExitCode}}' assistant)" = 0 ]
tell 'it stops cleanly'
docker rm assistant >/dev/null && start && say notes | grep -q milk
tell 'another container knows what the first one was told'
echo "1..$count"
exit $failed
