"""The model of time held to what was measured on real chips. `python -m porter.validation.traces FOLDER` (docs/design/model.md)."""
