"""How long things take: commands for people, run alone on a machine. Their results stand in docs/performance.md."""
