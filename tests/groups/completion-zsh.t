# zsh completes commands of two words
needs: zsh
-- try.zsh --
# Calls of the completion system's functions.
_describe() { print -l "  "${(M)${(@P)2}:#$words[CURRENT]*} }
_files() { echo "  files $*" }
compdef() {}
complete_for() {
	words=("$@")
	CURRENT=$#
	echo "$*"
	_nanoclaw
}
source <(nanoclaw completion zsh)
complete_for nanoclaw pai
complete_for nanoclaw pair ''
complete_for nanoclaw help pair ''
complete_for nanoclaw pair left f
== run ==
$ zsh -f try.zsh
> nanoclaw pai
>   pair:left right
> nanoclaw pair 
>   left:the left one
> right:the right one
> nanoclaw help pair 
>   left:the left one
> right:the right one
> nanoclaw pair left f
>   files -/
