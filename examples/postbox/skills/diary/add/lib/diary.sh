# A diary: every message in a file, one per line.

: "${DIARY:=$here/data/diary.txt}"

# Keep a message.
diary_keep() {
	printf '%s\n' "$1" >>"$DIARY"
}
