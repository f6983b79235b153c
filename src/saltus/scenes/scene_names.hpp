// Names a user may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace saltus {

// Number of letters to insert, drop, replace or swap with a neighbour to turn one word into the other.
int compute_edit_distance(std::string_view a, std::string_view b);

// The nearest of `names` if it is near enough to be what was meant (a third of the letters wrong,
// and one at least may be); otherwise empty.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names);

// "a, b, c"
std::string join_names(const std::vector<std::string>& names);

}  // namespace saltus
