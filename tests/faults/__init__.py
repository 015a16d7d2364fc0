"""What goes wrong in a deployment, done to the real processes."""
