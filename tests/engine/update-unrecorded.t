# unrecorded changes stay the person's, in a renamed file and in a resolved one
unlisted: p
recover: nanoclaw -C p status
-- p/VERSION --
0.5.0
-- p/a.txt --
a 1
a 2
a 3
a 4
a 5
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- p/b.txt --
b 1
b 2
b 3
b 4
b 5
b 6
b 7
b 8
b 9
b 10
b 11
b 12
-- p/skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 0.5.0
modifies: [a.txt, b.txt]
-- p/skills/one/modify/a.txt --
a 1
a 2
a 3
a 4
a 5 one
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- p/skills/one/modify/b.txt --
b 1
b 2
b 3
b 4
b 5 one
b 6
b 7
b 8
b 9
b 10
b 11
b 12
-- new/VERSION --
0.6.0
-- new/a.txt --
a 1
a 2
a 3
a 4
a 5 core
a 6
a 7
a 8
a 9
a 10
a 11
a 12
-- new/renamed.txt --
b 1
b 2
b 3
b 4
b 5
b 6
b 7
b 8
b 9
b 10
b 11
b 12
== run ==
$ nanoclaw -C p -q init
$ nanoclaw -C p -q skill apply one
> one 1.0.0 applied
$ sed -i 's/^a 10$/a 10 mine/' p/a.txt
$ sed -i 's/^b 10$/b 10 mine/' p/b.txt
$ nanoclaw -C p -q --yes update ../new --on-drift continue
? 3
> Update paused: 0.5.0 → 0.6.0
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ sed -i -e '/^[<|=>]/d' -e '/^a 5$/d' p/a.txt
$ nanoclaw -C p -q continue
> Core updated: 0.5.0 → 0.6.0
$ nanoclaw -C p diff
> diff --git a/a.txt b/a.txt
> index 97c68939ba25a4e1174b07b5b0177e02683aa61e..ed3f78598db8f15027f2397018bd05f00e2936d4 100644
> --- a/a.txt
> +++ b/a.txt
> @@ -8,6 +8,6 @@
>  a 7
>  a 8
>  a 9
> -a 10
> +a 10 mine
>  a 11
>  a 12
> diff --git a/renamed.txt b/renamed.txt
> index e7156b44e3f98f5bf6317d604e751a9bcd8dc1d5..aa6bce4558f852e91234474b3a6396b3bbe58f0b 100644
> --- a/renamed.txt
> +++ b/renamed.txt
> @@ -7,6 +7,6 @@
>  b 7
>  b 8
>  b 9
> -b 10
> +b 10 mine
>  b 11
>  b 12
$ nanoclaw -C p -q --yes skill remove one
> one 1.0.0 removed
$ cat p/a.txt p/renamed.txt
> a 1
> a 2
> a 3
> a 4
> a 5 core
> a 6
> a 7
> a 8
> a 9
> a 10 mine
> a 11
> a 12
> b 1
> b 2
> b 3
> b 4
> b 5
> b 6
> b 7
> b 8
> b 9
> b 10 mine
> b 11
> b 12
$ nanoclaw -C p verify
> 11 files checked: all as recorded
