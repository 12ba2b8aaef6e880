"""The layers and model templates people start from, written as vertex programs."""
