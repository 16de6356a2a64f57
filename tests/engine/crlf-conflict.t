# conflict markers in a CR LF file end as its lines do, and are found by continue
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt [crlf] --
one
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt [crlf] --
ONE
== run ==
$ nanoclaw -q init
$ printf 'mine\r\n' > a.txt
$ nanoclaw -q skill apply --on-drift continue x
? 3
> x 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat a.txt
> <<<<<<< yours[0d]
> mine[0d]
> ||||||| core 1.0.0[0d]
> one[0d]
> =======[0d]
> ONE[0d]
> >>>>>>> x 1.0.0[0d]
$ nanoclaw -q continue
? 3
> x 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ printf 'mine and ONE\r\n' > a.txt
$ nanoclaw -q continue
> x 1.0.0 applied
== after ==
-- a.txt [crlf] --
mine and ONE
