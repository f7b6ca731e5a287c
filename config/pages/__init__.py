"""Static files, the embeddable component and headers of pages."""
