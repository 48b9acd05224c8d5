"""Exact arithmetic on nanoseconds, and how Python prints, for derive_tables.py and derived_unified.py."""
from decimal import Decimal
from fractions import Fraction


def merged(events):
    """Disjoint intervals in order; those that touch are one."""
    intervals = []
    for begin, end in sorted((e.begin, e.end) if hasattr(e, "begin") else e for e in events):
        if intervals and begin <= intervals[-1][1]:
            intervals[-1][1] = max(intervals[-1][1], end)
        else:
            intervals.append([begin, end])
    return intervals


def length(intervals):
    return sum(end - begin for begin, end in intervals)


def without(intervals, cover):
    """|A - B| = |A or B| - |B|: only lengths are wanted."""
    return length(merged([*map(tuple, intervals), *map(tuple, cover)])) - length(cover)


def busy(events):
    return length(merged(events))


def us(value_ns):
    return float(Fraction(value_ns) / 1000)


def ms(value_ns):
    return float(Fraction(value_ns) / 1_000_000)


def percent(part, whole):
    return float(Fraction(100 * part) / whole) if whole else None


def root(square):
    """Of a fraction, correct to the last digits of a double."""
    return float((Decimal(square.numerator) / Decimal(square.denominator)).sqrt())


def mean(values):
    return Fraction(sum(values), len(values))


def median(values):
    ordered, middle = sorted(values), len(values) // 2
    return Fraction(ordered[middle]) if len(values) % 2 else Fraction(ordered[middle - 1] + ordered[middle], 2)


def deviation(values, degrees_lost):
    """Of nanoseconds, in microseconds; None of too few values."""
    count = len(values)
    if count <= degrees_lost:
        return None
    squares = Fraction(count * sum(v * v for v in values) - sum(values) ** 2, count * (count - degrees_lost))
    return root(squares / 1_000_000)


def printed(value):
    """As Python prints it, lists as tuples."""
    return repr(tuples(value))


def tuples(value):
    if isinstance(value, list):
        return tuple(tuples(item) for item in value)
    return float(value) if isinstance(value, Decimal) else value


def ordering(value):
    """Sorts keys of mixed kinds; what is missing comes last."""
    return tuple((item is None, str(item)) for item in value)


def printed_details(details):
    return repr([{"name": name, "stream": stream, "count": len(d), "total_duration_us": us(sum(d)),
                  "mean_duration_us": us(mean(d)), "median_duration_us": us(median(d)),
                  "std_dev_duration_us": deviation(d, 0), "min_duration_us": us(min(d)), "max_duration_us": us(max(d))}
                 for name, stream, d in details])


def truncated(details):
    """To two decimals: the exact mean as a double, times 100, to the nearest whole number, ties to the even one."""
    if not details:
        return None
    return repr([{"name": name if len(name) <= 64 else name[:64] + "...", "stream": stream,
                  "mean_duration_us": round(us(mean(d)) * 100) / 100} for name, stream, d in details])
