"""Logs of the Parallel Workloads Archive by name, with what is known of their contents.

A checksum is pinned where we have had the file: that of the unpacked text, because it does not
change when a mirror packs a log again. The archive publishes no checksums of its own. Logs
without a pin are named here so that they can be found, and are downloaded only on demand
(`--unverified`).
"""

from dataclasses import dataclass

from zerowait.model import InputError

ARCHIVE = "https://www.cs.huji.ac.il/labs/parallel/workload"


@dataclass(frozen=True)
class ArchivedLog:
    """A file of the archive; `text_sha256` is of the text, `file_sha256` of the packed file."""

    name: str
    folder: str
    file: str
    servers: int | None = None
    text_sha256: str | None = None
    file_sha256: str | None = None

    @property
    def path(self) -> str:
        return f"{self.folder}/{self.file}"

    @property
    def is_pinned(self) -> bool:
        return bool(self.text_sha256 or self.file_sha256)


LOGS = (
    ArchivedLog(
        "SDSC-SP2", "l_sdsc_sp2", "SDSC-SP2-1998-4.2-cln.swf.gz", 128,
        "2bb635f4b5793f52bd49ccb8fd913d95f9c5be6346925162cadcaf0117e28cf2",
    ),
    ArchivedLog(
        "CTC-SP2", "l_ctc_sp2", "CTC-SP2-1996-3.1-cln.swf.gz", 338,
        "8e33a9b597e1ddda2d2164347bac08c9444e1a2620a7947df52f0a1622ec4cde",
    ),
    ArchivedLog(
        "KTH-SP2", "l_kth_sp2", "KTH-SP2-1996-2.1-cln.swf.gz", 100,
        "fba36494c4e4257f72182e8b629ebb0bcb054b3b82851ef957445bd627adcc87",
    ),
    ArchivedLog(
        "NASA-iPSC", "l_nasa_ipsc", "NASA-iPSC-1993-3.1-cln.swf.gz", 128,
        "9d997a2c20a7f7b0b6d81638d756ce8b2c524c4f2e9ec78da36001743ca33d76",
    ),
    ArchivedLog(
        "UniLu-Gaia", "l_unilu_gaia", "UniLu-Gaia-2014-1.swf.gz", 2004,
        "e4587af1ae104f023b49b7f6adcd1c5c1d3be42551848f71962dd2c1d49a78c0",
    ),
    # Not seen by us: the packed file's checksum as github.com/ErenAri/HCP-workload-optimizer
    # records it (configs/data/reference_suite.yaml).
    ArchivedLog(
        "HPC2N", "l_hpc2n", "HPC2N-2002-2.2-cln.swf.gz", 240,
        file_sha256="3c534857d6065cfd9cc35aac8d064c9c17172be7acf336de835006f43a626e64",
    ),
    ArchivedLog("ANL-Intrepid", "l_anl_int", "ANL-Intrepid-2009-1.swf.gz"),
    ArchivedLog("CEA-Curie", "l_cea_curie", "CEA-Curie-2011-2.1-cln.swf.gz"),
    ArchivedLog("CIEMAT-Euler", "l_ciemat_euler", "CIEMAT-Euler-2008-1.swf.gz"),
    ArchivedLog("KIT-FH2", "l_kit_fh2", "KIT-FH2-2016-1.swf.gz", 24_048),
    ArchivedLog("LANL-CM5", "l_lanl_cm5", "LANL-CM5-1994-4.1-cln.swf.gz"),
    ArchivedLog("LANL-O2K", "l_lanl_o2k", "LANL-O2K-1999-2.swf.gz"),
    ArchivedLog("LLNL-Atlas", "l_llnl_atlas", "LLNL-Atlas-2006-2.1-cln.swf.gz"),
    ArchivedLog("LLNL-Thunder", "l_llnl_thunder", "LLNL-Thunder-2007-1.1-cln.swf.gz"),
    ArchivedLog("LPC-EGEE", "l_lpc", "LPC-EGEE-2004-1.2-cln.swf.gz"),
    ArchivedLog("METACENTRUM", "l_metacentrum2", "METACENTRUM-2013-3.swf.gz"),
    ArchivedLog("PIK-IPLEX", "l_pik_iplex", "PIK-IPLEX-2009-1.swf.gz"),
    ArchivedLog("RICC", "l_ricc", "RICC-2010-2.swf.gz"),
    ArchivedLog("SDSC-BLUE", "l_sdsc_blue", "SDSC-BLUE-2000-4.2-cln.swf.gz"),
    ArchivedLog("SDSC-DS", "l_sdsc_ds", "SDSC-DS-2004-2.1-cln.swf.gz"),
    ArchivedLog("SDSC-Par95", "l_sdsc_par", "SDSC-Par-1995-3.1-cln.swf.gz"),
    ArchivedLog("SDSC-Par96", "l_sdsc_par", "SDSC-Par-1996-3.1-cln.swf.gz"),
)  # fmt: skip


def find_log(name: str) -> ArchivedLog:
    """By its short name or its file name, whatever the case."""
    wanted = name.strip().lower().replace("_", "-")
    for log in LOGS:
        stem = log.file.lower()
        if wanted in (log.name.lower(), stem, stem.removesuffix(".gz"), stem[: -len(".swf.gz")]):
            return log
    known = ", ".join(log.name for log in LOGS)
    raise InputError(f"log {name!r}: is not known; known: {known}")
