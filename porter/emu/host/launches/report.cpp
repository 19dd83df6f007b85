// What is said about a launch: a message where something was found, and a line of JSON for porter run.
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "host.h"

namespace host {

namespace {

struct Row { const char *name, *text; bool stops; About about; hipError_t error; const char *fix; bool harmless; };
// By FaultKind
const Row ROWS[] = {
    {"none", "nothing", true, ABOUT_NOTHING, hipErrorLaunchFailure, "", false},
#define ROW(KIND, ...) {__VA_ARGS__},
    FINDINGS(ROW)
#undef ROW
};

Row row(u32 kind) {
  return kind < sizeof ROWS / sizeof *ROWS
             ? ROWS[kind]
             : Row{"other", "a finding that this version has no words for", true, ABOUT_NOTHING, hipErrorLaunchFailure, "", false};
}

bool in_global_memory(const Finding &f) {
  const About about = row(f.kind).about;
  return about == ABOUT_MEMORY || (about == ABOUT_ANY && f.address > UINT32_MAX);  // else the number of a register
}
// The finding that stopped a kernel, and not one of those after which it went on
u32 stopping(const Result &r) {
  for (u32 i = r.finding_count; i-- > 0;)
    if (row(r.findings[i].kind).stops) return i;
  return r.finding_count - 1;
}

std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if ((unsigned char)c < 32) {
      char code[8];
      snprintf(code, sizeof code, "\\u%04x", c);
      out += code;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string format(const char *form, ...) __attribute__((format(printf, 1, 2)));
std::string format(const char *form, ...) {
  va_list arguments;
  va_start(arguments, form);
  char *text = nullptr;
  const int length = vasprintf(&text, form, arguments);
  va_end(arguments);
  const std::string out = length < 0 ? "" : text;
  if (length >= 0) free(text);
  return out;
}

SourcePlace source_place(const Image *image, u32 index) {
  SourcePlace place;
  image_place(image, index, &place);
  return place;
}

// The source line, where in an inlined header, and the instruction
std::string place(const Image *image, u32 index) {
  const SourcePlace p = source_place(image, index);
  std::string out = p.line ? std::string(p.file) + format(p.column ? ":%u:%u" : ":%u", p.line, p.column) : "a place without line information";
  if (p.inner_line) {
    const char *slash = strrchr(p.inner_file, '/');
    out += std::string(" (in ") + (slash ? slash + 1 : p.inner_file) + format(":%u)", p.inner_line);
  }
  return out + "    " + p.text;
}

// The same as members of a JSON object
std::string json_place(const SourcePlace &p) {
  std::string out = "\"file\": " + quoted(p.file) + format(", \"line\": %u, ", p.line);
  if (p.inner_line) out += "\"inlined\": {\"file\": " + quoted(p.inner_file) + format(", \"line\": %u}, ", p.inner_line);
  return out + "\"instruction\": " + quoted(p.text);
}

// Findings of one kind at one source line: the first of them, and the other places that they name.
struct AtLine {
  Finding first;
  std::vector<u32> others;
  u64 count;
  bool stopped;
};

bool same_line(const Image *image, u32 a, u32 b) {
  const SourcePlace p = source_place(image, a), q = source_place(image, b);
  return a == b || (p.line && p.line == q.line && !strcmp(p.file, q.file));
}

std::vector<AtLine> grouped(const Image *image, const Result &r) {
  std::vector<AtLine> groups;
  for (u32 i = 0; i < r.finding_count; i++) {
    const Finding &f = r.findings[i];
    const bool stopped = r.faulted && i == stopping(r);
    auto same = [&](const AtLine &g) { return g.first.kind == f.kind && same_line(image, g.first.ins, f.ins); };
    auto at = std::find_if(groups.begin(), groups.end(), same);
    if (at == groups.end() || stopped) at = groups.insert(groups.end(), {f, {}, 0, stopped});
    at->count += f.count;
    auto known = [&](u32 other) { return same_line(image, other, (u32)f.other); };
    if (f.other >= 0 && std::none_of(at->others.begin(), at->others.end(), known)) at->others.push_back((u32)f.other);
  }
  return groups;
}

std::string message(const Image *image, const KernelCall &call, const LaunchOptions &o, const AtLine &g) {
  const Finding &f = g.first;
  const Kernel &k = image->kernels[image_find_kernel(image, call.function->name.c_str())];
  std::string out = format("porter: kernel %s %s: %s\n", kernel_name(call.function->name).c_str(),
                           g.stopped ? "stopped" : row(f.kind).harmless ? "runs on, and" : "runs on, but", row(f.kind).text);
  out += "    at " + place(image, f.ins) + "\n";
  for (const u32 other : g.others) out += "   and " + place(image, other) + "\n";
  out += format("    workgroup (%u, %u, %u), wave %u", f.group[0], f.group[1], f.group[2], f.wave);
  if ((i32)f.lane >= 0) {
    const u32 t = f.wave * WAVE + f.lane;
    out += format(", lane %u: thread (%u, %u, %u)", f.lane, t % o.block[0], t / o.block[0] % o.block[1],
                  t / o.block[0] / o.block[1]);
  }
  out += "\n";
  if (f.kind == FAULT_BAD_FREE)
    out += format("    0x%llx: ", (unsigned long long)f.address) + describe_address(f.address) + "\n";
  else if (in_global_memory(f))
    out += format("    %u bytes at 0x%llx: ", f.size, (unsigned long long)f.address) + describe_address(f.address) + "\n";
  else if (row(f.kind).about == ABOUT_LDS)
    out += format("    %u bytes at offset %llu of LDS\n", f.size, (unsigned long long)f.address);
  else if (row(f.kind).about == ABOUT_STATES)
    out += format("    %u wait states too few: as many more independent instructions, or s_nop %u, between the two\n", f.size,
                  f.size - 1);
  if (f.kind == FAULT_NO_PEER_ACCESS) {
    const auto owner = find_allocation((void *)f.address);
    out += format("    the kernel runs on device %u; ", o.device);
    if (owner && owner->pool) out += "hipMemPoolSetAccess of the pool lets it\n";
    else if (owner && owner->where == Where::mapped) out += "hipMemSetAccess for that device lets it\n";
    else out += format("hipSetDevice(%u), then hipDeviceEnablePeerAccess(%d, 0) lets it\n", o.device, owner ? owner->device : 0);
  }
  if (in_global_memory(f) && f.address < 4096) out += heap_refusal();
  if (f.kind == FAULT_SCRATCH_BOUNDS && k.dynamic_stack)
    out += format("    the kernel recurses, or calls functions by pointer: a lane has %u bytes for all their frames\n", k.scratch);
  if (g.count > 1) out += format("    seen %llu times\n", (unsigned long long)g.count);
  if (*row(f.kind).fix) out += std::string("    ") + row(f.kind).fix + "\n";
  return out;
}

std::string json(const Image *image, const AtLine &g) {
  const Finding &f = g.first;
  std::string out = format("{\"kind\": \"%s\", ", row(f.kind).name);
  out += "\"text\": " + quoted(row(f.kind).text) + ", " + json_place(source_place(image, f.ins));
  out += format(", \"lane\": %d, \"wave\": %u, \"group\": [%u, %u, %u], ", (i32)f.lane, f.wave, f.group[0], f.group[1], f.group[2]);
  out += format("\"address\": \"0x%llx\", \"size\": %u, \"count\": %llu", (unsigned long long)f.address, f.size,
                (unsigned long long)g.count);
  out += std::string(", \"harmless\": ") + (row(f.kind).harmless ? "true" : "false");
  if (in_global_memory(f)) out += ", \"allocation\": " + quoted(describe_address(f.address));
  for (u32 i = 0; i < g.others.size(); i++)
    out += (i == 0 ? ", \"other\": {" : i == 1 ? ", \"others\": [{" : ", {") + json_place(source_place(image, g.others[i])) + "}";
  return out + (g.others.size() > 1 ? "]}" : "}");
}

// A row for each instruction that ran: text, file, line, how often, and what it did to memory
std::string rows(const Image *image, const Counts &counts) {
  std::string out;
  for (u32 i = 0; i < image->ins_count; i++) {
    if (!counts.executed[i]) continue;
    const SourcePlace p = source_place(image, i);
    const AccessCount &a = counts.accesses[i];
    out += (out.empty() ? "[" : ", [") + quoted(p.text) + ", " + quoted(p.file) + format(", %u", p.line);
    for (const u64 number : {counts.executed[i], a.times, a.lanes, a.bytes, a.lds_cycles, a.lds_ideal, a.lines, a.lines_ideal})
      out += format(", %llu", (unsigned long long)number);
    out += "]";
  }
  return out;
}

// Of those rows, by number, the ones that an inlined header's code stands for: the file and line there
std::string inlined_rows(const Image *image, const Counts &counts) {
  std::string out;
  for (u32 i = 0, row = 0; i < image->ins_count; i++) {
    if (!counts.executed[i]) continue;
    const SourcePlace p = source_place(image, i);
    if (p.inner_line) out += (out.empty() ? "" : ", ") + format("[%u, ", row) + quoted(p.inner_file) + format(", %u]", p.inner_line);
    row++;
  }
  return out;
}

void append(const std::string &line) {
  static const int file = open(options().report.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0 || write(file, line.data(), line.size()) != (ssize_t)line.size()) {
    static std::atomic<bool> said{false};
    if (!said.exchange(true)) fprintf(stderr, "porter: %s cannot be written\n", options().report.c_str());
  }
}

}  // namespace

void report_launch(const Image *image, const KernelCall &call, const LaunchOptions &o, const Result &r,
                   const Counts *counts, const std::string &recorded) {
  static std::set<std::pair<std::string, u64>> &said = *new std::set<std::pair<std::string, u64>>;
  const std::vector<AtLine> groups = grouped(image, r);
  for (const AtLine &g : groups) {
    // Copies of one line, as templates make them, are one place; without lines it is the instruction.
    const SourcePlace p = source_place(image, g.first.ins);
    const std::string where = p.line ? p.file : call.function->name;
    const bool fresh = said.insert({where, (u64)g.first.kind << 32 | (p.line ? p.line : g.first.ins)}).second;
    if (fresh || g.stopped) fputs(message(image, call, o, g).c_str(), stderr);
  }
  if (r.faulted && !r.finding_count)
    fprintf(stderr, "porter: kernel %s stopped\n", kernel_name(call.function->name).c_str());
  if (options().report.empty()) return;
  const Kernel &k = image->kernels[image_find_kernel(image, call.function->name.c_str())];
  std::string line = "{\"kernel\": " + quoted(demangled(call.function->name.c_str()));
  line += ", \"symbol\": " + quoted(call.function->name);
  line += format(", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], ", o.grid[0], o.grid[1], o.grid[2], o.block[0],
                 o.block[1], o.block[2]);
  line += format("\"lds\": %u, \"dynamic_lds\": %u, \"vgprs\": %u, \"agprs\": %u, \"sgprs\": %u, \"scratch\": %u, ", k.lds,
                 o.dynamic_lds, k.vgprs, k.agprs, k.sgprs, k.scratch);
  line += format("\"instructions\": %llu, \"seconds\": %.9f, \"faulted\": %s, \"findings\": [",
                 (unsigned long long)r.instructions, (double)r.seconds_ns * 1e-9, r.faulted ? "true" : "false");
  for (const AtLine &g : groups) line += (&g == groups.data() ? "" : ", ") + json(image, g);
  line += "]";
  if (counts) line += ", \"counts\": [" + rows(image, *counts) + "], \"inlined\": [" + inlined_rows(image, *counts) + "]";
  if (call.cooperative) line += ", \"cooperative\": true";
  if (o.device) line += format(", \"device\": %u", o.device);
  if (!call.ranges.empty()) {
    line += ", \"ranges\": [";
    for (const std::string &range : call.ranges) line += (&range == call.ranges.data() ? "" : ", ") + quoted(range);
    line += "]";
  }
  append(line + recorded + "}\n");
}

std::string source_text(const Image *image, u32 ins) { return place(image, ins); }

namespace {

SourcePlace used_at(const StreamUse &use) {
  if (use.image && use.ins) return source_place(use.image, use.ins - 1);
  return SourcePlace{use.file.c_str(), "", "", use.line, 0, 0};
}

}  // namespace

// Its line of JSON is that of a launch that ran nothing: the two may be copies, or kernels that were reported already.
void report_stream_race(const StreamUse &a, const StreamUse &b, u64 address, u64 size) {
  const Row kind = row(FAULT_STREAM_RACE);
  const bool of_host = a.host || b.host;
  const std::string text = of_host ? "the host uses memory of an operation that it has not waited for" : kind.text;
  const std::string fix = of_host ? "let the host wait first: hipStreamSynchronize, hipEventSynchronize, hipDeviceSynchronize" : kind.fix;
  const std::string uses = a.text + b.text, allocation = describe_address(address);
  std::string out = "porter: " + text + "\n" + uses;
  out += (size ? format("    %llu bytes at 0x%llx: ", (unsigned long long)size, (unsigned long long)address)
               : format("    at 0x%llx: ", (unsigned long long)address)) + allocation + "\n";
  out += "    " + fix + "\n";
  fputs(out.c_str(), stderr);
  if (options().report.empty()) return;
  const SourcePlace first = used_at(b), second = used_at(a);
  const bool swapped = !first.line && second.line;
  std::string line = "{\"kernel\": \"streams\", \"symbol\": \"\", \"grid\": [0, 0, 0], \"block\": [0, 0, 0], \"lds\": 0, "
                     "\"dynamic_lds\": 0, \"vgprs\": 0, \"agprs\": 0, \"sgprs\": 0, \"scratch\": 0, \"instructions\": 0, "
                     "\"seconds\": 0, \"faulted\": false, \"findings\": [{\"kind\": \"";
  line += std::string(kind.name) + "\", \"text\": " + quoted(text) + ", " + json_place(swapped ? second : first);
  line += format(", \"lane\": -1, \"wave\": 0, \"group\": [0, 0, 0], \"address\": \"0x%llx\", \"size\": %llu, \"count\": 1, ",
                 (unsigned long long)address, (unsigned long long)size);
  line += "\"harmless\": false, \"allocation\": " + quoted(allocation) + ", \"uses\": " + quoted(uses);
  if (!swapped && second.line) line += ", \"other\": {" + json_place(second) + "}";
  append(line + "}]}\n");
}

hipError_t fault_error(const Result &r) { return row(r.finding_count ? r.findings[stopping(r)].kind : 0).error; }

}  // namespace host
