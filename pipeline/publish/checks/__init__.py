"""What the audit checks, one kind of fault a file."""
