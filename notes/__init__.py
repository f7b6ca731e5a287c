"""notes: notes, tasks, kanban, Notion."""
