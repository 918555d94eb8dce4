"""What is published beside a video: captions, chapters, transcript, poster and the ledger of its numbers."""
