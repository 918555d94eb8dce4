"""How a scene becomes frames and a video: sizes, camera, renderer, encoder, and the process they run in."""
