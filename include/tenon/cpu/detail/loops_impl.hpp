// How lambdas become inner loops.
#pragma once

namespace tenon::cpu::detail {

template <class T, int N>
using repeat = boost::mp11::mp_repeat_c<types<T>, N>;

template <class T>
inline constexpr bool has_vector_v = std::is_floating_point_v<compute_t<T>>&& has_arithmetic(scalar_type_v<T>);

template <class T>
struct tuple_size_or_zero : std::integral_constant<int, 0> {};
template <class T>
  requires requires { std::tuple_size<T>::value; }
struct tuple_size_or_zero<T> : std::integral_constant<int, static_cast<int>(std::tuple_size<T>::value)> {};

template <class P, class T>
auto params_as(const P& p) {
  if constexpr (requires { p.template as<T>(); })
    return p.template as<T>();
  else
    return p;
}

/// The lambda with its parameters in local variables.
template <class Params, class F, class T>
struct bound {
  F f;
  decltype(params_as<Params, T>(std::declval<const Params&>())) params;
  explicit bound(const void* closure) : f(), params(params_as<Params, T>(*static_cast<const Params*>(closure))) {}
  template <class... X>
  auto operator()(X... x) const {
    return f(params, x...);
  }
};
template <class F, class T>
  requires std::is_empty_v<F>
struct bound<no_params, F, T> {
  F f;
  explicit bound(const void*) : f() {}
  template <class... X>
  auto operator()(X... x) const {
    return f(x...);
  }
};
template <class F, class T>
  requires(!std::is_empty_v<F>)
struct bound<no_params, F, T> {
  F f;
  explicit bound(const void* closure) : f(*static_cast<const F*>(closure)) {}
  template <class... X>
  auto operator()(X... x) const {
    return f(x...);
  }
};

/// The element type in memory of a lambda's result R in a loop over T.
template <class T, class R, bool several>
struct stored {
  static auto pick() {
    if constexpr (std::is_same_v<R, bool> || math::is_mask_v<R>)
      return bool{};
    else if constexpr (math::is_vec_v<R>)
      return T{};
    else if constexpr (is_complex_v<T> && !is_complex_v<R>)
      return typename T::value_type{};
    else if constexpr (is_complex_v<R>)
      return R{};
    else if constexpr (several && !std::is_same_v<R, compute_t<T>>)
      return R{};
    else
      return T{};
  }
  using type = decltype(pick());
};

/// One truth value per lane from bytes.
template <class T, class Arch>
mask<T, Arch> load_mask(const bool* p) {
  using V = vec<T, Arch>;
#if TENON_CPU_AVX512
  if constexpr (std::is_same_v<Arch, avx512> && V::size == 16) {
    __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    return typename mask<T, Arch>::batch_type(_mm_test_epi8_mask(bytes, bytes));
  }
#endif
  alignas(64) T lanes[V::size];
  for (int i = 0; i < V::size; ++i) lanes[i] = static_cast<T>(p[i]);
  return V::load(lanes) != V(T(0));
}

template <class T, class Arch, class E>
auto load_element(const E* p) {
  using V = vec<T, Arch>;
  if constexpr (std::is_same_v<E, bool>)
    return load_mask<T, Arch>(p);
  else
    return V::load(p);
}
template <class T, class Arch, class E>
auto load_partial_element(const E* p, int count) {
  using V = vec<T, Arch>;
  if constexpr (std::is_same_v<E, bool>) {
    bool staged[64] = {};
    for (int i = 0; i < count; ++i) staged[i] = p[i];
    return load_mask<T, Arch>(staged);
  } else {
    return V::load_partial(p, count);
  }
}

template <bool vectors, class Arch, class Bound, int N_out, class... In>
struct loop_body {
  using T = boost::mp11::mp_back<types<In...>>;
  using C = compute_t<T>;
  static constexpr std::size_t N_in = sizeof...(In);
  template <class E>
  using argument = std::conditional_t<!vectors, compute_t<E>,
                                      std::conditional_t<std::is_same_v<E, bool>, mask<C, Arch>, vec<C, Arch>>>;
  using result = std::remove_cvref_t<decltype(std::declval<const Bound&>()(std::declval<argument<In>>()...))>;
  static constexpr bool several = tuple_size_or_zero<result>::value > 0;
  static_assert((several ? tuple_size_or_zero<result>::value : 1) == N_out,
                "tenon: the lambda of an inner loop returns another number of results than N_out");

  template <std::size_t K, class R>
  static decltype(auto) part(const R& r) {
    if constexpr (several)
      return std::get<K>(r);
    else
      return (r);
  }
  template <std::size_t K>
  using out_t =
      typename stored<T, std::remove_cvref_t<decltype(part<K>(std::declval<const result&>()))>, several>::type;

  template <std::size_t K, class R>
  static void put(const R& r, out_t<K>* to) {
    if constexpr (vectors)
      part<K>(r).store(to);
    else if constexpr (std::is_same_v<out_t<K>, bool>)
      *reinterpret_cast<unsigned char*>(to) = static_cast<bool>(part<K>(r));
    else
      *to = static_cast<out_t<K>>(part<K>(r));
  }

  template <class P>
  static P* below(P* p, std::int64_t bytes) {
    using byte = std::conditional_t<std::is_const_v<P>, const char, char>;
    return reinterpret_cast<P*>(reinterpret_cast<byte*>(p) + bytes);
  }
  /// Calls `row` with the pointers of each row. They and their steps stay in registers: a load from memory whose
  /// address ends as that of a result on its way to the caches waits for it.
  template <class Row, std::size_t... I, std::size_t... K>
  static void each_row(void* const* outs, const void* const* ins, std::int64_t rows, const std::int64_t* next,
                       std::index_sequence<I...>, std::index_sequence<K...>, const Row& row) {
    std::tuple<const In*...> from{static_cast<const In*>(ins[I])...};
    std::tuple<out_t<K>*...> to{static_cast<out_t<K>*>(outs[K])...};
    std::int64_t step[N_out + N_in] = {};
    if (rows > 1) ((step[K] = next[K]), ...), ((step[N_out + I] = next[N_out + I]), ...);
    for (;;) {
      row(from, to);
      if (--rows <= 0) return;
      ((std::get<I>(from) = below(std::get<I>(from), step[N_out + I])), ...);
      ((std::get<K>(to) = below(std::get<K>(to), step[K])), ...);
    }
  }

  /// Rows from this length on, in elements, are written by whole registers from a register's boundary on: no store of
  /// these touches two cache lines.
  static constexpr std::int64_t kLongRow = 256;
  template <class E>
  static std::int64_t before_boundary(const E* to) {
    constexpr std::uintptr_t bytes = static_cast<std::uintptr_t>(vec<C, Arch>::size) * sizeof(E);
    return static_cast<std::int64_t>((bytes - reinterpret_cast<std::uintptr_t>(to) % bytes) % bytes / sizeof(E));
  }

  /// Short rows of inputs that move, but for the one at `Fixed`, a single element: few instructions for each, so that
  /// the processor reads several rows ahead.
  template <std::size_t Fixed, std::size_t... I, std::size_t... K>
  static void run_short_rows(const Bound& f, void* const* outs, const void* const* ins, std::int64_t n,
                             std::int64_t rows, const std::int64_t* next, std::index_sequence<I...> inputs,
                             std::index_sequence<K...> outputs) {
    constexpr int W = vec<C, Arch>::size;
    const std::int64_t whole = n & -W;
    const int part = static_cast<int>(n - whole);
    alignas(64) [[maybe_unused]] unsigned char memory[W * sizeof(C)];
    [[maybe_unused]] const auto fixed = [&] {
      if constexpr (Fixed < N_in)
        return load_element<C, Arch>(spread<boost::mp11::mp_at_c<types<In...>, Fixed>>(memory, ins[Fixed]));
      else
        return 0;
    }();
    each_row(outs, ins, rows, next, inputs, outputs, [&](const auto& from, const auto& to) {
      auto read = [&]<std::size_t At>(std::integral_constant<std::size_t, At>, auto load) {
        if constexpr (At == Fixed)
          return fixed;
        else
          return load(std::get<At>(from));
      };
      for (std::int64_t at = 0; at < whole; at += W) {
        auto r = f(read(std::integral_constant<std::size_t, I>{},
                        [at](const auto* p) { return load_element<C, Arch>(p + at); })...);
        (put<K>(r, std::get<K>(to) + at), ...);
      }
      if (part) {
        auto r = f(read(std::integral_constant<std::size_t, I>{},
                        [=](const auto* p) { return load_partial_element<C, Arch>(p + whole, part); })...);
        (loop_body::part<K>(r).store_partial(std::get<K>(to) + whole, part), ...);
      }
    });
  }
  template <std::size_t... I, std::size_t... K>
  static void run_vectors(const void* closure, void* const* outs, const void* const* ins, const std::int64_t* steps,
                          std::int64_t n, std::int64_t rows, const std::int64_t* next, std::index_sequence<I...> inputs,
                          std::index_sequence<K...> outputs) {
    constexpr int W = vec<C, Arch>::size;
    const Bound f(closure);
    if constexpr (N_in > 1)  // most functions of one input compute longer than they wait
      if (n < kLongRow && (steps[I] && ...)) return run_short_rows<N_in>(f, outs, ins, n, rows, next, inputs, outputs);
    if constexpr (N_in == 2)
      if (n < kLongRow && steps[0] && (rows == 1 || next[N_out + 1] == 0))
        return run_short_rows<1>(f, outs, ins, n, rows, next, inputs, outputs);
    // A single element becomes a vector in memory, so that one loop serves every mixture of steps.
    alignas(64) unsigned char splat[N_in][W * sizeof(C)];
    const void* single[N_in] = {ins[I]...};
    const std::int64_t moves[N_in] = {(steps[I] ? -1 : 0)...};  // a mask of positions
    std::tuple<const In*...> from{steps[I] ? static_cast<const In*>(ins[I]) : spread<In>(splat[I], single[I])...};
    std::tuple<out_t<K>*...> to{static_cast<out_t<K>*>(outs[K])...};
    for (;;) {
      std::int64_t at = 0, part = n < kLongRow ? 0 : before_boundary(std::get<0>(to));
      for (;;) {
        if (part) {
          auto r = f(load_partial_element<C, Arch>(std::get<I>(from) + (at & moves[I]), static_cast<int>(part))...);
          (loop_body::part<K>(r).store_partial(std::get<K>(to) + at, static_cast<int>(part)), ...);
          at += part;
        }
        const std::int64_t whole = at + ((n - at) & -W);
        std::tuple<const In*...> p{std::get<I>(from) + (at & moves[I])...};
        for (; at < whole; at += W) {
          auto r = f(load_element<C, Arch>(std::get<I>(p))...);
          ((std::get<I>(p) += moves[I] & W), ...);
          (put<K>(r, std::get<K>(to) + at), ...);
        }
        part = n - at;
        if (!part) break;
      }
      if (--rows <= 0) return;
      ((std::get<K>(to) = below(std::get<K>(to), next[K])), ...);
      (next_row(std::get<I>(from), moves[I] != 0, next[N_out + I], single[I], splat[I]), ...);
    }
  }
  template <class E>
  static void next_row(const E*& from, bool moves, std::int64_t bytes, const void*& single, unsigned char* splat) {
    if (moves) {
      from = below(from, bytes);
    } else if (bytes) {
      single = static_cast<const char*>(single) + bytes;
      spread<E>(splat, single);
    }
  }
  /// Fills a register's length with one element.
  template <class E>
  static const E* spread(unsigned char* memory, const void* element) {
    const E one = *static_cast<const E*>(element);
    E* to = reinterpret_cast<E*>(memory);
    if constexpr (std::is_same_v<E, C>)
      vec<C, Arch>(one).store(to);
    else
      for (int k = 0; k < vec<C, Arch>::size; ++k) to[k] = one;
    return to;
  }

  /// What `f` gets of an element. GCC vectorises more of what it makes of bytes than of bools.
  template <class E>
  static compute_t<E> element(const E* p) {
    if constexpr (std::is_same_v<E, bool>)
      return *reinterpret_cast<const unsigned char*>(p) != 0;
    else
      return static_cast<compute_t<E>>(*p);
  }
  // Blocks of a constant length, which compilers vectorise even at -O2.
  static constexpr int block = sizeof(T) >= 4 ? 16 : sizeof(T) == 2 ? 32 : 64;
  template <std::size_t... I, std::size_t... K>
  static void run_elements(const void* closure, void* const* outs, const void* const* ins, const std::int64_t* steps,
                           std::int64_t n, std::int64_t rows, const std::int64_t* next,
                           std::index_sequence<I...> inputs, std::index_sequence<K...> outputs) {
    const Bound f(closure);
    alignas(64) unsigned char splat[N_in][block * 16];
    const std::int64_t step[N_in] = {(steps[I] ? block : 0)...};
    each_row(outs, ins, rows, next, inputs, outputs, [&](auto p, auto to) {
      (([&] {
         using E = std::remove_cvref_t<decltype(*std::get<I>(p))>;
         if (step[I]) return;
         E* one = reinterpret_cast<E*>(splat[I]);
         for (int k = 0; k < block && k < n; ++k) one[k] = *std::get<I>(p);
         std::get<I>(p) = one;
       }()),
       ...);
      std::int64_t at = 0;
      for (; at + block <= n; at += block) {
#if !defined(__clang__)
#pragma GCC ivdep
#endif
        for (int k = 0; k < block; ++k) {
          auto r = f(element(std::get<I>(p) + k)...);
          (put<K>(r, std::get<K>(to) + at + k), ...);
        }
        ((std::get<I>(p) += step[I]), ...);
      }
      for (int k = 0; at < n; ++at, ++k) {
        auto r = f(element(std::get<I>(p) + k)...);
        (put<K>(r, std::get<K>(to) + at), ...);
      }
    });
  }

  static void run(const void* closure, void* const* outs, const void* const* ins, const std::int64_t* steps,
                  std::int64_t n, std::int64_t rows, const std::int64_t* next) {
    constexpr std::make_index_sequence<N_in> inputs;
    constexpr std::make_index_sequence<N_out> outputs;
    if constexpr (vectors)
      run_vectors(closure, outs, ins, steps, n, rows, next, inputs, outputs);
    else
      run_elements(closure, outs, ins, steps, n, rows, next, inputs, outputs);
  }
  template <std::size_t... K>
  static constexpr Loop describe(std::index_sequence<K...>) {
    return {&run,
            static_cast<std::int8_t>(N_in),
            static_cast<std::int8_t>(N_out),
            {scalar_type_v<In>...},
            {scalar_type_v<out_t<K>>...}};
  }
};

template <bool vectors, class Arch, class Params, class F, int N_out, class... In>
constexpr Loop loop_of(types<In...>) {
  static_assert(sizeof...(In) >= 1 && sizeof...(In) <= kMaxInputs && N_out >= 1 && N_out <= kMaxOutputs,
                "tenon: an inner loop has one to six inputs and one to four outputs");
  using T = boost::mp11::mp_back<types<In...>>;
  constexpr bool use_vectors = vectors && has_vector_v<T>;
  using body = loop_body<use_vectors, Arch, bound<Params, F, compute_t<T>>, N_out, In...>;
  return body::describe(std::make_index_sequence<N_out>{});
}

}  // namespace tenon::cpu::detail
