"""The most probable legal hand, its rivals, and what the person should check."""
