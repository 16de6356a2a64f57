# a recorded patch is merged into the current files; changes that they already have count as applied
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
four
five
six
-- gone.txt --
gone
-- name.txt --
a file
with some lines
that gets another name
and keeps them
-- tool --
echo tool
-- pic [hex] --
00010203
== run ==
$ nanoclaw -q init; nanoclaw -q customize start mine
$ sed -i 's/two/two, mine/' a.txt; rm gone.txt; mkdir sub; mv name.txt sub/other.txt; chmod +x tool
$ printf 'a\0b' >pic; echo new >new.txt; ln -s a.txt link
$ nanoclaw -q customize commit
> recorded as 001-mine
$ nanoclaw customize apply 001
> 001-mine applied
>   as it is  a.txt
>   as it is  gone.txt
>   as it is  link
>   as it is  new.txt
>   as it is  pic
>   as it is  sub/other.txt
>   as it is  tool
# Everything back to the core, and another change besides.
$ for f in a.txt gone.txt name.txt tool pic; do cp -p .nanoclaw/base/$f $f; done; chmod 644 tool
$ rm -r sub new.txt link; sed -i 's/six/six, later/' a.txt; echo and more >>name.txt
$ nanoclaw customize apply other
? 2
2> error: there is no custom patch 'other'
2> hint: 'nanoclaw customize list' shows the patches that are recorded
$ nanoclaw customize apply 001 --dry-run
> 001-mine would be applied
>   merged    a.txt
>   deleted   gone.txt
>   added     link
>   added     new.txt
>   merged    pic
>   renamed   name.txt -> sub/other.txt
>   as it is  sub/other.txt
>   merged    tool
$! nanoclaw customize apply 001-mine
> 001-mine applied
>   merged    a.txt
>   deleted   gone.txt
>   added     link
>   added     new.txt
>   merged    pic
>   renamed   name.txt -> sub/other.txt
>   as it is  sub/other.txt
>   merged    tool
$ cat a.txt; ls; ls -l tool | cut -c 1-10; cat sub/other.txt; readlink link
> one
> two, mine
> three
> four
> five
> six, later
> VERSION
> a.txt
> link
> new.txt
> pic
> sub
> tool
> -rwxr-xr-x
> a file
> with some lines
> that gets another name
> and keeps them
> and more
> a.txt
$ nanoclaw --json customize apply 001-mine | grep -c same
> 7
# Changes that do not fit are conflicts; a changed file that the patch deletes is a decision.
$ printf 'one\nTWO\nthree\nfour\nfive\nsix\n' >a.txt; echo changed >gone.txt
$! nanoclaw customize apply 001
? 3
> 001-mine paused
>   CONFLICT  a.txt
>   DECISION  gone.txt
>   as it is  link
>   as it is  new.txt
>   as it is  pic
>   as it is  sub/other.txt
>   as it is  tool
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
>   gone.txt: 001-mine deletes it, and changes would be lost; leave it there to keep it, or delete it
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat a.txt
> one
> <<<<<<< yours
> TWO
> ||||||| before your change
> two
> =======
> two, mine
> >>>>>>> 001-mine
> three
> four
> five
> six
$ sed -i '/^<<<</d; /^||||/,/^>>>>/d' a.txt; nanoclaw continue; nanoclaw status
> done
> core 1.0.0
>   001-mine (custom patch)
>
> your unrecorded changes:
>   edited    a.txt
>   appeared  gone.txt
>   edited    sub/other.txt
$ nanoclaw abort
? 2
2> error: no operation is paused
$ echo damaged >>.nanoclaw/custom/001-mine.patch; nanoclaw customize apply 001
? 2
2> error: the patch '.nanoclaw/custom/001-mine.patch' was changed since it was recorded
2> hint: nothing was changed; 'nanoclaw doctor --fix' repairs '.nanoclaw', and 'nanoclaw verify' shows the damage
== after ==
-- a.txt --
one
TWO
three
four
five
six
-- gone.txt --
changed
-- link -> a.txt --
-- !name.txt --
-- new.txt --
new
-- pic [hex] --
610062
-- sub/other.txt --
a file
with some lines
that gets another name
and keeps them
and more
-- tool [755] --
echo tool
