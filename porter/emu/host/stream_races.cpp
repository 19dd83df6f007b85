// Races between operations of streams (--check streams): two that use the same bytes, one writes them, and nothing orders
// them. What orders two operations: their stream, an event that one waits for, the default stream, and a wait of the
// host for the first one before it asks for the second. So a race is found whatever order the two ran in.
//
// A clock says of each stream up to which of its operations all are ordered before. All threads of the program are taken
// for one: what one of them has waited for, the others know. Operations that talk by atomics or by loads that wait for a
// value race with nobody who was done by then: what they heard is not followed further.
#include <algorithm>

#include "host.h"

extern "C" {
#include "check_streams.h"
}

namespace host {

namespace {

constexpr size_t MOST_STEPS = 256;    // operations that are looked back at
constexpr u64 MOST_PAGES = 1u << 19;  // of theirs: half a gigabyte of what is known of them

using Clock = std::unordered_map<const void *, u64>;

struct Asked {  // an operation, from when it was asked for
  const void *line = nullptr;
  Clock before;
};

struct Step {  // one that is done
  u64 ticket = 0, finished = 0, known_at = 0;  // known_at: the last ticket when the host had waited for it
  const void *line = nullptr;
  std::string name;
  const Image *image = nullptr;  // of a kernel
  Touched *touched = nullptr;

  ~Step() { touched_free(touched); }
};

struct Heard { const void *line; u64 ticket, finished; };  // a wait for a value

struct State {
  std::mutex lock;
  std::map<u64, Asked> asked;  // by ticket
  std::set<u64> pending;
  Clock host;
  std::vector<std::unique_ptr<Step>> steps;
  std::vector<Heard> heard;
  std::set<std::string> said;
  u64 last = 0, finished = 0;
  bool forgot = false;
};

State &state() {
  static State &all = *new State;
  return all;
}

thread_local Step *running = nullptr;

bool wanted() { return options().checks & CHECK_STREAMS; }

void join(Clock &to, const Clock &from) {
  for (const auto &[line, ticket] : from) {
    u64 &known = to[line];
    known = std::max(known, ticket);
  }
}

// What comes before an operation, and itself
void learn(Clock &clock, u64 ticket, const Asked &asked) {
  join(clock, asked.before);
  u64 &known = clock[asked.line];
  known = std::max(known, ticket);
}

bool knows(const Clock &clock, const void *line, u64 ticket) {
  const auto found = clock.find(line);
  return found != clock.end() && found->second >= ticket;
}

bool ordered(const State &s, const Step &a, const Step &b) {
  const Clock &before_a = s.asked.at(a.ticket).before, &before_b = s.asked.at(b.ticket).before;
  if (knows(before_b, a.line, a.ticket) || knows(before_a, b.line, b.ticket)) return true;
  const Step &first = a.finished < b.finished ? a : b, &second = &first == &a ? b : a;
  const Clock &before = &second == &a ? before_a : before_b;
  return std::any_of(s.heard.begin(), s.heard.end(), [&](const Heard &h) {
    return h.finished > first.finished && (h.ticket == second.ticket || knows(before, h.line, h.ticket));
  });
}

std::string use(const Step &step, u32 ins, bool writes) {
  std::string out = "    " + step.name + (writes ? " writes" : " reads");
  return step.image && ins ? out + ", at " + source_text(step.image, ins - 1) + "\n" : out + "\n";
}

void tell(State &s, const Step &a, const Step &b, const StreamRace &race) {
  const std::string first = use(a, race.ins_a, race.a_writes), second = use(b, race.ins_b, race.b_writes);
  if (!s.said.insert(std::min(first, second) + std::max(first, second)).second) return;
  report_stream_race(first + second, race.address, race.size, b.image, race.ins_b, a.image, race.ins_a);
}

// What nothing can race with any more: the host waited for it before all that is still to be done was asked for.
void forget_known(State &s) {
  const u64 oldest = s.pending.empty() ? ~0ull : *s.pending.begin();
  const auto past = [&](const auto &step) { return step->known_at && step->known_at < oldest; };
  s.steps.erase(std::remove_if(s.steps.begin(), s.steps.end(), past), s.steps.end());
  u64 pages = 0;
  for (const auto &step : s.steps) pages += step->touched->page_count;
  while (s.steps.size() > MOST_STEPS || (pages > MOST_PAGES && s.steps.size() > 1)) {
    if (!s.forgot) fprintf(stderr, "porter: streams forgets the oldest of %zu operations that the host did not wait for\n", s.steps.size());
    s.forgot = true;
    pages -= s.steps.front()->touched->page_count;
    s.steps.erase(s.steps.begin());
  }
}

// What says no more of how the operations that are kept, or are still to be done, are ordered: a wait for a value that was
// over before the first of them was, and what comes before an operation that is older than all of them.
void forget_order(State &s) {
  u64 oldest = s.pending.empty() ? ~0ull : *s.pending.begin(), finished = ~0ull;
  for (const auto &step : s.steps) {
    oldest = std::min(oldest, step->ticket);
    finished = std::min(finished, step->finished);
  }
  const auto over = [&](const Heard &h) { return h.finished < finished; };
  s.heard.erase(std::remove_if(s.heard.begin(), s.heard.end(), over), s.heard.end());
  for (const Heard &h : s.heard) oldest = std::min(oldest, h.ticket);
  s.asked.erase(s.asked.begin(), s.asked.lower_bound(oldest));
}

}  // namespace

std::string operation_name(const Work &work, const ihipStream_t &stream) {
  if (!wanted()) return "";
  std::string name = "an operation";
  if (work.type == hipGraphNodeTypeKernel) name = "kernel " + kernel_name(work.kernel.function->name);
  if (work.type == hipGraphNodeTypeMemcpy) name = "a copy";
  if (work.type == hipGraphNodeTypeMemset) name = "a fill";
  if (work.type == hipGraphNodeTypeHost) name = "a function of the host";
  if (work.type == hipGraphNodeTypeGraph) name = "a graph";
  const std::string device = device_count() > 1 ? " of device " + std::to_string(stream.device) : "";
  return name + (stream.id ? " on stream " + std::to_string(stream.id) : std::string(" on the default stream")) + device;
}

void stream_asked(u64 ticket, const void *line, const std::vector<u64> &after) {
  if (!wanted()) return;
  State &s = state();
  const std::lock_guard guard(s.lock);
  Asked own{line, s.host};
  for (const u64 before : after) {
    const auto found = s.asked.find(before);
    if (found != s.asked.end()) learn(own.before, before, found->second);
  }
  s.asked.emplace(ticket, std::move(own));
  s.pending.insert(ticket);
  s.last = std::max(s.last, ticket);
}

void stream_known(const std::vector<u64> &tickets) {
  if (!wanted()) return;
  State &s = state();
  const std::lock_guard guard(s.lock);
  for (const u64 ticket : tickets) {
    const auto found = s.asked.find(ticket);
    if (found != s.asked.end()) learn(s.host, ticket, found->second);
  }
  for (const auto &step : s.steps)
    if (!step->known_at && knows(s.host, step->line, step->ticket)) step->known_at = s.last;
}

void stream_begins(u64 ticket, const void *line, const std::string &name) {
  if (!wanted()) return;
  running = new Step;
  running->ticket = ticket, running->line = line, running->name = name;
  running->touched = touched_new();
}

Touched *stream_touched(const Image *image) {
  if (running && image) running->image = image;
  return running ? running->touched : nullptr;
}

void stream_touches(const void *address, u64 size, bool writes) {
  if (running && size) touched_range(running->touched, (u64)address, size, writes);
}

void stream_ends(bool waited) {
  if (!running) return;
  std::unique_ptr<Step> own(running);
  running = nullptr;
  State &s = state();
  const std::lock_guard guard(s.lock);
  own->finished = ++s.finished;
  if (knows(s.host, own->line, own->ticket)) own->known_at = s.last;
  if (waited || own->touched->heard) s.heard.push_back({own->line, own->ticket, own->finished});
  if (own->touched->full)
    fprintf(stderr, "porter: streams looks at the first pages that %s touches; it touches more\n", own->name.c_str());
  for (const auto &other : s.steps) {
    StreamRace race;
    if (!ordered(s, *other, *own) && touched_race(other->touched, own->touched, &race)) tell(s, *other, *own, race);
  }
  s.pending.erase(own->ticket);
  if (own->touched->page_count) s.steps.push_back(std::move(own));
  forget_known(s);
  forget_order(s);
}

void stream_forgets(u64 start, u64 size) {
  if (!wanted()) return;
  State &s = state();
  const std::lock_guard guard(s.lock);
  for (const auto &step : s.steps) touched_forget(step->touched, start, size);
}

}  // namespace host
