/*
 * Commands that this program does not have, and that a package in the project adds.
 */
#ifndef CLI_ADDED_H
#define CLI_ADDED_H

/*
 * How to get the command, as a sentence for a hint: "the skill 'x' adds it: …". The package's own
 * source says which commands it adds: a file of src/cli with `.name = "<command>"`. NULL: no
 * package in the current project does. To be freed.
 */
char *added_by_skill(const char *command);

#endif
