"""How a scene becomes files: commands, rendering, publishing. Knows no scene by name and no equation."""
