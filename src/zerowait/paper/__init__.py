"""The paper's figures, tables and theorems, made again: clients of the package like any other."""

# In the order of help, for which nothing else is imported.
TARGET_NAMES = (
    "fig1", "fig2a", "fig2b", "fig3", "orders", "pauses", "table1", "table2", "table3", "theorem1",
    "theorem2",
)  # fmt: skip
