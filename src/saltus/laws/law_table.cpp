#include "saltus/laws/law_table.hpp"

#include <algorithm>

#include "saltus/base/input_error.hpp"

namespace saltus {

int LawTable::find_material(const std::string& name) const {
  const auto found = std::find(materials_.begin(), materials_.end(), name);
  return found == materials_.end() ? -1 : static_cast<int>(found - materials_.begin());
}

int LawTable::add_material(const std::string& name) {
  if (const int known = find_material(name); known >= 0) return known;
  const int old = static_cast<int>(materials_.size());
  std::vector<int> grown((old + 1) * (old + 1), -1);
  for (int a = 0; a < old; ++a)
    for (int b = 0; b < old; ++b) grown[a * (old + 1) + b] = index(a, b);
  materials_.push_back(name);
  pair_ = std::move(grown);
  return old;
}

void LawTable::set(int a, int b, const PairLaw& law) {
  if (has(a, b)) throw InputError("", "a second law for the pair " + materials_[a] + ", " + materials_[b]);
  const int count = static_cast<int>(materials_.size());
  pair_[a * count + b] = pair_[b * count + a] = static_cast<int>(laws_.size());
  laws_.push_back(law);
}

const PairLaw& LawTable::require(int a, int b) const {
  if (!has(a, b))
    throw InputError(
        "", "no contact law for the pair of materials \"" + materials_[a] + "\", \"" + materials_[b] +
                "\": add one to the table of laws, or keep their bodies apart by collision groups");
  return at(a, b);
}

}  // namespace saltus
