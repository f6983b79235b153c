// Measures: numbers computed from snapshots as a scene asks for them (sim/scene_measures.hpp).
//
//     Measurer<2> measurer(scene.measures, body_names, first_snapshot);
//     std::vector<double> row;
//     measurer.measure(snapshot, row);          // one number per column
//
// A column is named NAME.PART; one of a profile NAME.PART@PLACE, where the place is the middle of its bin at
// the first snapshot (the number of the body for measures per body). Strains are relative to the first
// snapshot. A number that does not exist (mean over nothing) is nan.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "saltus/measure/region.hpp"

namespace saltus {

// What one measure computes: names of its parts, then numbers in the same order. Most see one snapshot at a
// time; one that remembers the last snapshot saves that for a run that is resumed.
template <int Dim>
class Measure {
 public:
  virtual ~Measure() = default;
  virtual std::vector<std::string> parts() const = 0;
  virtual void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) = 0;
  virtual bool remembers() const { return false; }
  virtual void save(std::vector<double>&) const {}
  virtual void restore(std::span<const double>&) {}  // takes its numbers from the front
};

// What the makers of measures may look at.
template <int Dim>
struct MeasureContext {
  const MeasureSpec<Dim>& spec;
  const std::vector<std::string>& body_names;
  const Snapshot<Dim>& first;
};

template <int Dim>
class Measurer {
 public:
  // InputError for specs that do not fit the scene: unknown bodies, walls across the axes, equal names.
  Measurer(const std::vector<MeasureSpec<Dim>>& specs, const std::vector<std::string>& body_names,
           const Snapshot<Dim>& first);

  const std::vector<std::string>& columns() const { return columns_; }
  // Adds one number per column.
  void measure(const Snapshot<Dim>& snapshot, std::vector<double>& row);

  // Some measure depends on the snapshots before: none may be left out.
  bool remembers() const;
  // What they remember, for a run that is resumed. restore: InputError when it is not of these measures.
  std::vector<double> memory() const;
  void restore(std::span<const double> memory);

 private:
  std::vector<std::unique_ptr<Measure<Dim>>> measures_;
  std::vector<std::string> columns_;
};

// "x", "y", "z" and "xx", "xy"... in row order.
template <int Dim>
std::vector<std::string> vector_parts(const std::string& prefix);
template <int Dim>
std::vector<std::string> tensor_parts(const std::string& prefix);

// A region that follows its walls.
template <int Dim>
class MovingRegion {
 public:
  explicit MovingRegion(const MeasureContext<Dim>& context)
      : spec_(context.spec.region),
        walls_(find_walls<Dim>(spec_.walls, context.body_names, context.first, context.spec.where)) {}
  Region<Dim> at(const Snapshot<Dim>& snapshot) const { return build_region<Dim>(spec_, walls_, snapshot); }

 private:
  RegionSpec<Dim> spec_;
  std::vector<BodyId> walls_;
};

// The bodies that the key `bodies` names: all without it. InputError for a name that no body has.
template <int Dim>
class BodyChoice {
 public:
  explicit BodyChoice(const MeasureContext<Dim>& context);
  bool contains(BodyId id) const { return chosen_.empty() || chosen_[static_cast<std::size_t>(id)]; }

 private:
  std::vector<bool> chosen_;  // by id; empty: all
};

// Makers, by file: measure_bulk.cpp, measure_contacts.cpp, measure_profile.cpp, measure_bodies.cpp,
// measure_flux.cpp, measure_count.cpp, measure_surface.cpp, measure_network.cpp, measure_parts.cpp,
// measure_solids.cpp, measure_section.cpp, measure_beams.cpp. Each returns null for a kind
// that is not its own.
template <int Dim>
std::unique_ptr<Measure<Dim>> make_bulk_measure(const MeasureContext<Dim>& context);
template <int Dim>
std::unique_ptr<Measure<Dim>> make_contact_measure(const MeasureContext<Dim>& context);
template <int Dim>
std::unique_ptr<Measure<Dim>> make_profile(const MeasureContext<Dim>& context);
template <int Dim>
std::unique_ptr<Measure<Dim>> make_body_measure(const MeasureContext<Dim>& context);

template <int Dim>
std::unique_ptr<Measure<Dim>> make_flux(const MeasureContext<Dim>& context);
template <int Dim>
std::unique_ptr<Measure<Dim>> make_count(const MeasureContext<Dim>& context);
template <int Dim>
std::unique_ptr<Measure<Dim>> make_surface(const MeasureContext<Dim>& context);
template <int Dim>
std::unique_ptr<Measure<Dim>> make_network(const MeasureContext<Dim>& context);
template <int Dim>
std::unique_ptr<Measure<Dim>> make_part_measure(const MeasureContext<Dim>& context);
template <int Dim>
std::unique_ptr<Measure<Dim>> make_solid_measure(const MeasureContext<Dim>& context);
template <int Dim>
std::unique_ptr<Measure<Dim>> make_section(const MeasureContext<Dim>& context);
template <int Dim>
std::unique_ptr<Measure<Dim>> make_beam_measure(const MeasureContext<Dim>& context);

// Place of a name in a list; InputError that says what there is. `what`: "system".
std::size_t find_named(const std::string& name, const std::vector<std::string>& names, const char* what,
                       const std::string& where);

// The quantities a profile may be of.
template <int Dim>
std::vector<std::string> profile_quantities();

}  // namespace saltus
