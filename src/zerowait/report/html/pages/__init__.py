"""The pages, one file each: what stands on them. The frame is in `zerowait.report.html.page`."""
