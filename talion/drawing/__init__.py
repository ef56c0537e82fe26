"""How things look: cards, emblems, signs, plans. Knows no table: browser, workshop and print share it."""
