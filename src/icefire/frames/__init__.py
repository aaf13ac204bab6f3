"""Input and output of tables: DataFrame engines, files and the notation of generalized cells.

The only package that distinguishes between DataFrame engines.
"""
