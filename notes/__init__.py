"""Notes, tasks, the kanban board and Notion pages."""
