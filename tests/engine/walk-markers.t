# lines that look like markers can only be edited, and never be half resolved
needs: script
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- f --
Title
=======
text
-- walk [755] --
#!/bin/sh
# Runs a command on a terminal and types standard input into it.
script -E never -qec "$*; echo exit \$?" /dev/null | tr -d '\r'
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [f]
-- skills/x/modify/f --
Title of the skill
-------
text
== run ==
$ nanoclaw -q init
$ sed -i 's/Title/My title/' f
$ NANOCLAW_MERGETOOL=true EDITOR='sed -i /=======/d' ./walk nanoclaw skill apply --on-drift continue x
< o
< m
< E
< u
< q
> x 1.0.0 paused
>   CONFLICT  f
>
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> f: conflict 1 of 1, line 1
>     lines in it look like conflict markers
>     | <<<<<<< yours
>     | My title
>     | =======
>     | ||||||| core 1.0.0
>     | Title
>     | =======
>     | =======
>     | Title of the skill
>     | -------
>     | >>>>>>> x 1.0.0
>       text
>
> [e] edit  [s] later  [q] leave  [?] help > Please type one of the letters, or ? for help.
>
> [e] edit  [s] later  [q] leave  [?] help > Please type one of the letters, or ? for help.
>
> [e] edit  [s] later  [q] leave  [?] help > 
> f: conflict 1 of 1, line 1
>     lines in it look like conflict markers
>     | <<<<<<< yours
>     | My title
>     | ||||||| core 1.0.0
>     | Title
>     | Title of the skill
>     | -------
>     | >>>>>>> x 1.0.0
>       text
>
> [e] edit  [u] undo  [s] later  [q] leave  [?] help > 
> f: conflict 1 of 1, line 1
>     lines in it look like conflict markers
>     | <<<<<<< yours
>     | My title
>     | =======
>     | ||||||| core 1.0.0
>     | Title
>     | =======
>     | =======
>     | Title of the skill
>     | -------
>     | >>>>>>> x 1.0.0
>       text
>
> [e] edit  [s] later  [q] leave  [?] help > 
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> exit 3
$ EDITOR='sed -i "/^[<|>=]/d; /^-/d"' ./walk nanoclaw continue
< E
<
> warning: 'f' still has conflict markers
> x 1.0.0 paused
>
> To resolve:
>   f: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> f: conflict 1 of 1, line 1
>     lines in it look like conflict markers
>     | <<<<<<< yours
>     | My title
>     | =======
>     | ||||||| core 1.0.0
>     | Title
>     | =======
>     | =======
>     | Title of the skill
>     | -------
>     | >>>>>>> x 1.0.0
>       text
>
> [e] edit  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] x 1.0.0 applied
> exit 0
== after ==
-- f --
My title
Title
Title of the skill
text
