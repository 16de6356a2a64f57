# the packages of the sample project have no faults
tree: examples/postbox
== run ==
$ nanoclaw skill check skills/*/
> 6 packages checked: no faults
$ nanoclaw skill list
> skill         version  applied  description
> brief         1.0.0    -        Answers a message with one word
> diary         1.0.0    -        Keeps every message in a file
> diary-search  1.0.0    -        Finds messages in the diary
> polite        1.0.0    -        Says goodbye and thank you
> shout         1.0.0    -        Answers in capitals
> smile         1.0.0    -        Smiles when it greets
$ printf 'hello\n\nbuy milk\nbye\n' | ./postbox
> Postbox: Hello!
> Postbox: I have put that in the box: buy milk
> Postbox: See you.
