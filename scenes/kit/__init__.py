"""What scenes are made of: mobjects bound to Cells, theme, layout, beats. Knows Manim and Cells, no scene."""
