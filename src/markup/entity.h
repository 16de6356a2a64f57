/* HTML entities in Markdown: "&amp;", "&#65;", "&#x41;". */
#ifndef MARKUP_ENTITY_H
#define MARKUP_ENTITY_H

#include "base/buf.h"
#include "base/view.h"

/* Appends the character; an entity with a rare name is appended verbatim. */
void entity_append(struct view entity, struct buf *out);

#endif
