"""The report in one format a module, from the facts alone. The same finding has the same words in each."""
