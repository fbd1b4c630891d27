// Bodies of printing, comparing and copying boxed values.
#pragma once
#include <algorithm>

#include <tenon/base/body.hpp>
#include <tenon/base/sym_bool.hpp>
#include <tenon/base/sym_float.hpp>
#include <tenon/boxing/bodies/future.hpp>
#include <tenon/boxing/capsule.hpp>
#include <tenon/boxing/enum_member.hpp>
#include <tenon/boxing/foreign.hpp>
#include <tenon/boxing/quantizer.hpp>
#include <tenon/boxing/value_text.hpp>
#include <tenon/schema/print.hpp>

namespace tenon {
namespace detail {

inline void append_complex(std::string& out, Complex<double> z) {
  schema::detail::append_double(out, z.re);
  if (!(z.im < 0)) out += '+';
  schema::detail::append_double(out, z.im);
  out += 'j';
}

/// `<Future(int): 3>`. Reads the object itself: a program that only prints values does without what futures can do.
inline std::string future_text(const Value& v) {
  auto object = v.to_object<FutureObject>();
  std::unique_lock lock(object->mutex);
  bool done = object->done;
  lock.unlock();
  std::string state = "pending";
  if (done && object->error) try {
      std::rethrow_exception(object->error);
    } catch (const std::exception& e) { state = concat("error: ", e.what()); } catch (...) {
      state = "error";
    }
  else if (done)
    state = to_string(object->value);
  return concat('<', type_words(v), ": ", state, '>');
}

}  // namespace detail

TENON_COLD_BODY std::string to_string(const Value& v) {
  std::string out;
  auto items = [&](const std::vector<Value>& list) {
    for (std::size_t i = 0; i < list.size(); ++i) (out += i ? ", " : "") += to_string(list[i]);
  };
  switch (v.kind()) {
    case ValueKind::None: return "None";
    case ValueKind::Tensor:
      return v.to_tensor().defined() ? concat("<Tensor of shape ", v.to_tensor().sym_sizes(), ">")
                                     : "<undefined Tensor>";
    case ValueKind::Int:
    case ValueKind::UInt:
    case ValueKind::Bool: return to_string(v.to_scalar());
    case ValueKind::SymInt: return to_string(v.to_sym_int());
    case ValueKind::SymFloat: return to_string(v.to_sym_float());
    case ValueKind::SymBool: return to_string(v.to_sym_bool());
    case ValueKind::Future: return detail::future_text(v);
    case ValueKind::Await:
      return concat('<', type_words(v),
                    v.to_object<detail::AwaitObject>()->future.completed() ? ": completed>" : ": not yet run>");
    case ValueKind::RRef:
      return concat('<', type_words(v), " of worker '", v.to_object<RRefInterface>()->owner_name(), "'>");
    case ValueKind::Capsule: return concat("<Capsule of ", v.to_capsule()->class_name(), '>');
    case ValueKind::Blob: return concat("<Blob of ", detail::cpp_type_name(v.to_object<Blob>()->type()), '>');
    case ValueKind::PyObject: return v.to_object<PyObjectHolder>()->str();
    case ValueKind::Quantizer: return v.to_quantizer()->str();
    case ValueKind::Enum: return concat(type_words(v), '.', v.to_enum()->name());
    case ValueKind::Double: schema::detail::append_double(out, v.to_double()); return out;
    case ValueKind::ComplexDouble: detail::append_complex(out, v.to_complex()); return out;
    case ValueKind::String: schema::detail::append_quoted(out, v.to_string_view()); return out;
    case ValueKind::Device: return to_string(v.to_device());
    case ValueKind::List:
      out += '[';
      items(v.to_list());
      return out + ']';
    case ValueKind::Tuple:
      out += '(';
      items(v.to_tuple());
      return out + (v.to_tuple().size() == 1 ? ",)" : ")");
    case ValueKind::Dict:
      out += '{';
      for (const auto& [key, value] : v.to_dict()) out += concat(out.size() > 1 ? ", " : "", key, ": ", value);
      return out + '}';
    default: return concat("<", v.kind(), ">");
  }
}

TENON_COLD_BODY bool operator==(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case ValueKind::None: return true;
    case ValueKind::Tensor: return a.to_tensor().is_same(b.to_tensor());
    case ValueKind::Int:
    case ValueKind::UInt:
    case ValueKind::Bool: return a.to_scalar() == b.to_scalar();
    case ValueKind::SymInt: return a.is(b) || a.to_sym_int() == b.to_sym_int();
    case ValueKind::SymFloat: return a.is(b) || a.to_sym_float() == b.to_sym_float();
    case ValueKind::SymBool: return a.is(b) || a.to_sym_bool().guard_bool() == b.to_sym_bool().guard_bool();
    case ValueKind::Quantizer: return a.is(b) || a.to_quantizer()->equals(*b.to_quantizer());
    case ValueKind::Enum: {
      auto x = a.to_enum(), y = b.to_enum();
      return x->class_name() == y->class_name() && x->name() == y->name() && x->value() == y->value();
    }
    case ValueKind::Double: return a.to_double() == b.to_double();
    case ValueKind::ComplexDouble: return a.to_complex() == b.to_complex();
    case ValueKind::String: return a.to_string_view() == b.to_string_view();
    case ValueKind::Device: return a.to_device() == b.to_device();
    case ValueKind::List: return a.to_list() == b.to_list();
    case ValueKind::Tuple: return a.to_tuple() == b.to_tuple();
    case ValueKind::Dict: {
      const auto &x = a.to_dict(), &y = b.to_dict();
      if (x.size() != y.size()) return false;
      for (const auto& [key, value] : x) {
        bool found = false;
        for (const auto& [other_key, other] : y) found = found || (key == other_key && value == other);
        if (!found) return false;
      }
      return true;
    }
    default: return a.is(b);
  }
}

TENON_COLD_BODY bool operator==(const Stack& a, const Stack& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

TENON_COLD_BODY Value copy_of(const Value& v) {
  switch (v.kind()) {
    case ValueKind::List: return Value::list(v.to_list(), v.element_kind());
    case ValueKind::Tuple: return Value::tuple(v.to_tuple());
    case ValueKind::Dict: return Value::dict(v.to_dict());
    default: return v;
  }
}

TENON_COLD_BODY std::string type_words(const Value& v) {
  auto first = [](const std::vector<Value>& items, std::string none) {
    return items.empty() ? none : type_words(items.front());
  };
  switch (v.kind()) {
    case ValueKind::None: return "NoneType";
    case ValueKind::Double: return "float";
    case ValueKind::ComplexDouble: return "complex";
    case ValueKind::Int:
    case ValueKind::UInt: return "int";
    case ValueKind::Bool: return "bool";
    case ValueKind::String: return "str";
    case ValueKind::Enum: return v.to_enum()->class_name();
    case ValueKind::Future:
    case ValueKind::Await:
    case ValueKind::RRef: {
      std::string memory;
      return concat(v.kind(), '(', detail::element_words(v, memory), ')');
    }
    case ValueKind::List:
      switch (v.element_kind()) {
        case ValueKind::Tensor: return first(v.to_list(), "Tensor") + "[]";
        case ValueKind::Int: return first(v.to_list(), "int") + "[]";
        case ValueKind::Double: return first(v.to_list(), "float") + "[]";
        case ValueKind::Bool: return first(v.to_list(), "bool") + "[]";
        default: return first(v.to_list(), "Any") + "[]";
      }
    case ValueKind::Tuple: {
      std::string out = "(";
      for (const auto& item : v.to_tuple()) out += (out.size() > 1 ? ", " : "") + type_words(item);
      return out + ")";
    }
    case ValueKind::Dict:
      return v.to_dict().empty()
                 ? "Dict"
                 : concat("Dict(", type_words(v.to_dict()[0].first), ", ", type_words(v.to_dict()[0].second), ")");
    default: return std::string(to_string(v.kind()));
  }
}

}  // namespace tenon
