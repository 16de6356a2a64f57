# bash completes commands and options
needs: bash
-- try.sh --
source <(nanoclaw completion bash)
complete_for() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_nanoclaw 2>/dev/null
	echo "${COMPREPLY[@]}"
}
complete_for nanoclaw mer
complete_for nanoclaw -C /tmp merge-file --ma
complete_for nanoclaw --js
== run ==
$ bash try.sh
> merge-file
> --marker-size=
> --json
$ nanoclaw completion powershell
? 2
2> error: no completions for the shell 'powershell'
2> hint: there are bash, fish and zsh
