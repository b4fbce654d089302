"""The real engine, before and after: vLLM itself, run with upstream's search and with the patch."""
