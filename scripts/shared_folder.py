"""Where the large traces for tests are: KINETOSCOPE_SHARED, else the folder `shared` beside the repository."""
import os
import sys
from pathlib import Path

from declarations import ROOT


def shared_folder():
    """Ends the program with a message when the folder is absent: a check without its inputs has checked nothing."""
    folder = Path(os.environ.get("KINETOSCOPE_SHARED") or ROOT.parent / "shared")
    if not (folder / "traces").is_dir():
        sys.exit(f"{folder}: the folder of test traces is not there; KINETOSCOPE_SHARED names it")
    return folder
