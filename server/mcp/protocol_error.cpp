#include "server/mcp/protocol_error.hpp"

namespace kinetoscope::mcp {

Json error_object(const ProtocolError& error) {
  Json object = {{"code", error.code()}, {"message", error.what()}};
  if (!error.data().is_null()) object["data"] = error.data();
  return object;
}
}  // namespace kinetoscope::mcp
