"""`python -m talion.table`: serve, and look after what is served."""

from talion.table.commands import app, serve

app.command()(serve)

if __name__ == "__main__":
    app()
