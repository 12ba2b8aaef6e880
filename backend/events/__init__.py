"""What happens, as it happens: Server-Sent Events from the journal."""
