"""Making the bundled models: a grammar with known probabilities, the training loop, the claims."""
