"""Talion: one table for five games of revenge."""

__version__ = "0.1.0"
