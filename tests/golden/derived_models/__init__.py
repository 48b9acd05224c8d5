"""Formulas of performance models, one file a kind of work; derive_models.py says which function derives what."""
