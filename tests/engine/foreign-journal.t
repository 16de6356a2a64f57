# a journal that came with the tree reaches neither .git nor anything outside
ignore: .git
-- VERSION --
1.0.0
-- outside/0 --
outside
-- project/a.txt --
a
-- project/.git/config --
-- project/.nanoclaw/state.yaml --
core_version: 1.0.0
-- project/.nanoclaw/base/a.txt --
a
-- project/.nanoclaw/tx/stage/ --
-- project/.nanoclaw/tx/saved/0 [755] --
echo evil
-- make-journal --
{ echo "nanoclaw-journal 1"; echo "operation x"
  echo "put 0 1 755 0000000000000000000000000000000000000000000000000000000000000000 $1"; } > body
hash=$(sha256sum < body | cut -d' ' -f1)
{ cat body; echo "end $hash"; } > project/.nanoclaw/tx/journal
rm body
== run ==
$ sh make-journal .git/hooks/pre-commit
$ nanoclaw -C project status
? 2
2> error: cannot undo an operation that was interrupted: [..]
2> hint: nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw verify' shows the damage
$ ls project/.git
> config
# Through a link to somewhere else:
$ sh make-journal b.txt; rm -r project/.nanoclaw/tx/saved; ln -s ../../../outside project/.nanoclaw/tx/saved
$ nanoclaw -C project status
? 2
2> error: cannot undo: [..] a symbolic link is in the way
2> hint: nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw verify' shows the damage
$ cat outside/0
> outside
$ rm -r project/.nanoclaw/tx
== after ==
-- !project/.nanoclaw/tx --
