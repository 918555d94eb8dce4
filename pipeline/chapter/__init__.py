"""Chapters: pages of prose whose videos, figures and numbers are the model's, and the check that they still are."""
