"""The served table: lobby, seats, storage, pages, live updates."""
