# patches get numbers that were never used, notes keep a person's lines, and a tied patch is counted by its name
ignore: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
1
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
-- skills/x/add/x.txt --
x
== run ==
$ nanoclaw -q init; nanoclaw -q customize start one; echo 2 >> a.txt; nanoclaw -q customize commit
> recorded as 001-one
# The files of the patch are gone, but the state has its number.
$ mkdir kept; mv .nanoclaw/custom/001-one.* kept
$ nanoclaw -q customize start two; echo 3 >> a.txt; nanoclaw -q customize commit
> recorded as 002-two
$ mv kept/* .nanoclaw/custom; rmdir kept
# The state knows nothing of a discarded patch, but its files are still there.
$ nanoclaw -q customize remove two; nanoclaw -q customize start three; echo 4 >> a.txt; nanoclaw -q customize commit
> 002-two removed
> recorded as 003-three
# Only the title of the note follows the name.
$ printf '# one\n# own heading\n\nThe patch is `001-one.patch`.\n' > .nanoclaw/custom/001-one.md; nanoclaw -q customize rename one first; cat .nanoclaw/custom/001-first.md
> renamed to 001-first
> # first
> # own heading
>
> The patch is `001-first.patch`.
$ printf 'no title\n# own heading\n' > .nanoclaw/custom/001-first.md; nanoclaw -q customize rename first again; cat .nanoclaw/custom/001-again.md
> renamed to 001-again
> no title
> # own heading
# A patch that is tied to a skill has the skill's name instead of a number.
$ nanoclaw -q skill apply x --customize 'more x'; echo more >> x.txt; nanoclaw -q customize commit
> x 1.0.0 applied
> Now make your changes, then run 'nanoclaw customize commit'.
> recorded as x-more-x
$ nanoclaw -q customize start --skill x 'more x'; echo and more >> x.txt; nanoclaw -q customize commit; ls .nanoclaw/custom
> recorded as x-more-x-2
> 001-again.md
> 001-again.patch
> 002-two.md
> 002-two.patch
> 003-three.md
> 003-three.patch
> x-more-x-2.md
> x-more-x-2.patch
> x-more-x.md
> x-more-x.patch
$ nanoclaw customize list
> 001-again   2001-02-03   1 file   again
>   a.txt
> 003-three   2001-02-03   1 file   three
>   a.txt
> x-more-x    2001-02-03   1 file   more x (x)
>   x.txt
> x-more-x-2  2001-02-03   1 file   more x (x)
>   x.txt
== after ==
-- a.txt --
1
2
4
-- x.txt --
x
more
and more
