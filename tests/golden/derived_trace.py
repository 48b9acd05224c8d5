"""A trace read and linked once more, in plain Python and exact numbers, for derive_tables.py: nothing here is taken from
the program, so that a mistake would have to be made twice to go unnoticed.

Clarity before speed; what recorded traces with tables of the reference do not have (ids that several launches share,
pseudo-operators) is refused, not guessed.
"""
import gzip
import json
import re
from collections import defaultdict
from decimal import ROUND_HALF_EVEN, Decimal

GPU = {"kernel", "gpu_memcpy", "gpu_memset"}
LAUNCHING = {"cuda_runtime", "cuda_driver"}
HOST = LAUNCHING | {"cpu_op"}
COMMUNICATION = re.compile("nccl|rccl|cross_device_reduce", re.IGNORECASE)
COPY_KERNEL = re.compile(r"(MEMORY_COPY_(HOST_TO_DEVICE|DEVICE_TO_HOST|DEVICE_TO_DEVICE)"
                         r"|__amd_rocclr_copyBuffer(Rect)?(Aligned)?)(\.kd)?")
FILL_KERNEL = re.compile(r"__amd_rocclr_fillBuffer(Aligned)?(\.kd)?")
RECOMPUTE_FRAME = ("torch/utils/checkpoint.py", "recompute_fn")
TOLERANCE_NS = 1000


def nanoseconds(microseconds):
    """From the decimal text; None for what is no number."""
    if isinstance(microseconds, bool) or not isinstance(microseconds, (int, Decimal)):
        return None
    return int((Decimal(microseconds) * 1000).to_integral_value(ROUND_HALF_EVEN))


class Event:
    """One event of the trace; those of the tree get parent, those of the GPU launch and operator."""

    def __init__(self, uid, record):
        self.uid = uid
        self.name = str(record.get("name", ""))
        self.category = record.get("cat")
        self.thread = (record.get("pid"), record.get("tid"))
        self.arguments = record.get("args") or {}
        self.begin = nanoseconds(record.get("ts"))
        self.duration = nanoseconds(record.get("dur")) or 0
        self.parent = None
        self.launch = None
        self.gpu_events = []
        self.is_recompute = False

    @property
    def end(self):
        return self.begin + self.duration

    @property
    def stream(self):
        """The device's own number: where the work was before a viewer moved it to another lane."""
        return self.arguments.get("original_stream", self.arguments.get("stream"))

    @property
    def is_operator(self):
        return self.category == "cpu_op"

    @property
    def is_communication(self):
        return self.category != "gpu_memcpy" and bucket_of(self) == "communication"

    def ancestors(self):
        event = self.parent
        while event is not None:
            yield event
            event = event.parent


def bucket_of(event):
    if event.category == "gpu_memcpy":
        return "memcpy"
    if event.category == "kernel" and COPY_KERNEL.fullmatch(event.name):
        return "memcpy"
    if event.category == "kernel" and FILL_KERNEL.fullmatch(event.name):
        return "computation"
    return "communication" if COMMUNICATION.search(event.name) else "computation"


def registered_categories(specification):
    """Operator -> category, from the tables of Appendix A of the report's specification; the second one wins."""
    text = specification.read_text(encoding="utf-8").split("## Appendix A")[1]
    categories = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ", 1)]
        if len(cells) == 2 and cells[1].startswith("`"):
            category = re.split(r"[; \[]", cells[0])[0]
            categories.update((name, category) for name in re.findall(r"`([^`]+)`", cells[1]))
    return categories


def sheet_families(specification):
    """Operator -> family of its sheet, from the same tables; operators of the second one have a category only."""
    text = specification.read_text(encoding="utf-8").split("## Appendix A")[1]
    families = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ", 1)]
        if len(cells) == 2 and cells[1].startswith("`"):
            found = re.search(r"\[(\w+)\]$", cells[0])
            families.update((name, found and found[1]) for name in re.findall(r"`([^`]+)`", cells[1]))
    return families


class DerivedTrace:
    def __init__(self, path):
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8", "replace")
        document = json.loads(text, parse_float=Decimal)
        self.metadata = {key: value for key, value in document.items() if key != "traceEvents"}
        self.labels = defaultdict(dict)
        self.events = []
        for uid, record in enumerate(document["traceEvents"]):
            if record.get("ph") == "M":
                value = record.get("args") or {}
                label = value.get("name", value.get("labels"))
                self.labels[record.get("pid"), record.get("tid")][record.get("name")] = label
            elif record.get("ph") == "X":
                self.events.append(Event(uid, record))
        self.events_count = len(document["traceEvents"])
        self.gpu = [event for event in self.events if event.category in GPU and event.begin is not None]
        self.has_operators = any(event.is_operator for event in self.events)
        self.has_launches = any(e.category in LAUNCHING and "launch" in e.name.lower() for e in self.events)
        self.nest()
        self.link()
        self.mark_recompute()

    def threads(self, categories):
        by_thread = defaultdict(list)
        for event in self.events:
            if event.category in categories and event.begin is not None:
                by_thread[event.thread].append(event)
        for events in by_thread.values():
            events.sort(key=lambda event: (event.begin, -event.end))
        return by_thread

    def nest(self):
        """The deepest call around a call; one that ends a little later, by rounding, is inside too."""
        for events in self.threads(HOST).values():
            stack = []
            for event in events:
                while stack and stack[-1].end <= event.begin:
                    stack.pop()
                while stack:
                    excess = event.end - stack[-1].end
                    if excess <= 0 or (excess < TOLERANCE_NS and excess <= stack[-1].end - event.begin):
                        break
                    stack.pop()
                event.parent = stack[-1] if stack else None
                stack.append(event)

    def link(self):
        """By correlation id, arrow or not; a graph launch owns all of its id."""
        launches, work = defaultdict(list), defaultdict(list)
        for event in self.events:
            correlation = event.arguments.get("correlation")
            if correlation and event.category in LAUNCHING:
                launches[correlation].append(event)
            if correlation and event.category in GPU:
                work[correlation].append(event)
        for correlation, events in work.items():
            owners = launches.get(correlation, [])
            if len(owners) > 1 or (len(events) > 1 and owners and "GraphLaunch" not in owners[0].name):
                raise NotImplementedError(f"correlation id {correlation} is shared: arrows would have to decide")
            for event in events if owners else []:
                event.launch = owners[0]
                for node in (event.launch, *event.launch.ancestors()):
                    node.gpu_events.append(event)

    def mark_recompute(self):
        """What runs inside a frame of the checkpoint's recomputation on its thread, and the GPU work launched there."""
        frames = [event for event in self.events
                  if event.category == "python_function" and all(part in event.name for part in RECOMPUTE_FRAME)]
        by_thread = self.threads(HOST) if frames else {}
        for frame in frames:
            for event in by_thread.get(frame.thread, []):
                if frame.begin <= event.begin and event.end <= frame.end:
                    event.is_recompute = True
        for event in self.gpu:
            event.is_recompute = event.launch is not None and event.launch.is_recompute

    def is_linked(self, event):
        """A trace without any launch has one population."""
        return event.launch is not None or not self.has_launches

    def launcher(self, event):
        """The operator that launched it, as a user sees it."""
        for node in event.launch.ancestors():
            if not node.is_operator:
                break
            if node.name != "execute":
                return node
        return event.launch

    def launchers(self):
        """(launcher, its own GPU work by time), communication left out, in order of start."""
        own = {}
        for event in self.gpu:
            # a launch without a start stands nowhere among the calls
            if event.launch is not None and event.launch.begin is not None and not event.is_communication:
                launcher = self.launcher(event)
                own.setdefault(launcher.uid, (launcher, []))[1].append(event)
        for _, events in own.values():
            events.sort(key=lambda event: event.begin)
        return sorted(own.values(), key=lambda pair: pair[0].begin)

    def process_columns(self, event):
        process = self.labels[event.thread[0], 0]
        thread = self.labels[event.thread]
        return [labels.get(key) or "Unknown" for labels, key in
                ((process, "process_name"), (process, "process_labels"), (thread, "thread_name"))]
