# What people like to change.

# The name in front of each answer.
NAME=Postbox

# The answer to "hello".
GREETING="Hello!"

# The answer to "bye".
FAREWELL="Goodbye."
