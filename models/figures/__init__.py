"""The figures of `models/MODEL_CARD.md`: accuracy, curves and speed.

`make figures` (`python -m models.figures`) measures everything and writes it between the marks of the card.
"""
