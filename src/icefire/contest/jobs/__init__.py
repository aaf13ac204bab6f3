"""The judge's jobs, a class for each: when it is due, when it is done, what it does, and what giving it up means.

Which jobs there are follows from the log. A job may run twice, after a crash or on two machines: it gives the same result each
time, and the log takes the result once.
"""
