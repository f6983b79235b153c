// A page to draw on with Cairo, and the look that figures share.
//
// The kind of file follows from the end of its name: .png, .svg or .pdf. Lengths are pixels (PNG) or points.
#pragma once

#include <string>
#include <string_view>

#include "saltus/geometry/vec.hpp"
#include "saltus/laws/pair_law.hpp"

// Of Cairo, whose header only those who draw need.
typedef struct _cairo cairo_t;
typedef struct _cairo_surface cairo_surface_t;

namespace saltus {

struct Colour {
  double red = 0, green = 0, blue = 0;
};

inline constexpr Colour kInk{0.13, 0.15, 0.19};
inline constexpr Colour kMuted{0.45, 0.48, 0.52};
inline constexpr Colour kStick{0.11, 0.36, 0.66};
inline constexpr Colour kSlide{0.84, 0.27, 0.18};
inline constexpr Colour kOpen{0.62, 0.65, 0.68};
inline constexpr Colour kVelocity{0.13, 0.55, 0.35};

Colour colour_of(ContactStatus status);

class Canvas {
 public:
  // Throws InputError when the name does not end in a known kind.
  Canvas(const std::string& path, double width, double height);
  // A page in memory: pixels of a film.
  Canvas(int width, int height);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  cairo_t* context() const { return context_; }
  double width() const { return width_; }
  double height() const { return height_; }

  // White around texts, to be read on anything.
  void set_halo(bool halo) const { halo_ = halo; }
  void set_colour(const Colour& colour, double alpha = 1) const;
  // Anchor 0: text begins at x, 0.5: centred there, 1: ends there. y is the base line.
  void text(double x, double y, const std::string& text, double size, const Colour& colour,
            double anchor = 0) const;
  double text_width(const std::string& text, double size) const;
  void line(const Vec<2>& from, const Vec<2>& to) const;
  void bent_line(const Vec<2>& from, const Vec<2>& corner, const Vec<2>& to) const;
  // With a white edge, to be seen on any colour; nothing below two pixels.
  void arrow(const Vec<2>& from, const Vec<2>& to, const Colour& colour, double width) const;

  // Completes the file. Throws OutputError.
  void finish();
  // Of a page in memory: four bytes each, blue, green, red and one unused, row by row without a gap.
  std::string_view pixels() const;

 private:
  void prepare();

  std::string path_, bytes_;
  double width_, height_;
  bool is_png_ = false;
  mutable bool halo_ = false;
  cairo_surface_t* surface_ = nullptr;
  cairo_t* context_ = nullptr;
};

}  // namespace saltus
