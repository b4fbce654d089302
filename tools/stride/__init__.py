"""What is peculiar to this series: the stride search, held against upstream's own."""
