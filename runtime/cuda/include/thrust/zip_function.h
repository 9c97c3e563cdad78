#include "iterator/fancy.h"
