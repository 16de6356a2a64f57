#!/bin/sh
# The ways out of a sandbox, tried in a container of podman:
#
#	podman.sh ESCAPE ATTEMPT [NAME...]
#
# No image can be had without a registry. So the root of the container is a folder in which
# the machine's own /usr is mounted, in a mount namespace of this test; that takes root.
set -u

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

if [ "${1-}" = --inside ]; then
	shift
	mount --bind /usr "$SANDBOX_ROOTFS/usr" || exit 1
	mount -o remount,bind,ro "$SANDBOX_ROOTFS/usr" || exit 1
	escape=$1
	shift
	exec "$escape" podman "$@"
fi
[ "$(id -u)" -eq 0 ] || skip "we are not root"
command -v podman >/dev/null || skip "there is no podman"
command -v unshare >/dev/null || skip "there is no unshare"

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
SANDBOX_ROOTFS=$work/root
export SANDBOX_ROOTFS
for folder in app dev etc home/node proc programs run sys tmp usr var workspace/agent; do
	mkdir -p "$SANDBOX_ROOTFS/$folder"
done
for folder in bin lib lib64 sbin; do
	[ ! -L "/$folder" ] || ln -s "$(readlink "/$folder")" "$SANDBOX_ROOTFS/$folder"
done
: >"$SANDBOX_ROOTFS/attempt"
cp /etc/ld.so.cache "$SANDBOX_ROOTFS/etc"
echo 'node:x:1000:1000::/home/node:/bin/sh' >"$SANDBOX_ROOTFS/etc/passwd"
chmod 1777 "$SANDBOX_ROOTFS/tmp" "$SANDBOX_ROOTFS/home/node"
unshare -m "$0" --inside "$@"
