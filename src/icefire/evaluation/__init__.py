"""The one place that judges a release: attacks, metrics, findings, and the verdict."""
