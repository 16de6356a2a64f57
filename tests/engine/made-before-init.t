# a skill made before the core was saved does not take its own change for the core's
needs: git
ignore: .git
unlisted: .nanoclaw .claude
-- VERSION --
1.0.0
-- index.js --
one
two
-- both.js --
one
two
== run ==
$ git init -q; git add .; git commit -qm core
$ echo discount >>index.js
$ nanoclaw -q skill new discount --from-changes --description Discounts -- index.js
$ nanoclaw skill apply discount
? 2
2> error: 'index.js' already has the change of skill 'discount', and the core is not saved yet: the change would become part of the core
2> hint: save the core without the change first: 'git stash -u', 'nanoclaw init', 'git stash pop'; or accept it with '--ancestor base'
# So it is with a change in the index, and with a file that the skill adds.
$ git add index.js; nanoclaw -q skill apply discount
? 2
2> error: 'index.js' already has the change of skill 'discount', and the core is not saved yet: the change would become part of the core
2> hint: save the core without the change first: 'git stash -u', 'nanoclaw init', 'git stash pop'; or accept it with '--ancestor base'
$ echo new >new.js; nanoclaw -q skill new more --from-changes -- new.js; nanoclaw skill apply more
? 2
2> error: skill 'more' adds 'new.js', which is a file of the core
2> hint: if the skill was made from it: save the core without the change first: 'git stash -u', 'nanoclaw init', 'git stash pop'
# Other edits of the file may be in the tree, too.
$ echo mine >>index.js; nanoclaw -q skill apply discount
? 2
2> error: 'index.js' already has the change of skill 'discount', and the core is not saved yet: the change would become part of the core
2> hint: save the core without the change first: 'git stash -u', 'nanoclaw init', 'git stash pop'; or accept it with '--ancestor base'
# As the hint says:
$ sed -i '/mine/d' index.js; git reset -q
$ git stash -q -u; nanoclaw -q init; git stash pop -q
$ nanoclaw -q skill apply discount more
> discount 1.0.0 applied
> more 1.0.0 applied
$ nanoclaw -q skill remove discount more; cat index.js; ls
> discount 1.0.0 removed
> more 1.0.0 removed
> one
> two
> VERSION
> both.js
> index.js
== after ==
