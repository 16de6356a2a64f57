# a person's text in a file that a skill added stays when another layer is applied
tree: examples/postbox
unlisted: .nanoclaw
== run ==
$ nanoclaw -q skill apply diary
> diary 1.0.0 applied
$ sed -i 's/^# Keep a message\./# Keep a message for ever./' lib/diary.sh
$ sed -i 's/Hello!/Ahoy!/' lib/settings.sh
$ nanoclaw status
> core 1.0.0
>   diary 1.0.0
>
> your unrecorded changes:
>   edited    lib/diary.sh
>   edited    lib/settings.sh
$ nanoclaw skill apply --on-drift continue diary-search shout
> diary-search 1.0.0 applied
>   merged    lib/answers.sh
>   merged    lib/diary.sh
> shout 1.0.0 applied
>   merged    lib/settings.sh
>   merged    postbox
> 3 tests passed
$ printf 'hello\nfind hello\n' | ./postbox
> POSTBOX: AHOY!
> POSTBOX: HELLO
$ grep ever lib/diary.sh
> # A diary: every message in a file, one per line.
> # Keep a message for ever.
== after ==
-- postbox [755] --
#!/bin/sh
# A postbox: reads one message per line and answers it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib/settings.sh"
. "$here/lib/answers.sh"
. "$here/lib/diary.sh"

while IFS= read -r message; do
	# An empty line is no message.
	[ -n "$message" ] || continue
	diary_keep "$message"

	printf '%s: %s\n' "$NAME" "$(answer "$message" | tr '[:lower:]' '[:upper:]')"
done
-- data/diary.txt --
hello
find hello
-- lib/answers.sh --
# One message in, one answer out.

answer() {
	case $1 in
	hello*)
		echo "$GREETING"
		;;
	bye*)
		echo "$FAREWELL"
		;;
	find\ *)
		diary_find "${1#find }"
		;;
	*)
		echo "I have put that in the box: $1"
		;;
	esac
}
-- lib/diary.sh --
# A diary: every message in a file, one per line.

: "${DIARY:=$here/data/diary.txt}"

# Keep a message for ever.
diary_keep() {
	printf '%s\n' "$1" >>"$DIARY"
}

# All messages with a word, on one line. Searches themselves do not count.
diary_find() {
	found=$(grep -F -- "$1" "$DIARY" | grep -v '^find ' | paste -s -d ';' -)
	echo "${found:-nothing found}"
}
-- lib/settings.sh --
# What people like to change.

# The name in front of each answer.
NAME=POSTBOX

# The answer to "hello".
GREETING="Ahoy!"

# The answer to "bye".
FAREWELL="See you."
