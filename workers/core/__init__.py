"""What any system may lean on: contracts, the journal, storage and graph data."""
