"""`python -m models.training STAGE …`: the stages that make the ONNX files from the data."""

import argparse
import importlib


def main() -> None:
    """Parse the command line and run one stage."""
    parser = argparse.ArgumentParser(prog="python -m models.training", description=__doc__)
    stages = parser.add_subparsers(required=True)
    for name, text in (
        ("detector", "train the tile detector"),
        ("reader", "train the tile reader"),
        ("restore", "make a checkpoint of a network that ships, to go on from it"),
        ("average", "average the weights of several checkpoints"),
        ("scenes", "render training scenes"),
        ("harvest", "label product photos of whole tile sets with the networks trained so far"),
        (
            "strays",
            "label the unlabelled tiles of the hand photos that the networks trained so far are sure of",
        ),
        ("pictures", "gather photographs without tiles from packages"),
        ("mistakes", "find what the networks take for tiles where none is"),
        ("export", "write the ONNX files and the manifest, and compare them with torch"),
    ):
        module = importlib.import_module(f"models.training.{name}")
        stage = stages.add_parser(name, help=text, description=module.__doc__)
        module.add_arguments(stage)
    options = parser.parse_args()
    options.main(options)


if __name__ == "__main__":
    main()
