# For the tests in this folder: installations of 0.1.0, and what they should be after the update.
# shellcheck shell=sh disable=SC2034,SC2154 # the script that reads this has some of the variables

skip() { # REASON
	echo "1..0 # SKIP $1"
	exit 0
}

update=$source/updates/0.1.0-to-1.0.0
commit=$(cat "$source/tests/releases/0.1.0")
[ -d "$update" ] || skip "there is no update package in 'updates'"
git -C "$source" cat-file -e "$commit^{commit}" 2>/dev/null ||
	skip "the history does not have 0.1.0: it needs a whole clone"

here=$(mktemp -d "${TMPDIR:-/tmp}/nanoclaw-releases.XXXXXX")
pids=
finish() {
	for pid in $pids; do
		kill "$pid" 2>/dev/null
	done
	wait
	rm -rf "$here"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM
mkdir "$here/home"
export HOME="$here/home" NANOCLAW_ALLOW_COMMANDS=1

count=0
failed=0
report() { # CODE CLAIM
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		head -40 "$here/output" | sed 's/^/# /'
		failed=1
	fi
}
end_tests() {
	echo "1..$count"
	exit $failed
}

# --- the two cores --------------------------------------------------------------------------

extract() { # FOLDER COMMIT
	mkdir "$1"
	git -C "$source" archive "$2" | tar -C "$1" -xf -
}
make_this() { # FOLDER: the source that is tested, as a folder with a whole core
	mkdir "$1"
	tar -C "$source" --exclude='./build*' --exclude=./.git --exclude=./.nanoclaw \
		--exclude=./data --exclude=./groups --exclude=./logs --exclude=./store \
		--exclude=./.env --exclude=./compile_commands.json --exclude='./nanoclaw-*.tar.gz' \
		--exclude=./updates --exclude=./.claude/skills/matrix.yaml -cf - . |
		tar -C "$1" -xf -
}
# The source of 1.0.0, as the package describes it: without the program that is tested.
make_new() { # FOLDER, which is a copy of the old one
	sed 's/^[ -]*//' "$update/file_ops.yaml" | while read -r key value; do
		case $key in
		path:) rm "$1/$value" ;;
		from:) from=$value ;;
		to:) mkdir -p "$(dirname "$1/$value")" && mv "$1/$from" "$1/$value" ;;
		esac
	done
	cp -a --remove-destination "$update/files/." "$1"
	find "$1" -type d -empty -delete
}

# --- installations --------------------------------------------------------------------------

run() { # FOLDER ARGUMENT...
	folder=$1
	shift
	"$nanoclaw" -C "$folder" "$@" >"$here/output" 2>&1 </dev/null
}
apply() { # FOLDER SKILL...
	folder=$1
	shift
	run "$folder" skill apply "$@" --no-test --no-rebuild --no-install
}
patch_file() { # FOLDER DESCRIPTION FILE SED: a custom patch
	run "$1" customize start "$2" && sed -i "$4" "$1/$3" && run "$1" customize commit
}
listing() { # FOLDER: all names, contents, and what can be run, except what belongs to people
	(
		cd "$1" && find . \( -path ./.env -o -path ./.git -o -path ./.nanoclaw -o -path './build*' \
			-o -path ./data -o -path ./groups -o -path ./logs -o -path ./store \) -prune -o \
			\( ! -perm -100 -o -printf x \) -printf '%y %p %l\n' -type f -exec cksum {} + |
			LC_ALL=C sort -k 3
	)
}
is_as() { # FOLDER LISTING
	listing "$1" | diff "$2" - >"$here/output"
}

# The five, in 0.1.0. expect_NAME does the same to a new installation of 1.0.0.
names='plain channels patches edits rebased'

make_plain() { # groups, a conversation, tasks, one of them paused
	run "$1" init && talk "$1" 'remember milk' &&
		run "$1" group add slack:C1 Developers --folder dev &&
		run "$1" task add dev --every 1h 'water the plants' &&
		run "$1" task add main --cron '0 9 * * MON-FRI' 'good morning' && run "$1" task pause 2
}
expect_plain() { :; }

make_channels() {
	run "$1" init && expect_channels "$1"
}
expect_channels() {
	apply "$1" telegram slack
}

make_patches() { # one in a file that leaves the core, and one in lines that do
	run "$1" init && expect_patches "$1"
}
expect_patches() {
	patch_file "$1" 'a title of mine' docs/host.md '1s/$/, at home/' &&
		patch_file "$1" 'more faults' src/cli/channel/channel_check.c \
			's/^#define MAX_FAULTS 20/#define MAX_FAULTS 40/' &&
		patch_file "$1" 'files too' src/cli/completion.c \
			's/complete -c nanoclaw -f -a/complete -c nanoclaw -a/'
}

make_edits() { # not recorded
	run "$1" init && expect_edits "$1"
}
expect_edits() {
	sed -i 's/^# The host$/# My host/; $a mine' "$1/docs/host.md"
	sed -i '$a # mine' "$1/src/cli/channel/templates/sh/bridge.sh"
	echo '/* mine */' >"$1/src/cli/mine.c"
	rm "$1/docs/undo.md"
}

make_rebased() { # with a skill that was removed before
	run "$1" init && apply "$1" voice-transcription pdf-reader irc whatsapp &&
		run "$1" skill remove irc --no-test --no-rebuild --no-install --yes &&
		run "$1" rebase --no-test --yes
}
expect_rebased() {
	apply "$1" voice-transcription pdf-reader whatsapp
}

# --- the assistant --------------------------------------------------------------------------

talk() { # FOLDER TEXT: to the assistant, in a host of its own; the answer is the output
	"$nanoclaw" -C "$1" run >"$here/log" 2>&1 </dev/null &
	host=$!
	pids="$pids $host"
	tries=0
	until run "$1" send main "$2" --wait || [ $tries -gt 100 ]; do
		tries=$((tries + 1))
		kill -0 $host 2>/dev/null || return 1
		sleep 0.1
	done
	kill $host
	wait $host
	[ $tries -le 100 ]
}
data() { # FOLDER: what is stored
	(cd "$1" && find store groups data -type f ! -path data/run/\* -exec sha256sum {} + 2>/dev/null | sort -k 2)
	"$nanoclaw" -C "$1" history main --json 2>/dev/null
	"$nanoclaw" -C "$1" task list --json 2>/dev/null | grep -v '"now"'
}
