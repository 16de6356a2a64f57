# bash completes commands of two words
needs: bash
-- try.sh --
source <(nanoclaw completion bash)
complete_for() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	_nanoclaw 2>/dev/null
	echo "$*: ${COMPREPLY[*]}"
}
complete_for nanoclaw pai
complete_for nanoclaw pair ''
complete_for nanoclaw help pai
complete_for nanoclaw help pair ''
complete_for nanoclaw pair left f
-- file --
-- folder/ --
== run ==
$ bash try.sh
> nanoclaw pai: pair
> nanoclaw pair : left right
> nanoclaw help pai: pair
> nanoclaw help pair : left right
> nanoclaw pair left f: folder
