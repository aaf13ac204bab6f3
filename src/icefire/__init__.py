"""Is this personal data safe to hand out, and is it still worth having?"""

__version__ = "0.1.0"
