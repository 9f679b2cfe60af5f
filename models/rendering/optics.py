"""The effects of lens, sensor and phone on a picture: light, blur, colour, noise and JPEG."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.tiles import Floats, Pixels


@dataclass(frozen=True, slots=True)
class Optics:
    """The settings of one photo.

    `exposure` multiplies all light; `balance` holds the gains of red, green and blue. `fall` is how much the light
    falls off across the picture, away from `fall_from` (x and y as shares of the picture). `cast` is how dark a
    bystander's shadow is, `cast_edge` its direction in turns, its place and its softness. `blur`, `depth_blur` and
    `motion` are in pixels of a picture 1280 wide, `motion_angle` is in degrees, `noise` in grey levels. `jpeg` is the
    quality at which the phone saved the file (1 to 100).
    """

    exposure: float = 1.0
    contrast: float = 1.0
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    fall: float = 0.2
    fall_from: tuple[float, float] = (0.4, 0.3)
    vignette: float = 0.1
    cast: float = 0.0
    cast_edge: tuple[float, float, float] = (0.0, 0.5, 0.1)
    blur: float = 0.6
    depth_blur: float = 0.0
    motion: float = 0.0
    motion_angle: float = 0.0
    noise: float = 2.0
    sharpen: float = 0.3
    jpeg: int = 85


def random_optics(rng: np.random.Generator) -> Optics:
    """Random settings as in real photos: mostly good, sometimes dark, blurred, tinted or badly compressed."""
    dim = rng.random() < 0.16
    lamp = rng.random() < 0.1
    warm = float(rng.uniform(0.12, 0.24) if lamp else rng.normal(0, 0.07))
    return Optics(
        exposure=float(rng.uniform(0.45, 0.78) if dim else rng.uniform(0.78, 1.15)),
        contrast=float(rng.uniform(0.8, 1.2)),
        balance=(1 + warm, 1 + float(rng.normal(0, 0.03)), 1 - warm),
        fall=float(rng.uniform(0.45, 0.8) if lamp else rng.uniform(0, 0.55)),
        fall_from=(float(rng.uniform(0, 1)), float(rng.uniform(0, 1))),
        vignette=float(rng.uniform(0, 0.3)),
        cast=float(rng.choice([0, rng.uniform(0.15, 0.6)], p=[0.7, 0.3])),
        cast_edge=(float(rng.uniform(0, 1)), float(rng.normal(0, 0.25)), float(rng.uniform(0.02, 0.2))),
        blur=float(rng.choice([rng.uniform(0.2, 0.8), rng.uniform(0.8, 1.8)], p=[0.86, 0.14])),
        depth_blur=float(rng.choice([0, rng.uniform(0.5, 3)], p=[0.8, 0.2])),
        motion=float(rng.choice([0, rng.uniform(2, 6)], p=[0.9, 0.1])),
        motion_angle=float(rng.uniform(0, 180)),
        noise=float(rng.uniform(3, 9) if dim else rng.uniform(0.5, 4)),
        sharpen=float(rng.choice([0, rng.uniform(0.2, 1.2)])),
        jpeg=int(rng.integers(40, 96)),
    )


def photograph(scene: Pixels, optics: Optics, depth: Floats | None, rng: np.random.Generator) -> Pixels:
    """The picture of a scene (RGB) that a phone saves; `depth` is how far out of focus each row is (0 to 1)."""
    height, width = scene.shape[:2]
    scale = max(height, width) / 1280
    image = scene
    if optics.depth_blur and depth is not None:
        soft = cv2.GaussianBlur(image, (0, 0), max(0.3, optics.depth_blur * scale))
        weight = np.clip(depth, 0, 1).astype(np.float32)[:, None, None]
        image = (image * (1 - weight) + soft * weight).astype(np.uint8)
    if optics.motion * scale > 1.5:
        streak = _streak(optics.motion * scale, optics.motion_angle)
        image = np.asarray(cv2.filter2D(image, -1, streak), np.uint8)
    if optics.blur * scale > 0.25:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), optics.blur * scale), np.uint8)
    light = _light(optics, width, height)
    gains = np.array(optics.balance, np.float32) * optics.exposure
    bright = image.astype(np.float32) * light[..., None] * gains
    bright = (bright - 110) * optics.contrast + 110
    if optics.noise:
        grain = _grain(rng, height, width)
        bright += grain * (optics.noise * (0.6 + 0.4 * np.sqrt(np.clip(bright, 0, 255) / 255)))
    # highlights roll off instead of clipping hard
    over = np.clip(bright - 215, 0, None)
    bright = np.minimum(bright, 215) + 40 * (1 - np.exp(-over / 40))
    result = np.clip(bright, 0, 255).astype(np.uint8)
    if optics.sharpen:
        soft = cv2.GaussianBlur(result, (0, 0), 1.2 * scale)
        result = cv2.addWeighted(result, 1 + optics.sharpen, soft, -optics.sharpen, 0)
    return through_jpeg(result, optics.jpeg)


def through_jpeg(pixels: Pixels, quality: int) -> Pixels:
    """The picture as it is after being saved as JPEG and opened again."""
    return decode_jpeg(encode_jpeg(pixels, quality))


def encode_jpeg(pixels: Pixels, quality: int) -> bytes:
    """Encode RGB pixels as a JPEG file. Raises ValueError where OpenCV cannot."""
    done, data = cv2.imencode(".jpg", pixels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError(f"cannot write a picture of shape {pixels.shape} as JPEG")
    return data.tobytes()


def decode_jpeg(data: bytes) -> Pixels:
    """Decode a JPEG file to RGB pixels. Raises ValueError if it is not one."""
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)
    if image is None:
        raise ValueError("not a JPEG file")
    return np.asarray(image, np.uint8)


def _light(optics: Optics, width: int, height: int) -> Floats:
    """The light on each pixel: it falls off away from the lamp and towards the corners."""
    y, x = np.mgrid[:48, :64].astype(np.float32)
    x, y = x / 63, y / 47
    from_lamp = np.hypot(x - optics.fall_from[0], y - optics.fall_from[1])
    from_middle = np.hypot(x - 0.5, y - 0.5)
    small = (1 - optics.fall * from_lamp) * (1 - optics.vignette * (from_middle / 0.7) ** 2)
    if optics.cast:
        turns, place, softness = optics.cast_edge
        across = (x - 0.5) * np.cos(2 * np.pi * turns) + (y - 0.5) * np.sin(2 * np.pi * turns)
        small *= 1 - optics.cast / (1 + np.exp(np.clip((place - across) / softness, -30, 30)))
    small /= small.mean()
    large: Floats = cv2.resize(small.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    return large


def _grain(rng: np.random.Generator, height: int, width: int) -> Floats:
    """Sensor noise with a spread of about 1: fine in brightness, coarser in colour."""
    fine = rng.standard_normal((height, width, 1), dtype=np.float32)
    coarse = rng.standard_normal((height // 3 + 1, width // 3 + 1, 3), dtype=np.float32)
    coloured = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine * 0.8 + coloured * 0.6, np.float32)


def _streak(length: float, angle: float) -> Floats:
    """A kernel that smears the picture along a line of `length` pixels."""
    size = int(np.ceil(length)) | 1
    kernel = np.zeros((size, size), np.float32)
    kernel[size // 2] = 1
    turn = cv2.getRotationMatrix2D((size // 2, size // 2), angle, 1)
    turned = np.asarray(cv2.warpAffine(kernel, turn, (size, size), flags=cv2.INTER_LINEAR), np.float32)
    return np.asarray(turned / turned.sum(), np.float32)
