// Materials and the law of each pair of them.
//
// A pair without a law is an error where it can meet, never a body that falls through the floor:
// `require` throws an InputError that names both materials.
#pragma once

#include <string>
#include <vector>

#include "saltus/laws/pair_law.hpp"

namespace saltus {

class LawTable {
 public:
  // Returns the index of the material, new or known.
  int add_material(const std::string& name);
  int find_material(const std::string& name) const;  // -1: none
  const std::vector<std::string>& materials() const { return materials_; }

  // Sets the law of the unordered pair; a pair set twice is an InputError.
  void set(int a, int b, const PairLaw& law);

  bool has(int a, int b) const { return index(a, b) >= 0; }
  const PairLaw& require(int a, int b) const;
  const PairLaw& at(int a, int b) const { return laws_[index(a, b)]; }  // has(a, b) is true

  const std::vector<PairLaw>& laws() const { return laws_; }

 private:
  int index(int a, int b) const { return pair_[a * static_cast<int>(materials_.size()) + b]; }

  std::vector<std::string> materials_;
  std::vector<int> pair_;  // materials x materials, index in `laws_` or -1
  std::vector<PairLaw> laws_;
};

}  // namespace saltus
