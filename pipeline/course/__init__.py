"""The course: what a lecturer keeps in `course.toml`, what of it is stale, and how it is built again."""
