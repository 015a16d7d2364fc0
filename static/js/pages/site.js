// What every page does: it has settings, and a worker that knows what to show without a network.

import "../parts/settings.js";

// A site without HTTPS has no workers, except on the machine itself.
// If it cannot be fetched now, the next page tries again.
navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
