# bash completes commands, options, files and folders
needs: bash
-- try.sh --
source <(nanoclaw completion bash)
complete_for() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	_nanoclaw 2>/dev/null
	# Files come in the order of their folder.
	mapfile -t COMPREPLY < <(printf '%s\n' "${COMPREPLY[@]}" | sort)
	echo "$*: ${COMPREPLY[*]}"
}
complete_for nanoclaw mer
complete_for nanoclaw -C /tmp merge-file --ma
complete_for nanoclaw --js
complete_for nanoclaw merge-file f
complete_for nanoclaw merge-file -L f
complete_for nanoclaw tour f
complete_for nanoclaw -C f
complete_for nanoclaw help tou
complete_for nanoclaw completion ''
complete_for nanoclaw skill apply --on-drift re
complete_for nanoclaw skill apply --on-drift = re
complete_for nanoclaw comple
-- file --
-- folder/ --
== run ==
$ bash try.sh
> nanoclaw mer: merge-file
> nanoclaw -C /tmp merge-file --ma: --marker-size=
> nanoclaw --js: --json
> nanoclaw merge-file f: file folder
> nanoclaw merge-file -L f: 
> nanoclaw tour f: 
> nanoclaw -C f: folder
> nanoclaw help tou: tour
> nanoclaw completion : bash zsh
> nanoclaw skill apply --on-drift re: record
> nanoclaw skill apply --on-drift = re: record
> nanoclaw comple: completion
$ nanoclaw completion powershell
? 2
2> error: no completions for the shell 'powershell'
2> hint: there are completions for bash and zsh
