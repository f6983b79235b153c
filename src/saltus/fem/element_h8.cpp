#include "saltus/fem/element_ops_kernel.hpp"

namespace saltus {

template const ElementOps<3>& ops_of<ElementKind::h8>();

}  // namespace saltus
