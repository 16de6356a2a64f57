# a damaged, foreign or unreachable index changes nothing
unlisted: .nanoclaw
ignore: a.txt
-- VERSION --
1.0.0
-- a.txt --
one
== run ==
$ nanoclaw -q init
$ nanoclaw status
> core 1.0.0
$ echo two > a.txt
$ echo rubbish > .nanoclaw/index
$ nanoclaw status
> core 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
$ head -c 5000 /dev/zero > .nanoclaw/index
$ nanoclaw status
> core 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
$ rm -f .nanoclaw/index && mkdir .nanoclaw/index .nanoclaw/index.new
$ nanoclaw status
> core 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
$ rmdir .nanoclaw/index .nanoclaw/index.new && ln -s /dev/zero .nanoclaw/index
$ nanoclaw status
> core 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
$ rm -f .nanoclaw/index && mkfifo .nanoclaw/index && nanoclaw status; rm -f .nanoclaw/index
> core 1.0.0
>
> your unrecorded changes:
>   edited    a.txt
