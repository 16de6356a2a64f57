# a scenario that runs nothing is a failure
# says: there is no '== run ==' with a command
-- file --
