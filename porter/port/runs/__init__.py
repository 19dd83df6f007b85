"""One run of `porter convert`: paths become jobs, jobs run in processes or come from the cache, and the next run and
`porter explain` find what this one found."""
