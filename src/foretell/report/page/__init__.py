"""An answer as a page: built once of its plain data, written as HTML, for notebooks, or as Markdown."""
