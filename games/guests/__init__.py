"""Who people are, across matches."""
