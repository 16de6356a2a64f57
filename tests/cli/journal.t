# on a stream of the journal each line has its priority
-- bad/.env --
oops
== run ==
$ : >log; JOURNAL_STREAM=$(stat -c %d:%i log) nanoclaw -C bad run 2>>log; echo $?; cat log
> 2
> <3>error: .env:1:1: not a line like NAME=value
> <3>hint: a value of several lines must be in quotes
# Another stream is no stream of the journal.
$ : >log; JOURNAL_STREAM=$(stat -c %d:%i bad) nanoclaw -C bad run 2>>log; cat log; rm log
> error: .env:1:1: not a line like NAME=value
> hint: a value of several lines must be in quotes
