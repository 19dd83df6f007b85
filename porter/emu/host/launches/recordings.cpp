// What the waves of launches did, as files for the model of time: porter/perf/model/recorded.py reads them.
//
// A file has a magic number, the length of a line of JSON, the line, and the waves: four numbers (workgroup, number of
// the wave, number of its words, 0), then the words of record.h. The instructions' texts and places are in a file of
// their own for each program.
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "host.h"

namespace host {

namespace {

constexpr u64 MAGIC = 0x31454d4954545250ull;  // "PRTTIME1"
constexpr u64 MOST_GROUPS = 4096;             // of a launch
constexpr u64 BESIDE = 4;                    // workgroups of another die
constexpr size_t MOST_LAUNCHES = 256;         // that are written, of a process or of a call that porter predicts
constexpr size_t MOST_OF_A_SIZE = 8;          // ... of one kernel and size
constexpr u32 MOST_TRIES = 16;                // recordings of a kernel and size, with those that are like one that is written

void put(FILE *file, const void *bytes, size_t size) { fwrite(bytes, 1, size, file); }

std::string escaped(const char *text) {
  std::string out;
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') out += '\\';
    out += (unsigned char)*text < 32 ? ' ' : *text;
  }
  return out;
}

std::string path_of(const std::string &name) { return options().recordings + "/" + name; }

// A line of JSON for each instruction: text, file, line, and where in a library's header. Written once for each program.
std::string program_of(const Image *image) {
  static std::map<const Image *, std::string> &known = *new std::map<const Image *, std::string>;
  const auto found = known.find(image);
  if (found != known.end()) return found->second;
  const std::string name = "program-" + std::to_string(getpid()) + "-" + std::to_string(known.size()) + ".jsonl";
  if (FILE *file = fopen(path_of(name).c_str(), "w")) {
    for (u32 i = 0; i < image->ins_count; i++) {
      SourcePlace p;
      image_place(image, i, &p);
      fprintf(file, "[\"%s\", \"%s\", %u, \"%s\", %u]\n", escaped(p.text).c_str(), escaped(p.file).c_str(), p.line,
              escaped(p.inner_file).c_str(), p.inner_line);
    }
    fclose(file);
  }
  return known[image] = name;
}

u64 instructions_of(const RecordedWave &w) {
  u64 count = 0;
  for (u64 at = 0; at < w.length; at++) {
    const u64 word = w.words[at];
    if (!(word & RECORD_ACCESS)) count += word >> 32;
    else if ((word >> 60 & 3) == RECORD_GLOBAL) at += word >> 32 & 0xffff;  // its lines
  }
  return count;
}

// What the recorded workgroups executed, and the most that one of them did: how alike they are. `blocks`: of a cluster.
std::string work_of(const Recording &r, u32 blocks) {
  u64 all = 0, beside = 0, most = 0;
  for (u64 group = 0; group < r.count + r.beside; group++) {
    u64 own = 0;
    for (u64 i = 0; i < r.waves_a_group; i++) own += instructions_of(r.waves[group * r.waves_a_group + i]);
    (group < r.count ? all : beside) += own;
    if (own > most) most = own;
  }
  char text[300];
  snprintf(text, sizeof text,
           ", \"followed\": {\"groups\": %llu, \"instructions\": %llu, \"beside\": %llu, \"beside_instructions\": %llu, \"most\": %llu}",
           (unsigned long long)r.count, (unsigned long long)all, (unsigned long long)r.beside, (unsigned long long)beside,
           (unsigned long long)most);
  const auto add = [&](const char *name, u64 number) {
    snprintf(text + strlen(text) - 1, 40, ", \"%s\": %llu}", name, (unsigned long long)number);
  };
  if (r.alone && r.clusters) add("ran", r.runs);
  if (blocks > 1) add("cluster", blocks);
  return text;
}

// The launches of one kernel and size, by how many instructions they execute. Those that differ much are no stand-ins for one
// another: once one was seen, the next are recorded, and what is unlike all that is written is written too.
struct Size {
  std::vector<u64> written;  // what those executed that have a file
  std::vector<u64> missed;   // ... those that no file is like
  u32 tries = 0;
};

bool alike(u64 a, u64 b) { return 4 * std::max(a, b) <= 5 * std::min(a, b); }
bool like_any(u64 one, const std::vector<u64> &others) {
  return std::any_of(others.begin(), others.end(), [&](u64 other) { return alike(one, other); });
}

struct Sizes {
  std::mutex lock;
  std::map<std::string, Size> of;
  size_t written = 0;  // and those under way
};
Sizes &sizes() {
  static Sizes &all = *new Sizes;
  return all;
}

std::string key_of(const KernelCall &call, const LaunchOptions &o) {
  std::string key = call.function->name;
  for (const u32 n : {o.grid[0], o.grid[1], o.grid[2], o.block[0], o.block[1], o.block[2], o.dynamic_lds})
    key += "," + std::to_string(n);
  return key;
}

// Whether the next launch of a kernel and size is to be recorded: the first, and where one has none that is like it.
bool take(const std::string &key) {
  Sizes &all = sizes();
  const std::lock_guard<std::mutex> guard(all.lock);
  if (all.written >= MOST_LAUNCHES) return false;
  Size &own = all.of[key];
  if (own.tries && (own.missed.empty() || own.written.size() >= MOST_OF_A_SIZE || own.tries >= MOST_TRIES)) return false;
  own.tries++, all.written++;
  return true;
}

// Whether a recording is to be written: it is unlike those that are.
bool keep(const std::string &key, u64 instructions) {
  Sizes &all = sizes();
  const std::lock_guard<std::mutex> guard(all.lock);
  Size &own = all.of[key];
  if (like_any(instructions, own.written)) return all.written--, false;
  own.written.push_back(instructions);
  own.missed.erase(std::remove_if(own.missed.begin(), own.missed.end(), [&](u64 one) { return alike(one, instructions); }),
                   own.missed.end());
  return true;
}

void pass_over(const std::string &key, u64 instructions) {
  Sizes &all = sizes();
  const std::lock_guard<std::mutex> guard(all.lock);
  Size &own = all.of[key];
  if (own.missed.size() < MOST_TRIES && !own.written.empty() && !like_any(instructions, own.written) &&
      !like_any(instructions, own.missed))
    own.missed.push_back(instructions);
}

}  // namespace

extern "C" void porter_record_anew() {
  Sizes &all = sizes();
  const std::lock_guard<std::mutex> guard(all.lock);
  all.of.clear();
  all.written = 0;
}

extern "C" void porter_poison_of_outputs(u32 word) { poison_of_outputs = word; }

// The barriers of the clusters that the kernel's unit was told of (porter/cluster_launch.h), 64 bytes each, or none.
static const char *barriers_of_clusters(const Image *image, u64 groups) {
  u64 bytes = 0;
  const u64 place = image_symbol(image, "_ZN6porter6detailL16launched_clusterE", &bytes);
  u64 words[2] = {0, 0};  // where the barriers are, and what the blocks have
  if (!place || place >= CODE_APERTURE || bytes < sizeof words) return nullptr;
  memcpy(words, (const void *)place, sizeof words);
  const char *barriers = (const char *)words[0];
  return find_allocation(barriers) && fits(barriers, 64 * groups) ? barriers : nullptr;
}

// The workgroups of the largest cluster that is gone: a barrier counts those of its cluster that are.
static u32 blocks_that_left(const Image *image, u64 groups) {
  const char *barriers = barriers_of_clusters(image, groups);
  u32 most = 0;
  for (u64 i = 0; barriers && i < groups; i++) {
    u64 word;
    memcpy(&word, barriers + 64 * i, sizeof word);
    most = std::max(most, (u32)(word >> 16 & 0xffff));
  }
  return most;
}

static u64 groups_of(const LaunchOptions &o) { return (u64)o.grid[0] * o.grid[1] * o.grid[2]; }

Records begin_recording(const Image *image, const KernelCall &call, const LaunchOptions &o, Recording *out) {
  if (options().recordings.empty()) return Records::nothing;
  const bool wanted = take(key_of(call, o));
  *out = Recording{};
  out->stride = options().recorded_dies;
  out->count = MOST_GROUPS;
  out->beside = BESIDE;
  // All of a grid that waits for all of it runs, and of the runtime's own kernels, which prepare the next one.
  out->alone = options().recorded_alone && !call.cooperative && call.function->name.rfind("_ZN6porter6detail", 0) != 0;
  if (!wanted && !out->alone) return Records::nothing;
  out->most_words = options().recorded_words;
  // Nobody left their barriers yet: they are this launch's. How many blocks a cluster has is known when all have.
  const u64 groups = groups_of(o);
  out->clusters = barriers_of_clusters(image, groups) && !blocks_that_left(image, groups);
  if (out->alone && out->clusters) out->count = MOST_GROUPS / out->stride;  // so many run for each
  return wanted ? Records::written : Records::unwritten;
}

void pass_over_launch(const KernelCall &call, const LaunchOptions &o, u64 instructions) {
  if (!options().recordings.empty()) pass_over(key_of(call, o), instructions);
}

std::string end_recording(const Image *image, const KernelCall &call, const LaunchOptions &o, Recording *r, u64 instructions) {
  if (!keep(key_of(call, o), instructions)) {
    recording_free(r);
    return "";
  }
  static int number = 0;
  const Kernel &k = image->kernels[image_find_kernel(image, call.function->name.c_str())];
  const std::string name = "launch-" + std::to_string(getpid()) + "-" + std::to_string(number++) + ".bin";
  char line[2048];
  const int length = snprintf(
      line, sizeof line,
      "{\"symbol\": \"%s\", \"program\": \"%s\", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"lds\": %u, "
      "\"vgprs\": %u, \"agprs\": %u, \"entry\": %u, \"groups\": %llu, \"beside\": %llu, \"waves_a_group\": %u, \"stride\": %llu}",
      call.function->name.substr(0, 1000).c_str(), program_of(image).c_str(), o.grid[0], o.grid[1], o.grid[2], o.block[0],
      o.block[1], o.block[2], k.lds + o.dynamic_lds, k.vgprs, k.agprs, k.entry, (unsigned long long)r->count,
      (unsigned long long)r->beside, r->waves_a_group, (unsigned long long)r->stride);
  FILE *file = fopen(path_of(name).c_str(), "wb");
  if (!file) {
    fprintf(stderr, "porter: %s cannot be written\n", path_of(name).c_str());
    recording_free(r);
    return "";
  }
  const u64 head[2] = {MAGIC, (u64)length};
  put(file, head, sizeof head);
  put(file, line, (size_t)length);
  for (u64 i = 0; i < (r->count + r->beside) * r->waves_a_group; i++) {
    const RecordedWave &w = r->waves[i];
    const u64 about[4] = {w.group, w.number, w.length, 0};
    put(file, about, sizeof about);
    put(file, w.words, w.length * sizeof *w.words);
  }
  const std::string work = work_of(*r, r->clusters ? blocks_that_left(image, groups_of(o)) : 1);
  const bool written = !ferror(file) & !fclose(file);
  recording_free(r);
  if (!written) fprintf(stderr, "porter: %s cannot be written\n", path_of(name).c_str());
  return written ? ", \"recording\": \"" + name + "\"" + work : "";
}

}  // namespace host
