#!/bin/sh
# Run a test with containers in place of bwrap:
#
#	container.sh podman|docker root|user PROGRAM ARGUMENT...
#
# It has the engine in NANOCLAW_SANDBOX and an image in NANOCLAW_SANDBOX_IMAGE. The image comes
# from no registry: it has a few programs of this machine, with the libraries that they and the
# test's programs need. `user` is uid 65534 if we are root, with an own store for podman's images.
# Where the engine cannot run a container, the test is skipped with the engine's reason.
set -u

engine=$1
who=$2
shift 2
skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

command -v "$engine" >/dev/null || skip "'$engine' is not installed"
if [ "$who" = root ]; then
	[ "$(id -u)" -eq 0 ] || skip "we are not root"
	as=
elif [ "$(id -u)" -eq 0 ]; then
	command -v setpriv >/dev/null || skip "setpriv is not installed"
	as='setpriv --reuid 65534 --regid 65534 --clear-groups'
	$as test -x "$1" || skip "another user cannot reach '$1'"
	# In a mount namespace of this test, so that the machine's own ranges stay as they are.
	if [ "$engine" = podman ] && [ -z "${NANOCLAW_TEST_RANGES-}" ]; then
		command -v newuidmap >/dev/null || skip "newuidmap is not installed"
		NANOCLAW_TEST_RANGES=$(mktemp)
		export NANOCLAW_TEST_RANGES
		chmod 644 "$NANOCLAW_TEST_RANGES"
		echo "$(id -un 65534):200000:65536" >"$NANOCLAW_TEST_RANGES"
		unshare -m "$0" "$engine" "$who" "$@"
		code=$?
		rm -f "$NANOCLAW_TEST_RANGES"
		exit $code
	fi
	if [ "$engine" = podman ]; then
		# podman warns of a root that is not shared; this shares it with nobody.
		mount --make-rshared /
		for file in /etc/subuid /etc/subgid; do
			mount --bind "$NANOCLAW_TEST_RANGES" $file ||
				skip "user ids for '$file' cannot be set up"
		done
	fi
else
	as=
fi

work=$(mktemp -d)
name=nanoclaw-test-$$:latest
clean_up() {
	$as "$engine" rmi --force "$name" >/dev/null 2>&1
	# Files of other users below belong to this user's namespace.
	[ -z "$as" ] || [ "$engine" = docker ] || $as podman unshare rm -rf "$work/home" 2>/dev/null
	rm -rf --one-file-system "$work"
}
trap clean_up EXIT
if [ "$engine" = podman ]; then
	# Separate from the user's own images, and without overlays.
	mkdir -p "$work/home/run" "$work/home/tmp"
	printf '[storage]\ndriver = "vfs"\ngraphroot = "%s"\nrunroot = "%s"\n' \
		"$work/home/images" "$work/home/run/images" >"$work/home/storage.conf"
	CONTAINERS_STORAGE_CONF=$work/home/storage.conf
	XDG_RUNTIME_DIR=$work/home/run
	export CONTAINERS_STORAGE_CONF XDG_RUNTIME_DIR
fi
[ -z "$as" ] || {
	mkdir -p "$work/home/tmp"
	HOME=$work/home
	TMPDIR=$work/home/tmp
	export HOME TMPDIR
	chown -R 65534:65534 "$work"
}

why=$($as "$engine" ps 2>&1 >/dev/null) ||
	skip "'$engine' does not work here: $(echo "$why" | grep . | tail -n 1)"

for folder in app dev etc home/node proc programs run/nanoclaw sys tmp usr/bin var \
	workspace/agent workspace/extra workspace/project; do
	mkdir -p "$work/root/$folder"
done
for folder in bin lib lib64 sbin; do
	if [ -L "/$folder" ]; then
		mkdir -p "$work/root/usr/$folder"
		ln -s "usr/$folder" "$work/root/$folder"
	fi
done
# runc gives a folder in memory the mode of the image's folder, whatever we ask for.
chmod 1777 "$work/root/tmp" "$work/root/home/node"
: >"$work/root/attempt"
printf 'root:x:0:0::/:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n' >"$work/root/etc/passwd"
for program in cat env head id ls sh sleep sort test touch true; do
	cp -L "$(command -v "/usr/bin/$program" || command -v "/bin/$program")" \
		"$work/root/usr/bin/$program"
done
for program in "$work/root/usr/bin"/* "$@"; do
	[ ! -f "$program" ] || ldd "$program" 2>/dev/null
done | grep -o '/[^ ]*' | sort -u | while read -r library; do
	mkdir -p "$work/root/$(dirname "$library")"
	cp -L "$library" "$work/root/$library"
done
why=$( (tar -C "$work/root" --owner 0 --group 0 -c . | $as "$engine" import - "$name") 2>&1) ||
	skip "'$engine' cannot import an image: $(echo "$why" | tail -n 1)"
run_one() {
	why=$($as "$engine" run --rm --network none "$name" true 2>&1)
}
# crun refuses a machine with both versions of cgroups.
run_one_with_runc() {
	[ "$engine" = podman ] && command -v runc >/dev/null || return 1
	printf '[engine]\nruntime = "runc"\n[containers]\ndefault_ulimits = [%s]\n' \
		'"nofile=1024:4096", "nproc=4096:4096"' >"$work/home/containers.conf"
	export CONTAINERS_CONF="$work/home/containers.conf"
	run_one
}
run_one || run_one_with_runc ||
	skip "'$engine' cannot run a container: $(echo "$why" | tail -n 1)"

NANOCLAW_SANDBOX=$engine
NANOCLAW_SANDBOX_IMAGE=$name
export NANOCLAW_SANDBOX NANOCLAW_SANDBOX_IMAGE
$as "$@"
