# all changes between customize start and commit become one patch: edits, new, deleted, renamed, modes, binary
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- gone.txt --
gone
-- name.txt --
a file
with some lines
that gets another name
and keeps them
-- tool --
echo tool
-- untracked-before.txt --
was here
== run ==
$ rm untracked-before.txt; nanoclaw -q init; echo was here >untracked-before.txt
$! nanoclaw customize start quieter log
> Change any files you like. Then run 'nanoclaw customize commit' to record
> your changes, or 'nanoclaw customize abort' to leave them unrecorded.
$ nanoclaw --json status
> {
>   "coreVersion": "1.0.0",
>   "drift": [],
>   "driftDetails": [],
>   "host": null,
>   "initialized": true,
>   "pending": {
>     "conflicts": [],
>     "description": "quieter log",
>     "operation": "customize"
>   },
>   "skills": [],
>   "sources": [],
>   "success": true
> }
$ sed -i 's/two/two, mine/' a.txt; rm gone.txt; mkdir sub; mv name.txt sub/other.txt; chmod +x tool
$ printf 'a\0b' >new.bin; echo new >"with space.txt"; ln -s a.txt link
$! nanoclaw customize commit
> recorded as 001-quieter-log
>   a.txt
>   gone.txt
>   link
>   name.txt
>   new.bin
>   sub/other.txt
>   tool
>   with space.txt
> The patch is .nanoclaw/custom/001-quieter-log.patch
$ sed 's/^index .*/index/' .nanoclaw/custom/001-quieter-log.patch
> diff --git a/a.txt b/a.txt
> index
> --- a/a.txt
> +++ b/a.txt
> @@ -1,3 +1,3 @@
>  one
> -two
> +two, mine
>  three
> diff --git a/gone.txt b/gone.txt
> deleted file mode 100644
> index
> --- a/gone.txt
> +++ /dev/null
> @@ -1 +0,0 @@
> -gone
> diff --git a/link b/link
> new file mode 120000
> index
> --- /dev/null
> +++ b/link
> @@ -0,0 +1 @@
> +a.txt
> \ No newline at end of file
> diff --git a/new.bin b/new.bin
> new file mode 100644
> index
> GIT binary patch
> literal 3
> Kc$`aQNCE%>hycU@
>
> literal 0
> Hc$@<O00001
>
> diff --git a/name.txt b/sub/other.txt
> similarity index 100%
> rename from name.txt
> rename to sub/other.txt
> diff --git a/tool b/tool
> old mode 100644
> new mode 100755
> diff --git a/with space.txt b/with space.txt
> new file mode 100644
> index
> --- /dev/null
> +++ b/with space.txt	
> @@ -0,0 +1 @@
> +new
$ cat .nanoclaw/custom/001-quieter-log.md | sed 's/^Recorded [^,]*/Recorded NOW/'
> # quieter log
>
> Recorded NOW, core 1.0.0.
> The patch is `001-quieter-log.patch`.
>
> ## Files
>
> - `a.txt`: +1 -1
> - `gone.txt`, deleted: +0 -1
> - `link`, new: +1 -0
> - `new.bin`, new, binary
> - `sub/other.txt`, before: `name.txt`
> - `tool`, executable now
> - `with space.txt`, new: +1 -0
$ nanoclaw customize list | sed 's/....-..-../DATE/'
> 001-quieter-log  DATE   8 files  quieter log
>   a.txt
>   gone.txt
>   link
>   name.txt
>   new.bin
>   sub/other.txt
>   tool
>   with space.txt
$ nanoclaw status
> core 1.0.0
>   001-quieter-log (custom patch)
$ nanoclaw customize commit --no-test --no-install
? 2
2> error: there is no customizing session here
2> hint: nanoclaw customize start 'what you are going to change'
$ cp -r .nanoclaw/base fresh; cd fresh; git apply ../.nanoclaw/custom/*.patch; for f in a.txt sub/other.txt tool new.bin "with space.txt"; do cmp "$f" "../$f"; done; readlink link; ls; cd ..; rm -r fresh
> a.txt
> VERSION
> a.txt
> link
> new.bin
> sub
> tool
> with space.txt
== after ==
-- a.txt --
one
two, mine
three
-- !gone.txt --
-- !name.txt --
-- sub/other.txt --
a file
with some lines
that gets another name
and keeps them
-- tool [755] --
echo tool
-- new.bin [hex] --
610062
-- with space.txt --
new
-- link -> a.txt --
