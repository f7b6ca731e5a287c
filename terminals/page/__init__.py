"""What the web page needs from the server: the security policy and the installable app."""
