# a skill on top of another changes the file that the other one has added
tree: examples/postbox
unlisted: .nanoclaw
== run ==
$ nanoclaw skill apply diary-search
? 2
2> error: skill 'diary-search' depends on 'diary', which is not applied
2> hint: nanoclaw skill apply diary diary-search
# Named in the wrong order: the one that the other needs comes first.
$ nanoclaw skill apply diary-search diary
> diary 1.0.0 applied
>   added     lib/diary.sh
>   merged    postbox
> diary-search 1.0.0 applied
>   merged    lib/answers.sh
>   merged    lib/diary.sh
> 2 tests passed
$ printf 'buy milk\nbuy tea\nfind milk\nfind beer\n' | ./postbox
> Postbox: I have put that in the box: buy milk
> Postbox: I have put that in the box: buy tea
> Postbox: buy milk
> Postbox: nothing found
$ cat data/diary.txt
> buy milk
> buy tea
> find milk
> find beer
$ nanoclaw skill apply diary
> diary 1.0.0 is already applied
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

	printf '%s: %s\n' "$NAME" "$(answer "$message")"
done
-- data/diary.txt --
buy milk
buy tea
find milk
find beer
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

# Keep a message.
diary_keep() {
	printf '%s\n' "$1" >>"$DIARY"
}

# All messages with a word, on one line. Searches themselves do not count.
diary_find() {
	found=$(grep -F -- "$1" "$DIARY" | grep -v '^find ' | paste -s -d ';' -)
	echo "${found:-nothing found}"
}
