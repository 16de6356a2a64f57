# edits outside of the system are recorded as a patch with only the person's lines
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
seven
-- run.sh --
echo run
-- old.txt --
to be deleted
-- skills/first/manifest.yaml --
skill: first
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/first/modify/a.txt --
one FIRST
two
three
four
five
six
seven
-- skills/second/manifest.yaml --
skill: second
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/second/modify/a.txt --
one
two
three
four
five
six
seven SECOND
== run ==
$ nanoclaw -q skill apply first
> first 1.0.0 applied
$ sed -i 's/^four$/four, mine/' a.txt; chmod +x run.sh; rm old.txt
$! nanoclaw skill apply second --on-drift record
> your changes are recorded as 001-changes-to-a-txt-and-2-more-files
> second 1.0.0 applied
>   merged    a.txt
$ cat .nanoclaw/custom/001-changes-to-a-txt-and-2-more-files.patch | sed 's/^index .*/index/'
> diff --git a/a.txt b/a.txt
> index
> --- a/a.txt
> +++ b/a.txt
> @@ -1,7 +1,7 @@
>  one FIRST
>  two
>  three
> -four
> +four, mine
>  five
>  six
>  seven
> diff --git a/old.txt b/old.txt
> deleted file mode 100644
> index
> --- a/old.txt
> +++ /dev/null
> @@ -1 +0,0 @@
> -to be deleted
> diff --git a/run.sh b/run.sh
> old mode 100644
> new mode 100755
$ cat .nanoclaw/custom/*.md | sed 's/^Recorded [^,]*/Recorded NOW/'
> # Changes to a.txt and 2 more files
>
> Recorded NOW, core 1.0.0, with first 1.0.0.
> The patch is `001-changes-to-a-txt-and-2-more-files.patch`.
>
> ## Files
>
> - `a.txt`: +1 -1
> - `old.txt`, deleted: +0 -1
> - `run.sh`, executable now
$ nanoclaw status
> core 1.0.0
>   first 1.0.0
>   second 1.0.0
>   001-changes-to-a-txt-and-2-more-files (custom patch)
# git can apply it to the earlier files.
$ mkdir fresh; cp .nanoclaw/base/run.sh .nanoclaw/base/old.txt fresh; cp skills/first/modify/a.txt fresh
$ cd fresh; git apply ../.nanoclaw/custom/*.patch; cat a.txt; ls; cd ..; rm -r fresh
> one FIRST
> two
> three
> four, mine
> five
> six
> seven
> a.txt
> run.sh
== after ==
-- !old.txt --
-- run.sh [755] --
echo run
-- a.txt --
one FIRST
two
three
four, mine
five
six
seven SECOND
