# a command without a point to crash at is no crash test
# fails: the command changes nothing
== run ==
$! nanoclaw nothing file
