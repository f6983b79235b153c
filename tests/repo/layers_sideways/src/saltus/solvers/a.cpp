#include "saltus/base/input_error.hpp"
#include "saltus/dynamics/bodies.hpp"
