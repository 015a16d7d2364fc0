"""What all tests share."""

from hypothesis import settings

# The machine may be busy; a slow example is no failure.
settings.register_profile("numgames", deadline=None)
settings.load_profile("numgames")
