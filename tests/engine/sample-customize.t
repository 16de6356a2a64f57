# the session that docs/customizing.md shows
tree: examples/postbox
unlisted: .nanoclaw
ignore: lib/answers.sh postbox
== run ==
$ nanoclaw -q skill apply smile
> smile 1.0.0 applied
$ nanoclaw customize start 'a greeting of my own'
> Change any files you like. Then run 'nanoclaw customize commit' to record
> your changes, or 'nanoclaw customize abort' to leave them unrecorded.
$ sed -i 's/Hello!/Ahoy!/' lib/settings.sh
$ nanoclaw status
> core 1.0.0
>   smile 1.0.0
>
> your unrecorded changes:
>   edited    lib/settings.sh
>
> you are customizing: a greeting of my own
> then 'nanoclaw customize commit', or 'nanoclaw customize abort'
$ nanoclaw customize commit
> recorded as 001-a-greeting-of-my-own
>   lib/settings.sh
> The patch is .nanoclaw/custom/001-a-greeting-of-my-own.patch
$ nanoclaw skill apply brief --customize 'in capitals'
> brief 1.0.0 applied
>   merged    lib/answers.sh
> 2 tests passed
> Now make your changes, then run 'nanoclaw customize commit'.
$ sed -i 's/Kept/KEPT/' lib/answers.sh
$ nanoclaw customize commit
> recorded as brief-in-capitals
>   lib/answers.sh
> The patch is .nanoclaw/custom/brief-in-capitals.patch
$ nanoclaw customize list
> 001-a-greeting-of-my-own  2001-02-03   1 file   a greeting of my own
>   lib/settings.sh
> brief-in-capitals         2001-02-03   1 file   in capitals (brief)
>   lib/answers.sh
$ sed -i 's/See you/Fair winds/' lib/settings.sh
$ nanoclaw skill apply shout
? 2
2> error: You have unrecorded changes in 'lib/settings.sh'. Not a terminal, cannot ask
2> hint: choose what to do with them: '--on-drift record' (or '--yes'), '--on-drift continue', '--on-drift abort'
$ nanoclaw skill apply shout --on-drift record
> your changes are recorded as 002-changes-to-lib-settings-sh
> shout 1.0.0 applied
>   merged    lib/settings.sh
>   merged    postbox
> 3 tests passed
$ sed -i 's/Ahoy!/Hello!/' lib/settings.sh
$ nanoclaw customize apply 001 --no-test
> 001-a-greeting-of-my-own applied
>   merged    lib/settings.sh
$ cat .nanoclaw/custom/001-a-greeting-of-my-own.patch
> diff --git a/lib/settings.sh b/lib/settings.sh
> index 307fa120764cacc4dd2f1fc9a7e0c83d324ca8e2..a00d96805cc80ee280917d54e75ae324d481fdbb 100644
> --- a/lib/settings.sh
> +++ b/lib/settings.sh
> @@ -4,7 +4,7 @@
>  NAME=Postbox
>  
>  # The answer to "hello".
> -GREETING="Hello!"
> +GREETING="Ahoy!"
>  
>  # The answer to "bye".
>  FAREWELL="See you."
$ nanoclaw customize start nothing
> Change any files you like. Then run 'nanoclaw customize commit' to record
> your changes, or 'nanoclaw customize abort' to leave them unrecorded.
$ nanoclaw customize commit
> nothing changed, so there is nothing to record
$ nanoclaw verify
> 24 files checked: all as recorded
== after ==
-- lib/settings.sh --
# What people like to change.

# The name in front of each answer.
NAME=POSTBOX

# The answer to "hello".
GREETING="Ahoy!"

# The answer to "bye".
FAREWELL="Fair winds."
