"""The model of time held to everything that is measured and public. `python -m porter.validation FOLDER...`.

A tool of developers, left out of the wheel: sets/*.toml describe public measurements, traces/ holds thread traces beside
the model's timelines, and reach.py predicts what every case would reach.
"""
