// Meshes and joints in pictures.
#pragma once

#include <array>
#include <vector>

#include "saltus/drawing/render_canvas.hpp"

namespace saltus {

// Triangles between points of the page, filled, with thin lines between them and a strong one around.
void draw_mesh(const Canvas& canvas, const std::vector<Vec<2>>& nodes,
               const std::vector<std::array<int, 3>>& triangles);

// A ring at a point of the page.
void draw_joint(const Canvas& canvas, const Vec<2>& point);

}  // namespace saltus
