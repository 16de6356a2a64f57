# changes that were made already are recorded, shown, renamed and taken out again
unlisted: .nanoclaw
leftover: .nanoclaw-tmp-* .nanoclaw/kept
-- VERSION --
1.0.0
-- a --
one
two
three
four
five
six
-- b --
b
== run ==
$ nanoclaw customize record early
? 2
2> error: there is no base here to compare with: 'nanoclaw init' has not run
2> hint: put the files back as they were before your changes, type 'nanoclaw init', and make the changes then
$ nanoclaw init -q
$ nanoclaw customize record nothing
> nothing changed, so there is nothing to record
$ sed -i s/one/1/ a; echo new >c; nanoclaw customize record Number one, please, as a digit and not as a word
> recorded as 001-number-one-please-as-a-digit-and-not-as
>   a
>   c
> The patch is .nanoclaw/custom/001-number-one-please-as-a-digit-and-not-as.patch
$ sed -i s/six/6/ a; nanoclaw customize record six
> recorded as 002-six
>   a
> The patch is .nanoclaw/custom/002-six.patch
$ nanoclaw status
> core 1.0.0
>   001-number-one-please-as-a-digit-and-not-as (custom patch)
>   002-six (custom patch)
$ nanoclaw customize list
> 001-number-one-please-as-a-digit-and-not-as  2001-02-03   2 files  Number one, please, as a digit and not as a word
>   a
>   c
> 002-six                                      2001-02-03   1 file   six
>   a
$ nanoclaw customize show 2
> # six
>
> Recorded 2001-02-03T04:05:06.000Z, core 1.0.0.
> The patch is `002-six.patch`.
>
> ## Files
>
> - `a`: +1 -1
>
> diff --git a/a b/a
> index 4e2f331ac06d02433264ee725cd9514c9c42d74a..43fa8562a48b2779ad2b23a89ac21993f1f22c47 100644
> --- a/a
> +++ b/a
> @@ -3,4 +3,4 @@
>  three
>  four
>  five
> -six
> +6
$ nanoclaw customize show 002-six --json
> {
>   "name": "002-six",
>   "note": "# six\n\nRecorded 2001-02-03T04:05:06.000Z, core 1.0.0.\nThe patch is `002-six.patch`.\n\n## Files\n\n- `a`: +1 -1\n",
>   "patch": "diff --git a/a b/a\nindex 4e2f331ac06d02433264ee725cd9514c9c42d74a..43fa8562a48b2779ad2b23a89ac21993f1f22c47 100644\n--- a/a\n+++ b/a\n@@ -3,4 +3,4 @@\n three\n four\n five\n-six\n+6\n",
>   "success": true
> }
$! nanoclaw customize rename number 'digits'
> renamed to 001-digits
$ nanoclaw customize show dig | head -n 5
> # digits
>
> Recorded 2001-02-03T04:05:06.000Z, core 1.0.0.
> The patch is `001-digits.patch`.
>
$ nanoclaw customize remove 3
? 2
2> error: there is no custom patch '3'
2> hint: 'nanoclaw customize list' shows the patches that are recorded
$! nanoclaw customize remove digits
> 001-digits removed
>   merged    a
>   removed   c
$ cat a
> one
> two
> three
> four
> five
> 6
$ nanoclaw verify -q
> 9 files checked: all as recorded
$ nanoclaw customize list
> 002-six  2001-02-03   1 file   six
>   a
$ tail -n 1 .nanoclaw/custom/001-digits.md
> Discarded 2001-02-03T04:05:06.000Z.
$ nanoclaw undo
> 'customize remove 001-digits' is undone
>   restored  a
>   restored  c
$ cat a
> 1
> two
> three
> four
> five
> 6
# A later change conflicts with removing a line.
$ sed -i s/6/seis/ a; nanoclaw customize record spanish; nanoclaw customize remove six
? 3
> recorded as 003-spanish
>   a
> The patch is .nanoclaw/custom/003-spanish.patch
> 002-six paused
>   CONFLICT  a
>
> To resolve:
>   a: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ printf '1\ntwo\nthree\nfour\nfive\nseis\n' >a; nanoclaw continue
> 002-six removed
$ nanoclaw status
> core 1.0.0
>   001-digits (custom patch)
>   003-spanish (custom patch)
$ nanoclaw undo -q; nanoclaw status
> core 1.0.0
>   001-digits (custom patch)
>   002-six (custom patch)
>   003-spanish (custom patch)
$ nanoclaw complete -- customize remove ''
> 001-digits	digits
> 002-six	six
> 003-spanish	spanish
== after ==
-- a --
1
two
three
four
five
seis
-- c --
new
