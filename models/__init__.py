"""The networks that ship, their manifest, and the tools that make them, which stay out of the wheel."""
