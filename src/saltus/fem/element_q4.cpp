#include "saltus/fem/element_ops_kernel.hpp"

namespace saltus {

template const ElementOps<2>& ops_of<ElementKind::q4>();

}  // namespace saltus
