// The offline page: reloads the page that was asked for once there is a network.

addEventListener("online", () => location.reload());
