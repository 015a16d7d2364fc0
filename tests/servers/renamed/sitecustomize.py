"""Simulates an upgrade that has renamed something: `RENAMED=module:old:new`.

Python imports this at startup if its folder is on PYTHONPATH. The module is compiled with the new
name throughout, so it still works, but code that relies on the old name does not.
"""

import os
import re
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder, SourceFileLoader

MODULE, OLD, NEW = os.environ["RENAMED"].split(":")


class Loader(SourceFileLoader):
    def get_code(self, fullname):
        source = re.sub(rf"\b{OLD}\b", NEW, self.get_source(fullname))
        return compile(source, self.path, "exec", dont_inherit=True)


class Finder(MetaPathFinder):
    def find_spec(self, fullname, path, target=None):
        if fullname != MODULE:
            return None
        spec = PathFinder.find_spec(fullname, path)
        spec.loader = Loader(fullname, spec.origin)
        return spec


sys.meta_path.insert(0, Finder())
