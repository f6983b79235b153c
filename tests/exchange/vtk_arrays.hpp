// Reads arrays of the VTK files that are written, by the reader of meshes: it shares nothing with the writer but zlib.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "saltus/meshes/vtu_arrays.hpp"
#include "saltus/meshes/xml_tags.hpp"

namespace saltus {

class VtkArrays {
 public:
  explicit VtkArrays(const std::string& bytes) : bytes_(bytes) {
    XmlTags tags(bytes_, "written");
    XmlTag tag;
    std::string section;
    while (tags.next(tag)) {
      if (tag.name == "VTKFile") {
        type = tag.attribute("type");
        coding_.where = "written";
        coding_.long_header = tag.attribute("header_type") == "UInt64";
        coding_.is_packed = tag.attribute("compressor") == "vtkZLibDataCompressor";
      }
      if (tag.name == "Piece") piece = tag;
      if (tag.name == "AppendedData") {
        coding_.is_raw = tag.attribute("encoding") == "raw";
        coding_.appended = std::string_view(bytes_).substr(bytes_.find('_', tag.end) + 1);
        break;
      }
      if (tag.name == "DataArray") {
        VtuArray array;
        array.name = tag.attribute("Name"), array.type = tag.attribute("type"),
        array.format = tag.attribute("format");
        if (array.format != "appended") continue;
        array.components = std::stoll(tag.attribute("NumberOfComponents"));
        array.offset = std::stoull(tag.attribute("offset"));
        arrays_.push_back({section, array});
      } else {
        section = tag.name;
      }
    }
  }

  std::vector<double> reals(const std::string& section, const std::string& name) const {
    for (const auto& [where, array] : arrays_)
      if (where == section && array.name == name)
        return read_vtu_reals(array, count_vtu_values(array, coding_), coding_);
    ADD_FAILURE() << "no array " << name << " in " << section;
    return {};
  }

  std::string type;
  XmlTag piece;

 private:
  std::string bytes_;
  VtuCoding coding_;
  std::vector<std::pair<std::string, VtuArray>> arrays_;
};

}  // namespace saltus
