"""Whether the store is what the files say: integrity checks that change nothing."""
