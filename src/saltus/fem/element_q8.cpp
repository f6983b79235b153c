#include "saltus/fem/element_ops_kernel.hpp"

namespace saltus {

template const ElementOps<2>& ops_of<ElementKind::q8>();

}  // namespace saltus
