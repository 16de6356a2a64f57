# texts of files and packages cannot steer the terminal, and the sides are coloured
needs: script
unlisted: .nanoclaw
ignore: f out
-- VERSION --
1.0.0
-- f --
1
2
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [f]
-- skills/x/modify/f [hex] --
1b 5b 32 4a 20 e2 80 ae 78 0a 32 0a
-- skills/x/modify/f.intent.md [hex] --
23 20 57 68 61 74 20 63 68 61 6e 67 65 64 0a 1b 5b 31 6d 62 6f 6c 64 0a
== run ==
$ nanoclaw -q init
$ printf 'my\033]0;title\007\n2\n' > f
$ TERM=xterm script -E never -qec 'nanoclaw skill apply --on-drift continue x' out | tail -n +9
< i
< q
>   o [1b][32myours[1b][0m[0d]
>   o | [1b][32mmy^[]0;title^G[1b][0m[0d]
>     [1b][2mcore 1.0.0[1b][0m[0d]
>     | [1b][2m1[1b][0m[0d]
>   t [1b][36mx 1.0.0[1b][0m[0d]
>   t | [1b][36m^[[2J <U+202E>x[1b][0m[0d]
>       2[0d]
> [0d]
>   the intent of [1b][36mx 1.0.0[1b][0m[0d]
>     [1b][2mchanges   [1b][0m  ^[[1mbold[0d]
> [0d]
> [1b][1m[o][1b][0m yours  [1b][1m[t][1b][0m x 1.0.0  [1b][1m[b][1b][0m both  [1b][1m[e][1b][0m edit  [1b][1m[s][1b][0m later  [1b][1m[q][1b][0m leave  [1b][1m[?][1b][0m help > [0d]
> [1b][1mf[1b][0m: conflict 1 of 1, line 1[0d]
>   o [1b][32myours[1b][0m[0d]
>   o | [1b][32mmy^[]0;title^G[1b][0m[0d]
>     [1b][2mcore 1.0.0[1b][0m[0d]
>     | [1b][2m1[1b][0m[0d]
>   t [1b][36mx 1.0.0[1b][0m[0d]
>   t | [1b][36m^[[2J <U+202E>x[1b][0m[0d]
>       2[0d]
> [0d]
>   the intent of [1b][36mx 1.0.0[1b][0m[0d]
>     # What changed[0d]
>     ^[[1mbold[0d]
> [0d]
> [1b][1m[o][1b][0m yours  [1b][1m[t][1b][0m x 1.0.0  [1b][1m[b][1b][0m both  [1b][1m[e][1b][0m edit  [1b][1m[s][1b][0m later  [1b][1m[q][1b][0m leave  [1b][1m[?][1b][0m help > [0d]
> To resolve:[0d]
>   f: edit it, and remove the conflict markers[0d]
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.[0d]
