/* Entities of HTML, as they may stand in Markdown: "&amp;", "&#65;", "&#x41;". */
#ifndef MARKUP_ENTITY_H
#define MARKUP_ENTITY_H

#include "base/buf.h"
#include "base/view.h"

/* The character that it stands for; one with a rare name is appended as it is. */
void entity_append(struct view entity, struct buf *out);

#endif
