"""The pull request's text: from records, from people's words, in upstream's own template."""

from carry.pull_request.build import Built, Claim, claims, write

__all__ = ["Built", "Claim", "claims", "write"]
