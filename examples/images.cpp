// A convolutional network that reads digits: a loader that shifts the pictures, batch norm, dropout and a one-cycle
// schedule.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <tenon/data.hpp>
#include <tenon/tenon.hpp>
#include <tenon/training.hpp>

using namespace tenon;

namespace {

struct Network {
  nn::Conv2d first{.in_channels = 1, .out_channels = 16, .kernel_size = 3, .padding = 1};
  nn::BatchNorm2d first_norm{16};
  nn::Conv2d second{.in_channels = 16, .out_channels = 32, .kernel_size = 3, .padding = 1};
  nn::BatchNorm2d second_norm{32};
  nn::MaxPool2d pool{2};
  nn::Dropout dropout{0.3};
  nn::Linear output{32 * 4 * 4, 10};

  Tensor operator()(Tensor x) const {
    x = pool(ops::relu(first_norm(first(x))));
    x = dropout(ops::relu(second_norm(second(x))));
    return output(x.flatten(1));
  }
  TENON_FIELDS(first, first_norm, second, second_norm, pool, dropout, output)
};

/// The picture, moved by up to one pixel in each direction; what comes in from the edges is empty.
auto shift(std::tuple<Tensor, Tensor> sample, data::Random& random) {
  auto& [image, digit] = sample;
  Tensor wide = ops::constant_pad_nd(image, {1, 1, 1, 1});
  image = wide.narrow(1, random.integer(0, 2), 8).narrow(2, random.integer(0, 2), 8);
  return sample;
}

/// The share of digits that are read rightly.
training::ConfusionMatrix judge(Network& network, const data::TensorDataset<2>& digits) {
  NoGradGuard no_grad;
  nn::eval(network);
  training::ConfusionMatrix matrix(10);
  for (auto& [images, classes] : data::DataLoader(digits, {.batch_size = 100})) matrix.update(network(images), classes);
  nn::train(network);
  return matrix;
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t epochs = argc > 1 ? std::atoll(argv[1]) : 25;
  manual_seed(1);
  Tensor table = data::load_csv(TENON_EXAMPLE_DATA "/digits/digits.csv");
  Tensor images = table.narrow(1, 0, 64).view({-1, 1, 8, 8}) / 16, classes = table.select(1, 64).to(kLong);
  std::int64_t n = images.size(0), for_training = 1500;
  data::TensorDataset learn(images.narrow(0, 0, for_training), classes.narrow(0, 0, for_training)),
      test(images.narrow(0, for_training, n - for_training), classes.narrow(0, for_training, n - for_training));

  data::DataLoader loader(data::map(learn, shift), {.batch_size = 64, .shuffle = true, .num_workers = 1, .seed = 1});
  Network network;
  optim::AdamW adam(nn::parameters(network), {.lr = 0.01});
  optim::OneCycleLR schedule(adam, {.max_lr = {0.01}, .total_steps = epochs * loader.size()});
  training::Progress progress(epochs, {.samples = for_training});
  while (loader.position().epoch < epochs) {
    training::Mean mean;
    for (auto& [pictures, digits] : loader) {
      adam.zero_grad();
      Tensor loss = nn::functional::cross_entropy(network(pictures), digits);
      loss.backward();
      adam.step();
      schedule.step();
      mean.update(loss.item<double>());
    }
    progress.show(loader.position().epoch, {{"loss", mean.compute()}, {"lr", schedule.get_last_lr()[0]}});
  }

  training::ConfusionMatrix matrix = judge(network, test);
  std::printf("test accuracy %.1f %%, F1 %.3f\nread as, by what it is:\n", 100 * matrix.accuracy(),
              matrix.f1(training::Average::Macro));
  Tensor counts = matrix.compute();
  for (std::int64_t i = 0; i < 10; ++i) {
    std::printf("%3lld |", static_cast<long long>(i));
    for (std::int64_t j = 0; j < 10; ++j)
      std::printf(" %3lld", static_cast<long long>(counts.data_ptr<std::int64_t>()[10 * i + j]));
    std::puts("");
  }
  // Of a run that is too short to learn nothing is asked.
  return epochs < 25 || matrix.accuracy() >= 0.97 ? 0 : 1;
}
