# fish completes commands, options, files and folders
needs: fish
-- try.fish --
nanoclaw completion fish | source
for line in "nanoclaw mer" "nanoclaw -C /tmp mer" "nanoclaw merge-file --ma" "nanoclaw --js" \
    "nanoclaw merge-file fi" "nanoclaw tour fi" "nanoclaw -C fo" "nanoclaw -C fi" "nanoclaw help tou" \
    "nanoclaw completion "
    echo $line: (complete -C $line | cut -f 1)
end
-- file --
-- folder/ --
== run ==
$ fish --no-config try.fish
> nanoclaw mer: merge-file
> nanoclaw -C /tmp mer: merge-file
> nanoclaw merge-file --ma: --marker-size=
> nanoclaw --js: --json
> nanoclaw merge-file fi: file
> nanoclaw tour fi:
> nanoclaw -C fo: folder/
> nanoclaw -C fi:
> nanoclaw help tou: tour
> nanoclaw completion : bash fish zsh
