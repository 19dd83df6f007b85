"""How long a kernel takes: measured on a GPU, predicted by the model of time, or kept from earlier runs."""
