// What code of AMD's device library asks the host: printf and assert of code objects. A wave takes a packet off one stack,
// fills it, puts it onto another and sends an interrupt; then it waits until the packet's flag is down. The layout is that
// of ROCm's runtime (hostcall, printf's messages).
#include <sys/mman.h>

#include <algorithm>
#include <string>

#include "host.h"

namespace host {

namespace {

constexpr u32 PACKETS = 1u << 9;  // a power of two; a wave that finds none waits for one

struct Header { u64 next, lanes; u32 service; std::atomic<u32> control; };  // bit 0 of control: not served yet
struct Payload { u64 slots[WAVE][8]; };
struct Signal { u64 kind, value, mailbox; u32 event, unused; u64 more[4]; };  // of HSA; who rings it writes the mailbox

struct alignas(4096) Buffer {
  Header *headers;
  Payload *payloads;
  Signal *doorbell;
  std::atomic<u64> free, ready;  // the packet on top: its number, and a tag above it
  u64 mask;
  alignas(64) Signal signal;
  u64 mailbox;
  Header all_headers[PACKETS];
  alignas(64) Payload all_payloads[PACKETS];
};

enum { SERVICE_FUNCTION = 1, SERVICE_PRINTF = 2 };
enum { BEGINS = 1, ENDS = 2, LENGTH_AT = 5, NUMBER_AT = 8 };  // a message's first word

struct State {
  std::mutex lock;
  Buffer *buffer = nullptr;
  std::map<u64, std::vector<u64>> messages;
  u64 numbers = 0;
};

State &state() {
  static State &all = *new State;
  return all;
}

// ---- printf ---------------------------------------------------------------------------------------------------------

struct Words {
  const u64 *at, *end;
  u64 take() { return at < end ? *at++ : 0; }
  std::string text() {  // up to its 0, and to the end of its last word
    const char *first = (const char *)at;
    const size_t size = strnlen(first, (size_t)(end - at) * 8);
    at = std::min(end, at + size / 8 + 1);
    return std::string(first, size);
  }
};

template <class... A>
void add(std::string *out, const std::string &format, A... values) {
  const int size = snprintf(nullptr, 0, format.c_str(), values...);
  if (size <= 0) return;
  const size_t before = out->size();
  out->resize(before + (size_t)size + 1);
  snprintf(&(*out)[before], (size_t)size + 1, format.c_str(), values...);
  out->resize(before + (size_t)size);
}

template <class... A>
void convert(std::string *out, const std::string &format, Words *words, A... stars) {
  switch (format.back()) {
    case 's': add(out, format, stars..., words->text().c_str()); break;
    case 'n': words->take(); break;
    case 'p': add(out, format, stars..., (void *)words->take()); break;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': {
      double value;
      const u64 bits = words->take();
      memcpy(&value, &bits, sizeof value);
      add(out, format, stars..., value);
      break;
    }
    default: add(out, format, stars..., words->take());
  }
}

// The message's words: 1 for stderr, the format, and the values, of which texts lie in their place.
u64 print(const std::vector<u64> &message) {
  Words words{message.data(), message.data() + message.size()};
  const u64 control = words.take();
  if (control > 1) return ~0ull;
  const std::string format = words.text();
  std::string out;
  for (size_t at = 0; at < format.size();) {
    const size_t percent = std::min(format.find('%', at), format.size());
    out.append(format, at, percent - at);
    if (percent == format.size()) break;
    if (format.compare(percent, 2, "%%") == 0) {
      out += '%';
      at = percent + 2;
      continue;
    }
    const size_t last = format.find_first_of("diouxXaAeEfFgGcspn", percent);
    if (words.at == words.end || last == std::string::npos) break;
    const std::string one = format.substr(percent, last + 1 - percent);
    const auto stars = std::count(one.begin(), one.end(), '*');
    if (stars == 0) convert(&out, one, &words);
    const int first = stars ? (int)words.take() : 0, second = stars > 1 ? (int)words.take() : 0;
    if (stars == 1) convert(&out, one, &words, first);
    if (stars == 2) convert(&out, one, &words, first, second);
    at = last + 1;
  }
  fwrite(out.data(), 1, out.size(), control ? stderr : stdout);
  return out.size();
}

// A lane's part of its message; the number that the message gets comes back with the first one.
void receive(u64 *slot) {
  State &s = state();
  if (slot[0] & BEGINS) slot[0] = (slot[0] & ((1ull << NUMBER_AT) - 1) & ~(u64)BEGINS) | ++s.numbers << NUMBER_AT;
  const u64 number = slot[0] >> NUMBER_AT, length = slot[0] >> LENGTH_AT & 7;
  std::vector<u64> &message = s.messages[number];
  message.insert(message.end(), slot + 1, slot + 1 + length);
  if (!(slot[0] & ENDS)) return;
  slot[0] = print(message);
  s.messages.erase(number);
}

void call(u64 *slot) {
  u64 results[2] = {};
  ((void (*)(u64 *, const u64 *))slot[0])(results, slot + 1);
  memcpy(slot, results, sizeof results);
}

void serve() {
  const std::lock_guard guard(state().lock);
  Buffer *b = state().buffer;
  for (u64 packet = b ? b->ready.exchange(0) : 0; packet;) {
    Header &header = b->headers[packet & b->mask];
    packet = header.next;  // it is the wave's again once the flag is down
    Payload &payload = b->payloads[&header - b->headers];
    for (u64 lanes = header.lanes; lanes; lanes &= lanes - 1) {
      u64 *slot = payload.slots[__builtin_ctzll(lanes)];
      if (header.service == SERVICE_PRINTF) receive(slot);
      else if (header.service == SERVICE_FUNCTION) call(slot);
      else fprintf(stderr, "porter: a kernel asks for service %u of ROCm's runtime, which is not here\n", header.service);
    }
    header.control.fetch_and(~1u);
  }
}

Buffer *buffer() {
  State &s = state();
  const std::lock_guard guard(s.lock);
  if (s.buffer) return s.buffer;
  Buffer *b = (Buffer *)mmap(nullptr, sizeof *b, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (b == MAP_FAILED) return nullptr;  // the kernel's access says so
  b->headers = b->all_headers, b->payloads = b->all_payloads, b->doorbell = &b->signal;
  b->signal.mailbox = (u64)&b->mailbox;
  b->signal.event = 1;
  b->mask = PACKETS - 1;
  // 0 ends a stack, so the first packet has a tag.
  for (u32 i = 1; i < PACKETS; i++) b->headers[i].next = i == 1 ? PACKETS : i - 1;
  b->free = PACKETS - 1;
  memory_add((u64)b, sizeof *b, MEMORY_ELSEWHERE);
  device_mailbox = {serve, (u64)b, sizeof *b};
  return s.buffer = b;
}

}  // namespace

void give_hostcall_buffer(const Located &at, u8 *segment) {
  for (u32 i = 0; i < at.kernel->arg_count; i++) {
    const Argument &a = at.image->args[at.kernel->first_arg + i];
    if (a.kind != HIDDEN_HOSTCALL_BUFFER) continue;
    Buffer *b = buffer();
    memcpy(segment + a.offset, &b, sizeof b);
  }
}

}  // namespace host
