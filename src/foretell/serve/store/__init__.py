"""What a workspace keeps: projects with codes, machines and profiles; answers with what made them; jobs; users."""
