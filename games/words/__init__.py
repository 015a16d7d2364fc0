"""Languages: what the rules, the solver and the server say, in the reader's own."""
