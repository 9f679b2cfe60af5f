"""Answers that are worked out once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class Remembered(dict[int, Answer], Generic[Answer]):
    """A dictionary that works out what it is asked for the first time; it starts over when it is full.

    A look-up is as fast as in any dictionary. Threads may share it: at worst two of them work out the same answer.

    >>> squares = Remembered(lambda number: number * number, most=2)
    >>> squares[3], squares[4], squares[5], sorted(squares)
    (9, 16, 25, [5])
    """

    __slots__ = ("most", "work_out")

    def __init__(self, work_out: Callable[[int], Answer], most: int = 1 << 16) -> None:
        """Keep at most ``most`` answers of ``work_out``."""
        super().__init__()
        self.work_out = work_out
        self.most = most

    def __missing__(self, key: int) -> Answer:
        """Work out a new answer."""
        if len(self) >= self.most:
            self.clear()
        answer = self[key] = self.work_out(key)
        return answer
