== run ==
$ says: 'parse-no-claim.t:1: the first line says what is claimed'
