// Runs kernels on the GPU of this machine with the memory of the program: copies all of it there,
// and what changed back. Beside it the emulator runs the same kernel, and numbers are compared.
// With MEASURE it runs them often, prints the shortest time, and leaves the memory of the host
// alone.
//
// The environment says what to use: GPU_DRIVER is the driver's library, GPU_CODE the code of the
// kernels, GPU_VARIABLES the names of the device's variables, with commas between them.
#include "arena.h"
#include "emulator.h"
#include "gpu-driver.h"

#include <cstdint>
#include <memory>
#include <string>

namespace {
using gpu::Argument;
using gpu::Size;

[[noreturn]] void fail(const std::string &What) {
  std::printf("%s\n", What.c_str());
  std::exit(1);
}

const char *setting(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : (fail(std::string(Name) + " is not set"), "");
}

/// A piece of the memory of the host, or a variable, and its counterpart on the device.
struct Copy {
  char *Host;
  size_t Bytes;
  uint64_t Device;
  std::vector<char> Before, Sent, Got;
};

struct Machine {
  gpu::Driver Driver{setting("GPU_DRIVER"), setting("GPU_CODE")};
  uint64_t Memory = 0;
  size_t MemoryBytes = 0;
  unsigned Launches = 0;
  double Largest = 0; ///< Difference from the emulator.

  ~Machine() {
    if (!gpu::IsMeasured)
      std::printf("%u launches, largest difference from the emulator %.2g\n", Launches, Largest);
  }

  uint64_t onDevice(const void *P) const {
    return Memory + (static_cast<const char *>(P) - arena::begin());
  }

  /// Words that lead into the memory of the host lead into that of the device. No number of the
  /// tests looks like that: as a double, and as two floats, it is smaller than the smallest normal
  /// one.
  void translate(char *Data, size_t Bytes) const {
    for (size_t I = 0; I + 8 <= Bytes; I += 8) {
      void *Word;
      std::memcpy(&Word, Data + I, 8);
      if (!arena::contains(Word))
        continue;
      uint64_t There = onDevice(Word);
      std::memcpy(Data + I, &There, 8);
    }
  }

  /// All memory of the program, and its variables.
  std::vector<Copy> copies() {
    std::vector<Copy> All;
    for (arena::Piece P = arena::nextPiece(arena::begin()); P.Start;
         P = arena::nextPiece(P.Start + 1))
      All.push_back({P.Start, P.Bytes, onDevice(P.Start), {}, {}, {}});
    std::string Names = setting("GPU_VARIABLES");
    for (size_t At = 0, End; At < Names.size(); At = End + 1) {
      End = std::min(Names.find(',', At), Names.size());
      std::string Name = Names.substr(At, End - At);
      auto [There, Bytes] = Driver.variable(Name.c_str());
      if (char *Here = static_cast<char *>(dlsym(RTLD_DEFAULT, Name.c_str())); Here && There)
        All.push_back({Here, Bytes, There, {}, {}, {}});
    }
    return All;
  }

  void send(Copy &C) const {
    C.Before.assign(C.Host, C.Host + C.Bytes);
    C.Sent = C.Before;
    translate(C.Sent.data(), C.Bytes);
    Driver.send(C.Device, C.Sent.data(), C.Bytes);
  }

  /// What the device has not changed is as before on the host: pointers are.
  void fetch(Copy &C) const {
    C.Got.resize(C.Bytes);
    Driver.fetch(C.Got.data(), C.Device, C.Bytes);
    for (size_t I = 0; I < C.Bytes; I += 8) {
      size_t Word = std::min<size_t>(8, C.Bytes - I);
      if (!std::memcmp(&C.Got[I], &C.Sent[I], Word))
        std::memcpy(&C.Got[I], &C.Before[I], Word);
    }
  }
};

Machine &machine() {
  static Machine Only;
  return Only;
}

/// The arguments of a launch as the device gets them. What lies neither in the program's memory nor
/// on the device, such as local variables, lies there while this exists.
class Parcel {
public:
  Parcel(const std::vector<Argument> &Arguments) {
    for (const Argument &A : Arguments) {
      Values.emplace_back(static_cast<const char *>(A.Place),
                          static_cast<const char *>(A.Place) + A.Bytes);
      char *P = nullptr;
      if (A.IsPointer)
        std::memcpy(&P, A.Place, sizeof P);
      Borrowed.push_back({P, nullptr, A.ElementSize});
      if (!P || arena::contains(P))
        continue;
      Borrowed.back().Inside.reset(arena::take(A.ElementSize));
      std::memcpy(Borrowed.back().Inside.get(), P, A.ElementSize);
    }
  }
  /// \p Number, in the memory that is copied.
  char *pointer(size_t Number) const {
    return Borrowed[Number].Inside ? Borrowed[Number].Inside.get() : Borrowed[Number].Own;
  }
  void **values(const Machine &M) {
    Places.clear();
    for (size_t I = 0; I < Values.size(); ++I) {
      if (char *P = pointer(I))
        std::memcpy(Values[I].data(), &P, sizeof P);
      M.translate(Values[I].data(), Values[I].size());
      Places.push_back(Values[I].data());
    }
    return Places.data();
  }
  void bringBack() const {
    for (const Loan &L : Borrowed)
      if (L.Inside)
        std::memcpy(L.Own, L.Inside.get(), L.Bytes);
  }

private:
  struct Loan {
    char *Own;
    std::unique_ptr<char[]> Inside;
    size_t Bytes;
  };
  std::vector<Loan> Borrowed;
  std::vector<std::vector<char>> Values;
  std::vector<void *> Places;
};

const Copy *copyAround(const std::vector<Copy> &All, const char *P) {
  for (const Copy &C : All)
    if (P >= C.Host && P < C.Host + C.Bytes)
      return &C;
  return nullptr;
}

/// A tape that was too small: shadows hold parts of sums, each time others.
bool isIncomplete(const std::vector<Copy> &All) {
  for (const Copy &C : All)
    if (C.Host == dlsym(RTLD_DEFAULT, "isozyme_tape")) {
      uint64_t Words[3];
      std::memcpy(Words, C.Got.data(), sizeof Words);
      return Words[2] > Words[1];
    }
  return false;
}

/// The numbers that the device has left behind \p Got, and the emulator behind \p Wanted.
template <class T>
double difference(const char *Kernel, size_t Argument, const char *Got, const char *Wanted,
                  size_t Bytes, double Most) {
  double Scale = 1, Largest = 0;
  auto number = [](const char *P, size_t I) {
    T V;
    std::memcpy(&V, P + I * sizeof(T), sizeof V);
    return double(V);
  };
  for (size_t I = 0; I < Bytes / sizeof(T); ++I)
    if (std::isfinite(number(Wanted, I)))
      Scale = std::max(Scale, std::abs(number(Wanted, I)));
  for (size_t I = 0; I < Bytes / sizeof(T); ++I) {
    double G = number(Got, I), W = number(Wanted, I);
    if (G == W || (std::isnan(G) && std::isnan(W)))
      continue;
    double Apart = std::abs(G - W) / Scale;
    if (!(Apart <= Most)) {
      std::printf("%s: element %zu of argument %zu is %.12g on the device, %.12g in the emulator\n",
                  Kernel, I, Argument, G, W);
      std::fflush(stdout);
      std::_Exit(1);
    }
    Largest = std::max(Largest, Apart);
  }
  return Largest;
}

/// The shortest of several, in microseconds. What is not the first finds the variables as that one
/// did: a tape is empty.
void measure(const Machine &M, const char *Kernel, Size Grid, Size Block, std::vector<Copy> &All,
             void **Values) {
  float Least = 0;
  for (int I = 0; I < 23; ++I) {
    for (Copy &C : All)
      if (!arena::contains(C.Host))
        M.Driver.send(C.Device, C.Sent.data(), C.Bytes);
    float Time = M.Driver.run(Kernel, Grid, Block, gpu::bytesOfLaunch, Values);
    Least = I <= 3 ? Time : std::min(Least, Time);
  }
  for (Copy &C : All)
    if (!arena::contains(C.Host)) {
      M.fetch(C);
      std::memcpy(C.Host, C.Got.data(), C.Bytes);
    }
  std::printf("time %s %.3f\n", Kernel, 1000 * Least);
}
} // namespace

namespace gpu {
void launchOnDevice(const void *Kernel, Size Grid, Size Block,
                    const std::vector<Argument> &Arguments, const std::function<void()> &Emulate) {
  Dl_info Known;
  if (!dladdr(Kernel, &Known) || !Known.dli_sname)
    fail("a kernel without a name");
  arena::Outside NoneOfOurs;
  Parcel Given(Arguments);
  Machine &M = machine();
  if (size_t Needed = arena::end() - arena::begin(); Needed > M.MemoryBytes) {
    if (M.Memory)
      M.Driver.release(M.Memory);
    M.Memory = M.Driver.allocate(Needed);
    M.MemoryBytes = Needed;
  }
  std::vector<Copy> All = M.copies();
  for (Copy &C : All)
    M.send(C);
  if (IsMeasured)
    return measure(M, Known.dli_sname, Grid, Block, All, Given.values(M));
  M.Driver.run(Known.dli_sname, Grid, Block, bytesOfLaunch, Given.values(M));
  for (Copy &C : All) {
    M.fetch(C);
    if (!arena::contains(C.Host)) // A driver of the tests has left its result there.
      std::memcpy(C.Host, C.Before.data(), C.Bytes);
  }
  Emulate();
  ++M.Launches;
  const bool IsComparable = !isIncomplete(All);
  for (size_t I = 0; I < Arguments.size() && IsComparable; ++I) {
    const char *P = Given.pointer(I);
    const Copy *C = copyAround(All, P);
    if (!C || !Arguments[I].IsWritten || !Arguments[I].Element)
      continue;
    // A local variable is where the program has it.
    const char *Emulated = P;
    std::memcpy(&Emulated, Arguments[I].Place, sizeof Emulated);
    const char *Got = C->Got.data() + (P - C->Host);
    size_t Bytes = Emulated == P ? C->Bytes - (P - C->Host) : Arguments[I].ElementSize;
    M.Largest = std::max(M.Largest,
                         Arguments[I].Element == 'f'
                             ? difference<float>(Known.dli_sname, I, Got, Emulated, Bytes, 1e-4)
                             : difference<double>(Known.dli_sname, I, Got, Emulated, Bytes, 1e-9));
  }
  for (Copy &C : All) // Others use memory that no kernel has changed.
    if (std::memcmp(C.Host, C.Got.data(), C.Bytes))
      std::memcpy(C.Host, C.Got.data(), C.Bytes);
  Given.bringBack();
}
} // namespace gpu
