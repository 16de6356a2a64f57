# a link that a person put in the place of a file stays when the skill below it goes, and a file in the place of a link
ignore: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
-- b.txt --
b
-- c.txt -> b.txt --
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
one
two x
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ nanoclaw -q customize start link; ln -sf b.txt a.txt; nanoclaw -q customize commit
> recorded as 001-link
$ nanoclaw -q customize start file; rm c.txt; printf 'mine\n2\n3\n' > c.txt; nanoclaw -q customize commit
> recorded as 002-file
$ nanoclaw -q customize start more; echo more >> c.txt; nanoclaw -q customize commit
> recorded as 003-more
$ nanoclaw -q skill remove x; readlink a.txt
> x 1.0.0 removed
> b.txt
# The file in the place of the link is what the later patch changes: it stays.
$ nanoclaw -q customize remove file; cat c.txt
> 002-file removed
> mine
> 2
> 3
> more
$ nanoclaw -q customize remove link; cat a.txt
> 001-link removed
> one
> two
$ nanoclaw -q customize remove more; readlink c.txt
> 003-more removed
> b.txt
$ nanoclaw status
> core 1.0.0
