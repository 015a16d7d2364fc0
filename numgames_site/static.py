"""Static files under hashed names, ES modules' imports included."""

import re
from typing import Any

from django.core.files.base import ContentFile
from servestatic.storage import CompressedManifestStaticFilesStorage

# Comments that have their lines to themselves; those beside code, and in strings, stay.
COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/)[ \t]*$", re.MULTILINE | re.DOTALL)


def without_comments(script: str) -> str:
    """A script as browsers need it: a quarter of its bytes is for us. Lines keep their numbers."""
    return COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), script)


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    # Rewrites `import … from "./x.js";`, so that modules can be cached for as long as styles are.
    support_js_module_import_aggregation = True

    def _save(self, name: str, content: Any) -> str:
        if name.endswith(".js"):
            content.seek(0)
            content = ContentFile(without_comments(content.read().decode()).encode())
        return str(super()._save(name, content))
