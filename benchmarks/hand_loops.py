"""Loops written by hand, one per policy, as the floor that the engine is measured against.

`bare_*` keep one array entry per job and no statistics. `full_*` do the engine's whole work
(recycled seats, every statistic) with each policy written into the loop. Plain arrays
throughout; Numba compiles them with the flags of the engine's own kernels. The loops for
Balanced Splitting take times to be continuous: no two completions at one instant.
"""

import numpy as np
from numba import njit

from zerowait.engine.compile import KERNEL
from zerowait.engine.structures.heap import pop, push
from zerowait.engine.sums import N_BUCKETS, N_COUNTS, N_MOMENTS, PARTS_BITS

_inline = njit(inline="always", **KERNEL)
heap_push = _inline(push)
heap_pop = _inline(pop)
SHIFT = 52 - PARTS_BITS


@njit(**KERNEL)
def bare_fcfs(arrival, service, kind, need_of, servers, times, running, completion):
    n_jobs = arrival.shape[0]
    idle = servers
    size = 0
    head = 0
    arriving = 0
    while arriving < n_jobs or size > 0:
        if size > 0 and (arriving >= n_jobs or times[0] <= arrival[arriving]):
            now = times[0]
            while size > 0 and times[0] == now:
                job = running[0]
                size = heap_pop(times, running, size)
                completion[job] = now
                idle += need_of[kind[job]]
        else:
            now = arrival[arriving]
            arriving += 1
        while head < arriving:
            need = need_of[kind[head]]
            if need > idle:
                break
            idle -= need
            size = heap_push(times, running, size, now + service[head], head)
            head += 1


@njit(**KERNEL)
def bare_balanced_splitting(
    arrival, service, kind, need_of, slots, helpers, times, running, completion,
    own, started, after, class_head, class_tail, queue,
):  # fmt: skip
    n_jobs = arrival.shape[0]
    idle_helpers = helpers
    size = 0
    arriving = 0
    queue_head = 0
    queue_tail = 0
    while arriving < n_jobs or size > 0:
        if size > 0 and (arriving >= n_jobs or times[0] <= arrival[arriving]):
            now = times[0]
            job = running[0]
            size = heap_pop(times, running, size)
            completion[job] = now
            c = kind[job]
            if not own[job]:
                idle_helpers += need_of[c]
            else:
                oldest = class_head[c]
                while oldest >= 0 and started[oldest]:
                    oldest = after[oldest]
                if oldest < 0:
                    class_head[c] = -1
                    slots[c] += 1
                else:
                    class_head[c] = after[oldest]
                    started[oldest] = True
                    own[oldest] = True
                    size = heap_push(times, running, size, now + service[oldest], oldest)
        else:
            now = arrival[arriving]
            job = arriving
            c = kind[job]
            arriving += 1
            if slots[c] > 0:
                slots[c] -= 1
                own[job] = True
                size = heap_push(times, running, size, now + service[job], job)
            else:
                if class_head[c] < 0:
                    class_head[c] = job
                else:
                    after[class_tail[c]] = job
                class_tail[c] = job
                queue[queue_tail] = job
                queue_tail += 1
        while queue_head < queue_tail:
            job = queue[queue_head]
            if started[job]:
                queue_head += 1
                continue
            need = need_of[kind[job]]
            if need > idle_helpers:
                break
            idle_helpers -= need
            started[job] = True
            queue_head += 1
            size = heap_push(times, running, size, now + service[job], job)


@_inline
def note_start(
    job, now, end, s_arrival, s_service, s_class, s_need, s_order, s_helpers,
    counts, moments, pivot, responses, waits, origin, warmup, busy, busy_area, busy_since,
):  # fmt: skip
    c = s_class[job]
    busy_area[c] += busy[c] * (now - busy_since[c])
    busy_since[c] = now
    busy[c] += s_need[job]
    if s_order[job] < warmup:
        return
    service = s_service[job]
    wait = now - s_arrival[job]
    response = end - s_arrival[job]
    at = c * N_COUNTS
    counts[at] += 1
    if wait > 0.0:
        counts[at + 1] += 1
    if s_helpers[job] & 1:
        counts[at + 2] += 1
    if s_helpers[job] & 2:
        counts[at + 3] += 1
    at = c * N_MOMENTS
    centred = response - pivot[c]
    moments[at] += centred
    moments[at + 1] += centred * centred
    moments[at + 2] = max(moments[at + 2], response)
    moments[at + 3] += wait
    moments[at + 4] += wait * wait
    moments[at + 5] = max(moments[at + 5], wait)
    slowdown = 1.0
    if service > 0.0:
        slowdown = response / service
    elif response > 0.0:
        slowdown = np.inf
    moments[at + 6] += slowdown - 1.0
    moments[at + 7] += (slowdown - 1.0) * (slowdown - 1.0)
    moments[at + 8] = max(moments[at + 8], slowdown)
    at = c * N_BUCKETS
    bucket = (np.float64(response).view(np.int64) >> SHIFT) - origin
    responses[at + min(max(bucket, 0), N_BUCKETS - 1)] += 1
    bucket = (np.float64(wait).view(np.int64) >> SHIFT) - origin
    waits[at + min(max(bucket, 0), N_BUCKETS - 1)] += 1


@njit(**KERNEL)
def full_fcfs(
    arrival, service, kind, need_of, servers, times, running,
    s_arrival, s_service, s_class, s_need, s_order, s_helpers, vacant, after, before,
    counts, moments, pivot, responses, waits, origin, warmup,
    in_system, in_system_area, in_system_since, busy, busy_area, busy_since,
):  # fmt: skip
    n_jobs = arrival.shape[0]
    n_vacant = vacant.shape[0]
    idle = servers
    size = 0
    head = -1
    tail = -1
    arriving = 0
    while arriving < n_jobs or size > 0:
        if size > 0 and (arriving >= n_jobs or times[0] <= arrival[arriving]):
            now = times[0]
            while size > 0 and times[0] == now:
                job = running[0]
                size = heap_pop(times, running, size)
                c = s_class[job]
                in_system_area[c] += in_system[c] * (now - in_system_since[c])
                in_system_since[c] = now
                in_system[c] -= 1
                busy_area[c] += busy[c] * (now - busy_since[c])
                busy_since[c] = now
                busy[c] -= s_need[job]
                idle += s_need[job]
                vacant[n_vacant] = job
                n_vacant += 1
        else:
            now = arrival[arriving]
            n_vacant -= 1
            job = vacant[n_vacant]
            c = kind[arriving]
            s_arrival[job] = now
            s_service[job] = service[arriving]
            s_class[job] = c
            s_need[job] = need_of[c]
            s_order[job] = arriving
            s_helpers[job] = 0
            arriving += 1
            in_system_area[c] += in_system[c] * (now - in_system_since[c])
            in_system_since[c] = now
            in_system[c] += 1
            before[job] = tail
            after[job] = -1
            if tail < 0:
                head = job
            else:
                after[tail] = job
            tail = job
        while head >= 0:
            job = head
            if s_need[job] > idle:
                break
            idle -= s_need[job]
            head = after[job]
            if head < 0:
                tail = -1
            else:
                before[head] = -1
            end = now + s_service[job]
            size = heap_push(times, running, size, end, job)
            note_start(
                job, now, end, s_arrival, s_service, s_class, s_need, s_order, s_helpers,
                counts, moments, pivot, responses, waits, origin, warmup,
                busy, busy_area, busy_since,
            )  # fmt: skip


@njit(**KERNEL)
def full_balanced_splitting(
    arrival, service, kind, need_of, own_servers, helpers, times, running,
    s_arrival, s_service, s_class, s_need, s_order, s_helpers, vacant,
    after, before, class_head, class_tail, class_after, class_before,
    counts, moments, pivot, responses, waits, origin, warmup,
    in_system, in_system_area, in_system_since, busy, busy_area, busy_since,
):  # fmt: skip
    n_jobs = arrival.shape[0]
    n_vacant = vacant.shape[0]
    idle_helpers = helpers
    size = 0
    head = -1
    tail = -1
    arriving = 0
    while arriving < n_jobs or size > 0:
        chosen = -1  # at most one job enters its own servers before the helpers decide
        if size > 0 and (arriving >= n_jobs or times[0] <= arrival[arriving]):
            now = times[0]
            job = running[0]
            size = heap_pop(times, running, size)
            c = s_class[job]
            in_system_area[c] += in_system[c] * (now - in_system_since[c])
            in_system_since[c] = now
            in_system[c] -= 1
            busy_area[c] += busy[c] * (now - busy_since[c])
            busy_since[c] = now
            busy[c] -= s_need[job]
            vacant[n_vacant] = job
            n_vacant += 1
            if s_helpers[job] & 2:
                idle_helpers += s_need[job]
            else:
                chosen = class_head[c]
                if chosen < 0:
                    own_servers[c] += s_need[job]
                else:
                    class_head[c] = class_after[chosen]
                    if class_head[c] < 0:
                        class_tail[c] = -1
                    else:
                        class_before[class_head[c]] = -1
                    if before[chosen] < 0:
                        head = after[chosen]
                    else:
                        after[before[chosen]] = after[chosen]
                    if after[chosen] < 0:
                        tail = before[chosen]
                    else:
                        before[after[chosen]] = before[chosen]
        else:
            now = arrival[arriving]
            n_vacant -= 1
            job = vacant[n_vacant]
            c = kind[arriving]
            s_arrival[job] = now
            s_service[job] = service[arriving]
            s_class[job] = c
            s_need[job] = need_of[c]
            s_order[job] = arriving
            s_helpers[job] = 0
            arriving += 1
            in_system_area[c] += in_system[c] * (now - in_system_since[c])
            in_system_since[c] = now
            in_system[c] += 1
            if class_head[c] < 0 and s_need[job] <= own_servers[c]:
                own_servers[c] -= s_need[job]
                chosen = job
            else:
                s_helpers[job] = 1
                class_before[job] = class_tail[c]
                class_after[job] = -1
                if class_tail[c] < 0:
                    class_head[c] = job
                else:
                    class_after[class_tail[c]] = job
                class_tail[c] = job
                before[job] = tail
                after[job] = -1
                if tail < 0:
                    head = job
                else:
                    after[tail] = job
                tail = job
        while True:
            if chosen < 0:
                if head < 0 or s_need[head] > idle_helpers:
                    break
                chosen = head
                idle_helpers -= s_need[chosen]
                s_helpers[chosen] = 3
                head = after[chosen]
                if head < 0:
                    tail = -1
                else:
                    before[head] = -1
                c = s_class[chosen]
                if class_before[chosen] < 0:
                    class_head[c] = class_after[chosen]
                else:
                    class_after[class_before[chosen]] = class_after[chosen]
                if class_after[chosen] < 0:
                    class_tail[c] = class_before[chosen]
                else:
                    class_before[class_after[chosen]] = class_before[chosen]
            end = now + s_service[chosen]
            size = heap_push(times, running, size, end, chosen)
            note_start(
                chosen, now, end, s_arrival, s_service, s_class, s_need, s_order, s_helpers,
                counts, moments, pivot, responses, waits, origin, warmup,
                busy, busy_area, busy_since,
            )  # fmt: skip
            chosen = -1
