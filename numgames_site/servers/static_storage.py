"""Collects static files under hashed names, and rewrites the imports of ES modules to match."""

import re
from typing import Any

from django.core.files.base import ContentFile
from servestatic.storage import CompressedManifestStaticFilesStorage

# Comments that fill their lines, and types. Other comments beside code, or inside strings, stay.
COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/)[ \t]*$", re.MULTILINE | re.DOTALL)
TYPE = re.compile(r"/\*\* @type \{[^\n]*?\} \*/ ?")
STYLE_COMMENT = re.compile(r"/\*(?:(?!\*/).)*\*/", re.DOTALL)
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


def compact_script(script: str) -> str:
    """Strip comments, types and indentation, a third of a script. Every line keeps its number.

    No text in our scripts goes over several lines, where indentation would be part of it.
    """
    return INDENT.sub("", TYPE.sub("", COMMENT.sub(only_lines, script)))


def compact_style(style: str) -> str:
    """Strip the comments and indentation of a style sheet. Every line keeps its number."""
    return INDENT.sub("", STYLE_COMMENT.sub(only_lines, style))


def only_lines(comment: re.Match[str]) -> str:
    return "\n" * comment[0].count("\n")


COMPACT = {".js": compact_script, ".css": compact_style}


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    # Rewrites `import … from "./x.js";`, so that modules can be cached as long as styles.
    support_js_module_import_aggregation = True

    def _save(self, name: str, content: Any) -> str:
        for ending, compact in COMPACT.items():
            if name.endswith(ending):
                content.seek(0)
                content = ContentFile(compact(content.read().decode()).encode())
        return str(super()._save(name, content))
