"""Lowers libclang's tree to the statement IR."""
