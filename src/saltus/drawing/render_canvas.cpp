#include "saltus/drawing/render_canvas.hpp"

#include <cairo-pdf.h>
#include <cairo-svg.h>

#include <algorithm>
#include <filesystem>

#include "saltus/base/input_error.hpp"
#include "saltus/drawing/render.hpp"
#include "saltus/files/output_error.hpp"
#include "saltus/files/output_place.hpp"

namespace saltus {

namespace {

constexpr const char* kFont = "sans-serif";

std::string extension(const std::string& path) { return std::filesystem::path(path).extension().string(); }

// Cairo says no more than "error while writing", or nothing: what it draws is kept and written as one.
cairo_status_t keep_bytes(void* bytes, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

void select_font(cairo_t* context, double size) {
  cairo_select_font_face(context, kFont, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context, size);
}

}  // namespace

Colour colour_of(ContactStatus status) {
  switch (status) {
    case ContactStatus::stick: return kStick;
    case ContactStatus::slide: return kSlide;
    case ContactStatus::open:
    case ContactStatus::inactive: break;
  }
  return kOpen;
}

void check_picture_name(const std::string& path) {
  const std::string end = extension(path);
  if (end != ".png" && end != ".svg" && end != ".pdf")
    throw InputError(path, "kind of picture", end.empty() ? "none" : end, ".png, .svg or .pdf");
}

Canvas::Canvas(const std::string& path, double width, double height)
    : path_(path), width_(width), height_(height) {
  check_picture_name(path);
  const std::string end = extension(path);
  is_png_ = end == ".png";
  if (is_png_)
    surface_ =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height));
  else
    surface_ = (end == ".svg" ? cairo_svg_surface_create_for_stream : cairo_pdf_surface_create_for_stream)(
        keep_bytes, &bytes_, width, height);
  prepare();
}

Canvas::Canvas(int width, int height)
    : width_(width),
      height_(height),
      surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)) {
  prepare();
}

void Canvas::prepare() {
  context_ = cairo_create(surface_);
  set_colour({1, 1, 1});
  cairo_paint(context_);
  cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(context_, CAIRO_LINE_CAP_ROUND);
}

Canvas::~Canvas() {
  cairo_destroy(context_);
  cairo_surface_destroy(surface_);
}

void Canvas::set_colour(const Colour& colour, double alpha) const {
  cairo_set_source_rgba(context_, colour.red, colour.green, colour.blue, alpha);
}

double Canvas::text_width(const std::string& text, double size) const {
  select_font(context_, size);
  cairo_text_extents_t extents;
  cairo_text_extents(context_, text.c_str(), &extents);
  return extents.x_advance;
}

void Canvas::text(double x, double y, const std::string& text, double size, const Colour& colour,
                  double anchor) const {
  const double offset = anchor > 0 ? anchor * text_width(text, size) : 0;
  select_font(context_, size);
  if (halo_) {
    cairo_save(context_);
    cairo_move_to(context_, x - offset, y);
    cairo_text_path(context_, text.c_str());
    set_colour({1, 1, 1}, 0.85);
    cairo_set_line_width(context_, 4);
    cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(context_);
    cairo_restore(context_);
  }
  set_colour(colour);
  cairo_move_to(context_, x - offset, y);
  cairo_show_text(context_, text.c_str());
}

void Canvas::line(const Vec<2>& from, const Vec<2>& to) const {
  cairo_move_to(context_, from.x(), from.y());
  cairo_line_to(context_, to.x(), to.y());
  cairo_stroke(context_);
}

void Canvas::arrow(const Vec<2>& from, const Vec<2>& to, const Colour& colour, double width) const {
  const Vec<2> way = to - from;
  if (!(way.norm() >= 2)) return;
  const double head = std::min(6.0, 0.5 * way.norm());
  const Vec<2> back = -head * way.normalized(), side = 0.45 * quarter_turn(back);
  const auto draw = [&] {
    line(from, to);
    line(to, to + back + side);
    line(to, to + back - side);
  };
  set_colour({1, 1, 1}, 0.7);
  cairo_set_line_width(context_, width + 2);
  draw();
  set_colour(colour);
  cairo_set_line_width(context_, width);
  draw();
}

void Canvas::bent_line(const Vec<2>& from, const Vec<2>& corner, const Vec<2>& to) const {
  cairo_move_to(context_, from.x(), from.y());
  cairo_line_to(context_, corner.x(), corner.y());
  cairo_line_to(context_, to.x(), to.y());
  cairo_stroke(context_);
}

std::string_view Canvas::pixels() const {
  cairo_surface_flush(surface_);
  const unsigned char* data = cairo_image_surface_get_data(surface_);
  // Four bytes a pixel: rows need no padding.
  const auto size = static_cast<std::size_t>(cairo_image_surface_get_stride(surface_)) *
                    static_cast<std::size_t>(cairo_image_surface_get_height(surface_));
  return {reinterpret_cast<const char*>(data), data ? size : 0};
}

void Canvas::finish() {
  cairo_status_t status = cairo_status(context_);
  if (status == CAIRO_STATUS_SUCCESS && is_png_)
    status = cairo_surface_write_to_png_stream(surface_, keep_bytes, &bytes_);
  cairo_surface_finish(surface_);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface_);
  if (status != CAIRO_STATUS_SUCCESS) throw OutputError(path_, cairo_status_to_string(status));
  write_output(path_, bytes_);
}

}  // namespace saltus
