"""Static files under hashed names, ES modules' imports included."""

from servestatic.storage import CompressedManifestStaticFilesStorage


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    # Rewrites `import … from "./x.js";`, so that modules can be cached for as long as styles are.
    support_js_module_import_aggregation = True
