"""The model of time held to everything that is measured and public. `python -m porter.corpus.validation FOLDER...`."""
