# zsh completes commands, options, files and folders
needs: zsh
-- try.zsh --
# Calls of the completion system's functions.
_describe() { print -l "  "${(M)${(@P)2}:#$words[CURRENT]*} }
_files() { echo "  files $*" }
compdef() { echo "defined $*" }
complete_for() {
	words=("$@")
	CURRENT=$#
	echo "$*"
	_nanoclaw
}
source <(nanoclaw completion zsh)
complete_for nanoclaw mer
complete_for nanoclaw -C /tmp merge-file --ma
complete_for nanoclaw --js
complete_for nanoclaw -C f
complete_for nanoclaw help tou
complete_for nanoclaw completion b
== run ==
$ zsh -f try.zsh
> defined _nanoclaw nanoclaw
> nanoclaw mer
>   merge-file:merge three versions of a file, as git merge-file does
> nanoclaw -C /tmp merge-file --ma
>   --marker-size=:length of the conflict markers (7)
> nanoclaw --js
>   --json:print one JSON document on standard output
> nanoclaw -C f
>   files -/
> nanoclaw help tou
>   tour:see the commands at work on a sample project
> nanoclaw completion b
>   bash
