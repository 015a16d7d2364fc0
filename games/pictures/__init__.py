"""Drawing on the server: a canvas, the site's colours, its icon, and parts that boards share."""
