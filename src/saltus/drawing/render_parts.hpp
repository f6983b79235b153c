// Meshes and joints in pictures.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "saltus/drawing/element_sides.hpp"
#include "saltus/drawing/render_canvas.hpp"

namespace saltus {

// Triangles between points of the page, filled, with thin lines between the elements that they are parts of and a strong one
// around. `values` of the nodes (none: one colour for all) become colours; between nodes they are linear.
void draw_mesh(const Canvas& canvas, const std::vector<Vec<2>>& nodes,
               const std::vector<std::array<int, 3>>& triangles, const ElementSides& elements,
               const std::vector<double>* values = nullptr,
               const std::function<std::optional<Colour>(double)>& colour = {});

// A ring at a point of the page; where the two points of a joint are apart (rods, ropes, springs, slides) a line between
// them. `load` is the width of the line that its force is drawn with, along `way`; 0: none. `size`: of bodies on the page.
void draw_joint(const Canvas& canvas, const Vec<2>& point, const Vec<2>& point_b, const Vec<2>& way,
                double load, double size);

}  // namespace saltus
