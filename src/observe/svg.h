/* Draws charts as SVG elements, for an HTML document or standalone: axis, legend, labels, values as tooltips of the
 * bars, title and description for screen readers. Colours follow the display, light or dark. */
#ifndef SL_OBSERVE_SVG_H
#define SL_OBSERVE_SVG_H

#include "observe/chart.h"

void sl_svg_chart(FILE *f, const struct sl_chart *chart);

#endif
