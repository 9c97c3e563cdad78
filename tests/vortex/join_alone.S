// JOIN without a split: cannot go on.
#include "control.h"
begin
  li s0, 1
  JOIN(s0)
end
