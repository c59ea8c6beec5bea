"""The core as a service: one process per vault, on loopback, found through an endpoint file."""
