"""How good the answers are: questions with what is expected, asked, scored and compared."""
