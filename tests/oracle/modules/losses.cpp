// Losses and distances from a record's options.
#include "erased_module.hpp"

namespace oracle {

namespace {

template <class Loss>
Maker with_reduction() {
  return [](const Options& o) { return layer_of_two(Loss{.reduction = o.reduction()}); };
}
nn::Buffer buffer(const Options& o, const char* name) { return o.tensor(name); }

}  // namespace

void add_losses(Makers& m) {
  m["L1Loss"] = with_reduction<nn::L1Loss>();
  m["MSELoss"] = with_reduction<nn::MSELoss>();
  m["SoftMarginLoss"] = with_reduction<nn::SoftMarginLoss>();
  m["MultiLabelMarginLoss"] = with_reduction<nn::MultiLabelMarginLoss>();
  m["SmoothL1Loss"] = [](const Options& o) { return layer_of_two(nn::SmoothL1Loss{o.reduction(), o.real("beta", 1)}); };
  m["HuberLoss"] = [](const Options& o) { return layer_of_two(nn::HuberLoss{o.reduction(), o.real("delta", 1)}); };
  m["NLLLoss"] = [](const Options& o) {
    return layer_of_two(nn::NLLLoss{buffer(o, "weight"), o.count("ignore_index", -100), o.reduction()});
  };
  m["CrossEntropyLoss"] = [](const Options& o) {
    return layer_of_two(nn::CrossEntropyLoss{buffer(o, "weight"), o.count("ignore_index", -100), o.reduction(),
                                             o.real("label_smoothing", 0)});
  };
  m["LinearCrossEntropyLoss"] = [](const Options& o) {
    return layer_of_two(nn::LinearCrossEntropyLoss{
        o.count("in_features"), o.count("num_classes"),
        o.has("out_features") ? o.list("out_features") : std::vector<std::int64_t>(), o.flag("bias", false),
        buffer(o, "weight"), o.reduction(), o.optional_count("ignore_index"), o.real("label_smoothing", 0)});
  };
  m["KLDivLoss"] = [](const Options& o) {
    return layer_of_two(nn::KLDivLoss{o.reduction(), o.flag("log_target", false)});
  };
  m["BCELoss"] = [](const Options& o) { return layer_of_two(nn::BCELoss{buffer(o, "weight"), o.reduction()}); };
  m["BCEWithLogitsLoss"] = [](const Options& o) {
    return layer_of_two(nn::BCEWithLogitsLoss{buffer(o, "weight"), o.reduction(), buffer(o, "pos_weight")});
  };
  m["PoissonNLLLoss"] = [](const Options& o) {
    return layer_of_two(
        nn::PoissonNLLLoss{o.flag("log_input", true), o.flag("full", false), o.real("eps", 1e-8), o.reduction()});
  };
  m["GaussianNLLLoss"] = [](const Options& o) {
    return layer_of_three(nn::GaussianNLLLoss{o.flag("full", false), o.real("eps", 1e-6), o.reduction()});
  };
  m["HingeEmbeddingLoss"] = [](const Options& o) {
    return layer_of_two(nn::HingeEmbeddingLoss{o.real("margin", 1), o.reduction()});
  };
  m["MultiLabelSoftMarginLoss"] = [](const Options& o) {
    return layer_of_two(nn::MultiLabelSoftMarginLoss{buffer(o, "weight"), o.reduction()});
  };
  m["MultiMarginLoss"] = [](const Options& o) {
    return layer_of_two(nn::MultiMarginLoss{o.count("p", 1), o.real("margin", 1), buffer(o, "weight"), o.reduction()});
  };
  m["CosineEmbeddingLoss"] = [](const Options& o) {
    return layer_of_three(nn::CosineEmbeddingLoss{o.real("margin", 0), o.reduction()});
  };
  m["MarginRankingLoss"] = [](const Options& o) {
    return layer_of_three(nn::MarginRankingLoss{o.real("margin", 0), o.reduction()});
  };
  m["TripletMarginLoss"] = [](const Options& o) {
    return layer_of_three(nn::TripletMarginLoss{o.real("margin", 1), o.real("p", 2), o.real("eps", 1e-6),
                                                o.flag("swap", false), o.reduction()});
  };
  m["TripletMarginWithDistanceLoss"] = [](const Options& o) {
    auto make = [&](auto distance) {
      return layer_of_three(nn::TripletMarginWithDistanceLoss<decltype(distance)>{
          distance, o.real("margin", 1), o.flag("swap", false), o.reduction()});
    };
    if (!o.has("distance_function")) return make(nn::PairwiseDistance{});
    Options of = o.sub(o.at("distance_function").at("options"));
    if (o.at("distance_function").at("module") == "CosineSimilarity")
      return make(nn::CosineSimilarity{of.count("dim", 1), of.real("eps", 1e-8)});
    if (o.at("distance_function").at("module") != "PairwiseDistance") mismatch("the record has an unknown distance");
    return make(nn::PairwiseDistance{of.real("p", 2), of.real("eps", 1e-6), of.flag("keepdim", false)});
  };
  m["CTCLoss"] = [](const Options& o) {
    return erased(nn::CTCLoss{o.count("blank", 0), o.reduction(), o.flag("zero_infinity", false)},
                  [](nn::CTCLoss& loss, const Inputs& in) { return Results{loss(in[0], in[1], in[2], in[3])}; });
  };
  m["AdaptiveLogSoftmaxWithLoss"] = [](const Options& o) {
    return erased(nn::AdaptiveLogSoftmaxWithLoss{.in_features = o.count("in_features"),
                                                 .n_classes = o.count("n_classes"),
                                                 .cutoffs = o.list("cutoffs"),
                                                 .div_value = o.real("div_value", 4),
                                                 .head_bias = o.flag("head_bias", false)},
                  [](nn::AdaptiveLogSoftmaxWithLoss& layer, const Inputs& in) {
                    auto [output, loss] = layer(in[0], in[1]);
                    return Results{output, loss};
                  });
  };
  m["PairwiseDistance"] = [](const Options& o) {
    return layer_of_two(nn::PairwiseDistance{o.real("p", 2), o.real("eps", 1e-6), o.flag("keepdim", false)});
  };
  m["CosineSimilarity"] = [](const Options& o) {
    return layer_of_two(nn::CosineSimilarity{o.count("dim", 1), o.real("eps", 1e-8)});
  };
}

}  // namespace oracle
