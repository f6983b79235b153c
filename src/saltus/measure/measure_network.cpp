// Statistics of the network of contacts (measure/contact_network.hpp).
#include <algorithm>
#include <numeric>

#include "saltus/measure/contact_network.hpp"
#include "saltus/measure/measure.hpp"
#include "saltus/sim/no_number.hpp"

namespace saltus {

namespace {

template <int Dim>
class Network final : public Measure<Dim> {
 public:
  explicit Network(const MeasureContext<Dim>& context)
      : region_(context),
        has_box_(context.spec.region.kind == RegionSpec<Dim>::Kind::box),
        threshold_(context.spec.threshold),
        angle_(context.spec.angle) {}
  std::vector<std::string> parts() const override {
    std::vector<std::string> parts = {"edges",     "strong",       "strong_share", "components",
                                      "largest",   "loops",        "triangles",    "chains",
                                      "in_chains", "chain_length", "chain_longest"};
    for (const std::string& part : vector_parts<Dim>("percolation_")) parts.push_back(part);
    return parts;
  }
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) override {
    const ContactNetwork<Dim> network = build_network<Dim>(snapshot);
    const double edges = static_cast<double>(network.edges.size());
    double grains = 0, strong = 0, share = 0;
    for (const auto& body : snapshot.bodies) grains += body.is_grain;
    for (const auto& edge : network.edges)
      if (edge.force > threshold_ * network.mean_force) ++strong, share += edge.force;
    row.insert(row.end(), {edges, edges > 0 ? strong / edges : kNoNumber,
                           edges > 0 ? share / (edges * network.mean_force) : kNoNumber});
    const Topology<Dim> topology = compute_topology<Dim>(network, snapshot.bodies.size());
    row.insert(row.end(),
               {static_cast<double>(topology.components), grains > 0 ? topology.largest / grains : kNoNumber,
                static_cast<double>(topology.loops), static_cast<double>(topology.triangles)});
    const std::vector<int> chains = find_chains<Dim>(snapshot, network, angle_);
    const double members = std::accumulate(chains.begin(), chains.end(), 0.0),
                 count = static_cast<double>(chains.size());
    row.insert(row.end(),
               {count, grains > 0 ? members / grains : kNoNumber, count > 0 ? members / count : kNoNumber,
                count > 0 ? *std::max_element(chains.begin(), chains.end()) : kNoNumber});
    const Bounds<Dim> box = region_.at(snapshot).box;
    for (int axis = 0; axis < Dim; ++axis)
      row.push_back(
          compute_percolation<Dim>(snapshot, network, axis, has_box_ ? &box : nullptr).value_or(kNoNumber));
  }

 private:
  MovingRegion<Dim> region_;
  bool has_box_;
  double threshold_, angle_;
};

}  // namespace

template <int Dim>
std::unique_ptr<Measure<Dim>> make_network(const MeasureContext<Dim>& context) {
  if (context.spec.kind != MeasureKind::network) return nullptr;
  return std::make_unique<Network<Dim>>(context);
}

template std::unique_ptr<Measure<2>> make_network<2>(const MeasureContext<2>&);
template std::unique_ptr<Measure<3>> make_network<3>(const MeasureContext<3>&);

}  // namespace saltus
