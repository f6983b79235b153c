// The part of a page of space that what is in view takes: tighter than the box of the view, whose corners may be empty.
#pragma once

#include "saltus/drawing/render_raster.hpp"
#include "saltus/drawing/render_scale.hpp"

namespace saltus {

// Of the same frames, and for the same choice, as `scale`: rectangle on the page of the camera around the bodies, the nodes of
// meshes and `scale.held`. That of the box of the view where a region was asked for, or there is nothing.
Bounds<2> compute_outline(const TrajectoryReader<3>& reader, const std::vector<std::int64_t>& shown,
                          const ViewChoice& choice, const RenderScale<3>& scale, const Projection& camera);

}  // namespace saltus
