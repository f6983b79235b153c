#include "saltus/solvers/problem.hpp"
