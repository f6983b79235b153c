#include "saltus/measure/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

template <int Dim>
std::unique_ptr<Measure<Dim>> make_measure(const MeasureContext<Dim>& context) {
  for (const auto maker :
       {make_bulk_measure<Dim>, make_contact_measure<Dim>, make_profile<Dim>, make_body_measure<Dim>,
        make_flux<Dim>, make_count<Dim>, make_surface<Dim>, make_network<Dim>, make_part_measure<Dim>,
        make_solid_measure<Dim>, make_section<Dim>, make_beam_measure<Dim>})
    if (auto made = maker(context)) return made;
  throw std::logic_error("a kind of measure without a maker");
}

}  // namespace

template <int Dim>
std::vector<std::string> vector_parts(const std::string& prefix) {
  std::vector<std::string> parts;
  for (int i = 0; i < Dim; ++i) parts.push_back(prefix + "xyz"[i]);
  return parts;
}

template <int Dim>
std::vector<std::string> tensor_parts(const std::string& prefix) {
  std::vector<std::string> parts;
  for (int i = 0; i < Dim; ++i)
    for (int j = 0; j < Dim; ++j) parts.push_back(fmt::format("{}{}{}", prefix, "xyz"[i], "xyz"[j]));
  return parts;
}

template <int Dim>
Measurer<Dim>::Measurer(const std::vector<MeasureSpec<Dim>>& specs,
                        const std::vector<std::string>& body_names, const Snapshot<Dim>& first) {
  std::set<std::string> names;
  for (const MeasureSpec<Dim>& spec : specs) {
    if (!names.insert(spec.name).second)
      throw InputError(spec.where, "name of a measure", spec.name, "one that no other measure has");
    measures_.push_back(make_measure<Dim>({spec, body_names, first}));
    for (const std::string& part : measures_.back()->parts()) columns_.push_back(spec.name + "." + part);
  }
}

template <int Dim>
void Measurer<Dim>::measure(const Snapshot<Dim>& snapshot, std::vector<double>& row) {
  for (const auto& measure : measures_) measure->measure(snapshot, row);
}

template <int Dim>
bool Measurer<Dim>::remembers() const {
  return std::any_of(measures_.begin(), measures_.end(), [](const auto& m) { return m->remembers(); });
}

template <int Dim>
std::vector<double> Measurer<Dim>::memory() const {
  std::vector<double> memory;
  for (const auto& measure : measures_) measure->save(memory);
  return memory;
}

template <int Dim>
void Measurer<Dim>::restore(std::span<const double> memory) {
  for (const auto& measure : measures_) measure->restore(memory);
  if (!memory.empty()) throw InputError("", "the memory of measures belongs to other ones");
}

template <int Dim>
BodyChoice<Dim>::BodyChoice(const MeasureContext<Dim>& context) {
  if (context.spec.bodies.empty()) return;
  chosen_.assign(context.body_names.size(), false);
  for (const std::string& wanted : context.spec.bodies) {
    bool found = false;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const std::string& name = context.body_names[i];
      if (name != wanted && name.rfind(wanted + "-", 0) != 0) continue;
      chosen_[i] = found = true;
    }
    if (!found)
      throw InputError(context.spec.where, "a measure is of bodies named", wanted,
                       "a name of a body, or what names of bodies begin with before -");
  }
}

template std::vector<std::string> vector_parts<2>(const std::string&);
template std::vector<std::string> vector_parts<3>(const std::string&);
template std::vector<std::string> tensor_parts<2>(const std::string&);
template std::vector<std::string> tensor_parts<3>(const std::string&);
template class BodyChoice<2>;
template class BodyChoice<3>;
template class Measurer<2>;
template class Measurer<3>;

}  // namespace saltus
