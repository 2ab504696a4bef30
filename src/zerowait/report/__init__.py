"""What people look at: tables on a terminal, and files of rows."""
