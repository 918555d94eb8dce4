"""What the documentation shows is made here, by the code that makes the videos: `python -m docs.make`."""
