#include "cli/explain/words.h"

const struct sl_word sl_words[] = {
#include "glossary.inc"
    {0},
};
