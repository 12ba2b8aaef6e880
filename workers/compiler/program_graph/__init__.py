"""A vertex program's text as a graph of its statements, and edits of that graph as edits of the text."""
