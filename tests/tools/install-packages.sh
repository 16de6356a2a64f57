#!/bin/sh
# Which command does tools/install-packages print for a user without root rights?
#
# With stand-ins for the programs that it asks: no package is there.
set -u

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
failed=0

run() { # KIND [OPTION]
	PATH="$work:$clean" sh "$tools/install-packages" "$@" >"$work/out" 2>&1 </dev/null
}
tools=$here/../../tools
tell() { # CLAIM TRUE|FALSE
	count=$((count + 1))
	if "$2"; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		sed 's/^/# /' "$work/out"
		failed=1
	fi
}
check() { # CLAIM EXPECTED-EXIT EXPECTED-TEXT
	run build
	if [ $? = "$2" ] && grep -qF -- "$3" "$work/out"; then
		tell "$1" true
	else
		tell "$1" false
	fi
}
names_package() { # NAME
	tr -s " '" '\n' <"$work/out" | grep -qx -- "$1"
}
stand_in() { # NAME COMMANDS
	printf '#!/bin/sh\n%s\n' "$2" >"$work/$1"
	chmod +x "$work/$1"
}

# The usual programs without a sudo that may be among them.
clean=$work/usual
mkdir "$clean"
for program in awk cat dirname grep sh tail tr; do
	ln -s "$(command -v "$program")" "$clean/$program"
done
stand_in dpkg-query 'exit 1'
stand_in id 'echo 1000'

check 'without sudo the line is one for su' 1 "    su -c 'apt-get update && apt-get install"
stand_in sudo 'exit 1'
check 'with a sudo that asks, the line is one for sudo' 1 \
	"    sudo sh -c 'apt-get update && apt-get install"
run test
if names_package npm && names_package nodejs; then
	tell 'a package whose command is missing is wanted' true
else
	tell 'a package whose command is missing is wanted' false
fi
stand_in npm 'exit 1'
run test
if names_package npm || ! names_package nodejs; then
	tell 'a package whose command is there is not' false
else
	tell 'a package whose command is there is not' true
fi
# Packages of applied skills, in a tree of their own.
mkdir -p "$work/tree/tools"
cp "$tools/install-packages" "$work/tree/tools"
printf '# for skills\nffmpeg sound\n  jq\n- no\n' >"$work/tree/system-packages.txt"
tools=$work/tree/tools
run skills
[ $? = 2 ] && grep -qx 'Skills need packages that are missing: ffmpeg jq' "$work/out" &&
	told=true || told=false
tell 'packages of skills are not installed without a question' "$told"
run skills --yes
[ $? = 1 ] && grep -q 'apt-get install .* ffmpeg jq' "$work/out" && told=true || told=false
tell 'with --yes they are' "$told"
tools=$here/../../tools
rm "$work/dpkg-query"
export OS_RELEASE="$work/os-release"
rm "$work/sudo"
echo 'ID=plan9' >"$OS_RELEASE"
check 'on an unknown system the packages are named' 0 'this system is unknown here; on Debian'
# shellcheck disable=SC2016 # the stand-in expands it
stand_in rpm '[ "$3" = gcc ]'
stand_in pacman 'exit 1'
stand_in apk 'exit 1'
printf 'ID="rocky"\nID_LIKE="rhel centos fedora"\n' >"$OS_RELEASE"
check 'on Fedora and its like the line is one for dnf' 0 \
	'    dnf install bubblewrap findutils glibc-devel libcurl-devel libedit-devel'
names_package gcc && told=false || told=true
tell 'a package that is there is not named' "$told"
echo 'ID=arch' >"$OS_RELEASE"
check 'on Arch it is one for pacman' 0 '    pacman -S --needed bubblewrap findutils gcc glibc curl libedit'
echo 'ID=alpine' >"$OS_RELEASE"
check 'on Alpine it is one for apk' 0 '    apk add bubblewrap findutils gcc musl-dev curl-dev libedit-dev'
printf 'ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\n' >"$OS_RELEASE"
check 'on openSUSE it is one for zypper' 0 '    zypper install bubblewrap findutils glibc-devel libcurl-devel'
stand_in rpm 'exit 0'
run build
[ -s "$work/out" ] && told=false || told=true
tell 'where nothing is missing, nothing is printed' "$told"

echo "1..$count"
exit $failed
