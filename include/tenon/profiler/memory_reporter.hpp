// Being told of what tensors of a device take and give back.
#pragma once
#include <atomic>
#include <cstddef>
#include <memory>

#include <tenon/tensor/allocator.hpp>

namespace tenon {

/// Hears of memory as it comes and goes, from any thread. What is told must not make tensors of that device.
class MemoryReporter {
 public:
  virtual ~MemoryReporter() = default;
  /// `total`: bytes that were taken since the reports began and are not given back yet, these among them.
  virtual void allocated(const void* data, std::size_t bytes, std::size_t total, Device device) = 0;
  virtual void freed(const void* data, std::size_t bytes, std::size_t total, Device device) noexcept = 0;
  /// Before the allocator's OutOfMemoryError goes on to who asked.
  virtual void out_of_memory(std::size_t bytes, std::size_t total, Device device) {
    (void)bytes, (void)total, (void)device;
  }
};

/// Reports to a reporter, which memory taken meanwhile may outlive its guard with, for as long as the guard lives. It
/// stands before the device's allocator; guards end in reverse order. Small tensors come without the free lists then.
class MemoryReporterGuard final : Allocator {
 public:
  explicit MemoryReporterGuard(std::shared_ptr<MemoryReporter> reporter, DeviceType device = DeviceType::CPU)
      : reports_(std::make_shared<Reports>()), next_(allocator(device)), device_(device) {
    reports_->reporter = std::move(reporter);
    before_ = set_allocator(device, this);
  }
  MemoryReporterGuard(const MemoryReporterGuard&) = delete;
  MemoryReporterGuard& operator=(const MemoryReporterGuard&) = delete;
  ~MemoryReporterGuard() override { set_allocator(device_, before_); }
  /// Bytes taken under this guard that are not given back yet.
  std::size_t total() const { return reports_->total.load(std::memory_order_relaxed); }

 private:
  struct Reports {
    std::shared_ptr<MemoryReporter> reporter;
    std::atomic<std::size_t> total{0};
  };
  struct Reported {
    DataPtr memory;
    std::shared_ptr<Reports> reports;
    std::size_t bytes;
    static void end(void* context) {
      std::unique_ptr<Reported> self(static_cast<Reported*>(context));
      const void* data = self->memory.get();
      Device device = self->memory.device();
      self->memory.clear();
      std::size_t total = self->reports->total.fetch_sub(self->bytes, std::memory_order_relaxed) - self->bytes;
      self->reports->reporter->freed(data, self->bytes, total, device);
    }
  };

  DataPtr allocate(std::size_t bytes) override {
    auto made = std::make_unique<Reported>();
    try {
      made->memory = next_.allocate(bytes);
    } catch (const OutOfMemoryError&) {
      reports_->reporter->out_of_memory(bytes, total(), Device(device_));
      throw;
    }
    void* data = made->memory.get();
    Device device = made->memory.device();
    made->reports = reports_;
    made->bytes = bytes;
    std::size_t total = reports_->total.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    try {
      reports_->reporter->allocated(data, bytes, total, device);
    } catch (...) {
      reports_->total.fetch_sub(bytes, std::memory_order_relaxed);
      throw;
    }
    return {data, made.release(), &Reported::end, device};
  }

  std::shared_ptr<Reports> reports_;
  Allocator& next_;
  DeviceType device_;
  Allocator* before_ = nullptr;
};

}  // namespace tenon
