#include "saltus/exchange/vtk_meshes.hpp"

#include <map>

#include "saltus/drawing/mesh_fields.hpp"
#include "saltus/exchange/vtk_columns.hpp"
#include "saltus/trajectories/cell_numbers.hpp"

namespace saltus {

namespace {

// What is stored of nodes or cells, system after system; zeros where a system lacks what another has. Vectors of the plane
// get a third number and symmetric tensors six, in VTK's order XX, YY, ZZ, XY, YZ, XZ, which is ours.
class StoredColumns {
 public:
  void add(const std::vector<NamedField>& fields, std::size_t rows) {
    for (const NamedField& field : fields) {
      if (field.values->size() != rows * field.width()) continue;
      put(field.name, padded(field.width()), rows, [&](std::size_t row, std::size_t c) {
        return c < field.width() ? (*field.values)[row * field.width() + c] : 0;
      });
      if (field.name == "stress" && field.width() >= 4)
        put("stress_mises", 1, rows, [&](std::size_t row, std::size_t) {
          return compute_mises(field.values->data() + row * field.width(), field.width());
        });
    }
    rows_ += rows;
  }

  void move_to(std::vector<VtkArray>& arrays) {
    for (auto& [name, array] : columns_) {
      auto& values = std::get<std::vector<float>>(array.values);
      values.resize(rows_ * static_cast<std::size_t>(array.components), 0);
      arrays.push_back(std::move(array));
    }
  }

 private:
  static int padded(std::size_t width) { return width == 2 ? 3 : width == 4 ? 6 : static_cast<int>(width); }

  template <class Value>
  void put(const std::string& name, int width, std::size_t rows, const Value& value) {
    VtkArray& array = columns_.try_emplace(name, VtkArray{name, width, std::vector<float>()}).first->second;
    auto& values = std::get<std::vector<float>>(array.values);
    values.resize(rows_ * static_cast<std::size_t>(width), 0);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t c = 0; c < static_cast<std::size_t>(width); ++c)
        values.push_back(static_cast<float>(value(row, c)));
  }

  std::map<std::string, VtkArray> columns_;
  std::size_t rows_ = 0;
};

// The finite elements where the trajectory holds them, else the simplices they are cut into. How many there are.
template <int Dim>
std::size_t add_cells(const FrameSystem<Dim>& system, std::int32_t first, VtkPiece& piece) {
  std::vector<std::int32_t> cell;
  auto nodes = system.mesh->connectivity.begin();
  for (const ElementKind kind : system.mesh->cells) {
    cell.assign(nodes, nodes + node_count(kind));
    nodes += node_count(kind);
    for (std::int32_t& node : cell) node += first;
    piece.cells.add(cell);
    piece.types.push_back(static_cast<std::uint8_t>(vtk_cell_number(kind)));
  }
  if (!system.mesh->cells.empty()) return system.mesh->cells.size();
  for (const auto& element : *system.elements) {
    cell.assign(element.begin(), element.end());
    for (std::int32_t& node : cell) node += first;
    piece.cells.add(cell);
    piece.types.push_back(Dim == 2 ? kVtkTriangle : kVtkTetra);
  }
  return system.elements->size();
}

}  // namespace

template <int Dim>
VtkPiece build_vtk_meshes(const Frame<Dim>& frame) {
  VtkPiece piece;
  piece.is_grid = true;
  VtkReals displacement("displacement", 3), velocity("velocity", 3);
  VtkIntegers which("system", 1);
  StoredColumns of_nodes, of_cells;
  for (std::size_t s = 0; s < frame.systems.size(); ++s) {
    const FrameSystem<Dim>& system = frame.systems[s];
    if (system.nodes.empty() || !system.elements) continue;
    const std::int32_t first = piece.point_count();
    for (std::size_t k = 0; k < system.nodes.size(); ++k) {
      const auto at = static_cast<Eigen::Index>(Dim * k);
      piece.add_point(system.nodes[k]);
      displacement.add_vector(Vec<Dim>(system.coordinates.template segment<Dim>(at)));
      velocity.add_vector(system.velocity.size() == system.coordinates.size()
                              ? Vec<Dim>(system.velocity.template segment<Dim>(at))
                              : Vec<Dim>(Vec<Dim>::Zero()));
    }
    const std::size_t cells = add_cells(system, first, piece);
    for (std::size_t k = 0; k < cells; ++k) which.add(s);
    of_nodes.add(node_fields_of(system), system.nodes.size());
    of_cells.add(cell_fields_of(system), cells);
  }
  piece.point_data = gather_arrays(displacement, velocity);
  piece.cell_data = gather_arrays(which);
  of_nodes.move_to(piece.point_data), of_cells.move_to(piece.cell_data);
  return piece;
}

template VtkPiece build_vtk_meshes<2>(const Frame<2>&);
template VtkPiece build_vtk_meshes<3>(const Frame<3>&);

}  // namespace saltus
