"""The model of time held to what was measured on real chips. `python -m porter.perf.validation FOLDER` (docs/design/model.md)."""
