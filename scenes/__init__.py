"""The lecture scenes, one per file, each with its texts beside it."""
