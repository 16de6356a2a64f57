/*
 * The program with the skills engine alone, without the assistant: -Dhost=false. This room stands in
 * for the rooms of the command line that such a program leaves out.
 */
#ifndef CLI_ALONE_ALONE_H
#define CLI_ALONE_ALONE_H

/* The names of their commands, ending with NULL; the build lists them. */
extern const char *const alone_left_out[];

#endif
