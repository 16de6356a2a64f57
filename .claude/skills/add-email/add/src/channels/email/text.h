/* The text of a mail, as its sender wrote it. Both results are to be freed. */
#ifndef CHANNELS_EMAIL_TEXT_H
#define CHANNELS_EMAIL_TEXT_H

/* The words of an HTML page, in lines. */
char *text_of_html(const char *html);

/*
 * Without what mail programs add: the quotation of an earlier mail at the end, the line that
 * introduces it, and the signature. A quotation with an answer below it stays.
 */
char *text_without_quotes(const char *text);

#endif
