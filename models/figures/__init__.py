"""How good the networks are: curves, tables and the figures of `models/MODEL_CARD.md`.

`python -m models.figures` measures everything and writes it between the marks of the card (`make figures`).
"""
