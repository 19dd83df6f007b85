// Races between operations of streams (--check streams): two that use the same bytes, one writes them, and nothing orders
// them. What orders two operations: their stream, an event that one waits for, the default stream, and a wait of the
// host for the first one before it asks for the second. So a race is found whatever order the two ran in.
//
// A clock says of each stream up to which of its operations all are ordered before. All threads of the program are taken
// for one: what one of them has waited for, the others know. Operations that talk by atomics or by loads that wait for a
// value race with nobody who was done by then: what they heard is not followed further.
//
// The host's own reads and writes race with all that it asked for before and has not waited for. Kernels that use its memory
// by atomics or volatile accesses are left out: what the two tell each other by that is not seen.
#include <algorithm>

#include "memory/host_accesses.h"

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
  std::vector<HostPages> host_pages;

  ~Step() { touched_free(touched); }
};

struct Heard { const void *line; u64 ticket, finished; };  // a wait for a value

struct ToDo {  // an operation that is not done: what it may use of the host's memory, and what the host did there meanwhile
  std::vector<HostPages> may_use;
  std::vector<HostAccess> seen;
};

struct State {
  std::mutex lock;
  std::map<u64, Asked> asked;  // by ticket
  std::map<u64, ToDo> pending;
  Clock host;
  std::vector<std::unique_ptr<Step>> steps;
  std::vector<Heard> heard;
  std::set<std::string> said;
  u64 last = 0, finished = 0;
  unsigned running = 0;
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

StreamUse use(const Step &step, u32 ins, bool writes) {
  StreamUse out{"    " + step.name + (writes ? " writes" : " reads"), step.image, ins};
  out.text += step.image && ins ? ", at " + source_text(step.image, ins - 1) + "\n" : "\n";
  return out;
}

void tell(State &s, const Step &a, const Step &b, const StreamRace &race) {
  const StreamUse first = use(a, race.ins_a, race.a_writes), second = use(b, race.ins_b, race.b_writes);
  if (s.said.insert(std::min(first.text, second.text) + std::max(first.text, second.text)).second)
    report_stream_race(first, second, race.address, race.size);
}

// ---- the host itself -----------------------------------------------------------------------------------------------

struct Use { u64 address; bool writes; };

void add_use(void *to, const TouchedPage *page) {
  bool writes = false;
  for (const u64 word : page->written) writes = writes || word;
  if (const u64 first = touched_first(page)) ((std::vector<Use> *)to)->push_back({first, writes});
}

void add_signal(void *to, const TouchedPage *page) {
  if (page->signals) ((std::vector<Use> *)to)->push_back({((page->page - 1) << TOUCHED_BITS) + page->signals - 1, true});
}

// The pages of what an operation used that the host uses too; `each` finds the uses.
std::vector<HostPages> host_pages_of(const Touched *touched, void (*each)(void *, const TouchedPage *)) {
  std::vector<Use> uses;
  touched_pages(touched, each, &uses);
  std::sort(uses.begin(), uses.end(), [](const Use &a, const Use &b) { return a.address < b.address; });
  std::vector<HostPages> pages;
  u64 end = 0;  // of an allocation that the host does not use
  for (const Use &use : uses) {
    if (use.address < end) continue;
    const auto found = find_allocation((const void *)use.address);
    if (found && found->of_device()) end = found->end();
    else if (found) add_host_pages(pages, *found, use.address, 1, use.writes);
  }
  return pages;
}

std::vector<HostPages> host_pages(const Touched *touched) {
  const bool signals = touched->heard || !host_pages_of(touched, add_signal).empty();
  return signals ? std::vector<HostPages>() : host_pages_of(touched, add_use);
}

void meet_host(State &s, const Step &step, const HostAccess &access) {
  bool writes;
  u32 ins;
  if (!touched_at(step.touched, access.address, &writes, &ins) || !(writes || access.writes)) return;
  const StreamUse first = use(step, ins, writes);
  const HostPlace place = host_place(access);
  StreamUse second{access.writes ? "    the host writes" : "    the host reads", nullptr, 0, true, place.file, place.line};
  second.text += place.text.empty() ? "\n" : ", at " + place.text + "\n";
  if (s.said.insert(first.text + second.text).second) report_stream_race(first, second, access.address, 0);
}

// What the host did since it last called HIP, before anything changes in what it knows.
void hear_host(State &s) {
  for (const HostAccess &access : take_host_accesses()) {
    for (const auto &step : s.steps)
      if (!step->known_at && step->ticket <= access.last && !step->host_pages.empty()) meet_host(s, *step, access);
    for (auto &[ticket, to_do] : s.pending)
      if (ticket <= access.last) to_do.seen.push_back(access);
  }
}

void watch_host(const State &s) {
  if (s.running) return close_to_host({}, s.last);
  std::vector<HostPages> pages;
  for (const auto &step : s.steps)
    if (!step->known_at) pages.insert(pages.end(), step->host_pages.begin(), step->host_pages.end());
  for (const auto &[ticket, to_do] : s.pending) pages.insert(pages.end(), to_do.may_use.begin(), to_do.may_use.end());
  close_to_host(pages, s.last);
}

void add_part(std::vector<HostPages> &to, const void *pointer, u64 size, bool writes) {
  if (const auto found = find_allocation(pointer)) add_host_pages(to, *found, (u64)pointer, size, writes);
}

void add_allocation(std::vector<HostPages> &to, const void *pointer) {
  if (const auto found = find_allocation(pointer)) add_host_pages(to, *found, found->start, found->size, true);
}

// Pointers may be members of what is passed.
void add_arguments(std::vector<HostPages> &to, const std::vector<u8> &arguments) {
  for (size_t at = 0; at + sizeof(void *) <= arguments.size(); at += sizeof(void *)) {
    const void *pointer;
    memcpy(&pointer, &arguments[at], sizeof pointer);
    add_allocation(to, pointer);
  }
}

// The host has waited for these. A function of the host that ran tells the program as much, by whatever means.
void learn_all(State &s, const std::vector<u64> &tickets) {
  for (const u64 ticket : tickets) {
    const auto found = s.asked.find(ticket);
    if (found != s.asked.end()) learn(s.host, ticket, found->second);
  }
  for (const auto &step : s.steps)
    if (!step->known_at && knows(s.host, step->line, step->ticket)) step->known_at = s.last;
}

// What nothing can race with any more: the host waited for it before all that is still to be done was asked for.
void forget_known(State &s) {
  const u64 oldest = s.pending.empty() ? ~0ull : s.pending.begin()->first;
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
  u64 oldest = s.pending.empty() ? ~0ull : s.pending.begin()->first, finished = ~0ull;
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

void stream_asked(u64 ticket, const void *line, const std::vector<u64> &after, const Work &work) {
  if (!wanted()) return;
  State &s = state();
  const std::lock_guard guard(s.lock);
  hear_host(s);
  Asked own{line, s.host};
  for (const u64 before : after) {
    const auto found = s.asked.find(before);
    if (found != s.asked.end()) learn(own.before, before, found->second);
  }
  s.asked.emplace(ticket, std::move(own));
  ToDo &to_do = s.pending[ticket];
  if (work.type == hipGraphNodeTypeKernel) add_arguments(to_do.may_use, work.kernel.arguments);
  if (work.type == hipGraphNodeTypeMemcpy && work.flat) {
    add_part(to_do.may_use, work.copy.src, work.copy.size, false);
    add_part(to_do.may_use, work.copy.dst, work.copy.size, true);
  }
  if (work.type == hipGraphNodeTypeMemset) add_allocation(to_do.may_use, work.fill.dst);
  s.last = std::max(s.last, ticket);
  watch_host(s);
}

void stream_known(const std::vector<u64> &tickets) {
  if (!wanted()) return;
  State &s = state();
  const std::lock_guard guard(s.lock);
  hear_host(s);
  learn_all(s, tickets);
  watch_host(s);
}

void stream_all_known(u64 last) {
  if (!wanted()) return;
  State &s = state();
  std::vector<u64> tickets;
  {
    const std::lock_guard guard(s.lock);
    for (auto asked = s.asked.begin(); asked != s.asked.end() && asked->first <= last; ++asked) tickets.push_back(asked->first);
  }
  stream_known(tickets);
}

void stream_begins(u64 ticket, const void *line, const std::string &name) {
  if (!wanted()) return;
  State &s = state();
  const std::lock_guard guard(s.lock);
  s.running++;
  watch_host(s);
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

void stream_ends(bool waited, bool of_host) {
  if (!running) return;
  std::unique_ptr<Step> own(running);
  running = nullptr;
  State &s = state();
  const std::lock_guard guard(s.lock);
  s.running--;
  hear_host(s);
  own->finished = ++s.finished;
  own->host_pages = host_pages(own->touched);
  if (of_host) learn_all(s, {own->ticket});
  if (knows(s.host, own->line, own->ticket)) own->known_at = s.last;
  if (waited || own->touched->heard) s.heard.push_back({own->line, own->ticket, own->finished});
  if (own->touched->full)
    fprintf(stderr, "porter: streams looks at the first pages that %s touches; it touches more\n", own->name.c_str());
  for (const auto &other : s.steps) {
    StreamRace race;
    if (!ordered(s, *other, *own) && touched_race(other->touched, own->touched, &race)) tell(s, *other, *own, race);
  }
  const auto to_do = s.pending.find(own->ticket);
  if (to_do != s.pending.end() && !own->host_pages.empty())
    for (const HostAccess &access : to_do->second.seen) meet_host(s, *own, access);
  s.pending.erase(own->ticket);
  if (own->touched->page_count) s.steps.push_back(std::move(own));
  forget_known(s);
  forget_order(s);
  watch_host(s);
}

void stream_forgets(u64 start, u64 size) {
  if (!wanted()) return;
  State &s = state();
  const std::lock_guard guard(s.lock);
  for (const auto &step : s.steps) touched_forget(step->touched, start, size);
}

}  // namespace host
