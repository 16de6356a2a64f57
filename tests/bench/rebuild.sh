#!/bin/sh
# A rebuild after one changed file, compared with ninja alone:
#
#	rebuild.sh RATIO SOURCE WORK
#
# In a copy of SOURCE in the folder WORK, which is built once. RATIO is bench-ratio.
set -eu

ratio=$1
source=$2
work=$3

tar -C "$source" --exclude='./build*' --exclude=./.git --exclude=./.nanoclaw --exclude=./data \
	--exclude=./groups --exclude=./logs --exclude=./store -cf - . | tar -C "$work" -xf -
cd "$work"
tools/build build-run --buildtype release -Dtests=disabled
# Another file each time: both link the same programs.
cat >rebuild <<'END'
#!/bin/sh
echo "/* $(date +%N) */" >>src/cli/version.c
build-run/nanoclaw -q rebuild --check --no-test
END
cat >compile <<'END'
#!/bin/sh
echo "/* $(date +%N) */" >>src/cli/version.c
ninja -C build-run >/dev/null
END
chmod +x rebuild compile
"$ratio" "rebuild --check after one changed file, to ninja alone" 5 ./rebuild ./compile
