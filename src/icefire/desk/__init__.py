"""The desk: a page on this machine for one's own data.

It stands on the functions of the command line and has no method of its own. The server never loads a table: what takes time or
memory is done by worker processes, which leave documents and events in the folder of a session.
"""
