"""The store: three collections behind one small port, and what is known about them."""
