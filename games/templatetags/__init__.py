"""What templates can ask for besides Django's own tags."""
