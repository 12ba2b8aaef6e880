"""Knowledge graphs: what a triple scores, how scores are learned, and where the truth ranks among all entities."""
