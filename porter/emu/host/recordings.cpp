// What the waves of launches did, as files for the model of time: porter/perf/model/recorded.py reads them.
//
// A file has a magic number, the length of a line of JSON, the line, and the waves: four numbers (workgroup, number of
// the wave, number of its words, 0), then the words of record.h. The instructions' texts and places are in a file of
// their own for each program.
#include <unistd.h>

#include <algorithm>

#include "host.h"

namespace host {

namespace {

constexpr u64 MAGIC = 0x31454d4954545250ull;  // "PRTTIME1"
constexpr u64 MOST_GROUPS = 4096;             // of a launch
constexpr u64 BESIDE = 4;                    // workgroups of another die
constexpr size_t MOST_LAUNCHES = 256;         // kernels and sizes of a process, or of a call that porter predicts

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

// A line of JSON for each instruction: text, file, line. Written once for each program.
std::string program_of(const Image *image) {
  static std::map<const Image *, std::string> &known = *new std::map<const Image *, std::string>;
  const auto found = known.find(image);
  if (found != known.end()) return found->second;
  const std::string name = "program-" + std::to_string(getpid()) + "-" + std::to_string(known.size()) + ".jsonl";
  if (FILE *file = fopen(path_of(name).c_str(), "w")) {
    for (u32 i = 0; i < image->ins_count; i++) {
      SourcePlace p;
      image_place(image, i, &p);
      fprintf(file, "[\"%s\", \"%s\", %u]\n", escaped(p.text).c_str(), escaped(p.file).c_str(), p.line);
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

// Launches of one kernel and size are alike until porter_record_anew.
std::set<std::string> &recorded() {
  static std::set<std::string> &seen = *new std::set<std::string>;
  return seen;
}

}  // namespace

extern "C" void porter_record_anew() { recorded().clear(); }

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
  std::string key = call.function->name;
  for (const u32 n : {o.grid[0], o.grid[1], o.grid[2], o.block[0], o.block[1], o.block[2], o.dynamic_lds})
    key += "," + std::to_string(n);
  const bool wanted = recorded().size() < MOST_LAUNCHES && recorded().insert(key).second;
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

std::string end_recording(const Image *image, const KernelCall &call, const LaunchOptions &o, Recording *r) {
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
