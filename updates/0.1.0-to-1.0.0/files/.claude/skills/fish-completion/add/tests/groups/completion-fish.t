# fish completes commands of two words
needs: fish
-- try.fish --
nanoclaw completion fish | source
for line in "nanoclaw pai" "nanoclaw pair " "nanoclaw help pai" "nanoclaw help pair " \
    "nanoclaw pair left f"
    echo $line: (complete -C $line)
end
-- file --
-- folder/ --
== run ==
$ fish --no-config try.fish
> nanoclaw pai: pair	left right
> nanoclaw pair : left	the left one right	the right one
> nanoclaw help pai: pair	left right
> nanoclaw help pair : left	the left one right	the right one
> nanoclaw pair left f: folder/	Directory
