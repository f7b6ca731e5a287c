"""Files that are uploaded into panes."""
