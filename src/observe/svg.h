/* Charts as SVG elements, for an HTML document or by themselves: axis, legend, labels, the value of a bar as its
 * tooltip, title and description for readers who do not see them. Colours follow the display, light or dark. */
#ifndef SL_OBSERVE_SVG_H
#define SL_OBSERVE_SVG_H

#include "observe/chart.h"

void sl_svg_chart(FILE *f, const struct sl_chart *chart);

#endif
