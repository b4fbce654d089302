"""The reviewer's page: what a series does and what shows it, in one file without a network."""
