// The contacts of the last step as one structured array.
#include <cstring>

#include "driver_of.hpp"

namespace saltus::bindings {

namespace {

template <int Dim>
py::dtype contact_dtype() {
  const py::tuple vector = py::make_tuple(Dim);
  py::list fields;
  const auto add = [&](const char* name, const char* type) { fields.append(py::make_tuple(name, type)); };
  const auto add_vector = [&](const char* name, const py::tuple& shape) {
    fields.append(py::make_tuple(name, "f8", shape));
  };
  add("a", "i8"), add("b", "i8"), add("feature", "u8");
  add_vector("point", vector), add_vector("normal", vector);
  add("gap", "f8"), add("residual", "f8");
  add_vector("impulse", vector), add_vector("force", vector), add_vector("velocity", vector);
  if (Dim == 2)
    add("moment", "f8");
  else
    add_vector("moment", vector);
  add("status", "U8"), add("bonded", "?");
  return py::dtype::from_args(fields);
}

// Fields one after the other, without gaps, as the dtype has them.
class RowWriter {
 public:
  explicit RowWriter(char* at) : at_(at) {}
  template <class T>
  void put(const T& value) {
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }
  template <int N>
  void put_vector(const Vec<N>& v) {
    for (int i = 0; i < N; ++i) put(v[i]);
  }
  void put_text(const char* text, int width) {
    for (int i = 0; i < width; ++i) put(static_cast<std::uint32_t>(*text ? *text++ : 0));
  }

 private:
  char* at_;
};

}  // namespace

template <int Dim>
py::array DriverOf<Dim>::contacts() const {
  const Simulation<Dim>& simulation = use();
  static const py::handle dtype = contact_dtype<Dim>().release();  // for ever, as the module
  const double h = simulation.scene().scheme.h;
  py::array rows(py::reinterpret_borrow<py::dtype>(dtype),
                 std::vector<py::ssize_t>{simulation.contact_count()});
  const auto size = static_cast<std::size_t>(rows.itemsize());
  auto* data = static_cast<char*>(rows.mutable_data());
  for (int i = 0; i < simulation.contact_count(); ++i) {
    const ContactState<Dim> c = simulation.contact(i);
    RowWriter row(data + static_cast<std::size_t>(i) * size);
    row.put(c.a), row.put(c.b), row.put(c.feature);
    row.template put_vector<Dim>(c.point), row.template put_vector<Dim>(c.axes.col(0));
    row.put(c.gap), row.put(c.residual);
    row.template put_vector<Dim>(c.impulse), row.template put_vector<Dim>(c.axes * c.impulse / h);
    row.template put_vector<Dim>(c.velocity);
    row.template put_vector<kSpins<Dim>>(c.moment);
    row.put_text(name(c.status), 8);
    row.put(c.bonded);
  }
  return rows;
}

template py::array DriverOf<2>::contacts() const;
template py::array DriverOf<3>::contacts() const;

}  // namespace saltus::bindings
