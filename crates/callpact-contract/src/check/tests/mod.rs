mod unions;
