#!/bin/sh
# Build, install, use and purge the Debian package: tools/try-deb, where it can run. It takes minutes.
set -u

cd "$(dirname "$0")/../.." || exit 1
[ "$(id -u)" -eq 0 ] || { echo "needs root rights"; exit 77; }
[ -e .git ] || { echo "needs a git checkout"; exit 77; }
command -v debootstrap || { echo "'debootstrap' is missing"; exit 77; }
unshare --mount true || { echo "needs mounts of its own"; exit 77; }
exec tools/try-deb
