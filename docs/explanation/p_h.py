"""Prints the table of what-p-h-is.md: python docs/explanation/p_h.py"""

import zerowait as zw

MEASURES = ("routed_to_helpers", "p_wait", "served_by_helpers", "wait")

print("| k | " + " | ".join(MEASURES) + " | Corollary 1 | Erlang C |")
print("|---" * 7 + "|")
for servers in (128, 2048, 32768):
    workload = zw.workloads.figure1(servers)
    bounds = zw.helper_bounds(workload, servers)
    result = zw.simulate(workload, servers, "bs:fcfs", arrivals=2_000_000, replications=8, seed=1)
    cells = [f"{i.mean:.3g} ± {i.half_width:.1g}" for i in map(result.interval, MEASURES)]
    cells += [f"{bounds.bound:.4f}", f"{bounds.waiting_bound:.4f}"]
    print(f"| {servers} | " + " | ".join(cells) + " |")
