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
