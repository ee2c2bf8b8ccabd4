-- outside of a transaction
-- By which a question finds the reviewers whom it names. Entries hold 64 characters; the order is that of code points,
-- so that a first name is a range.
create index concurrently judgment_of_reviewer_name on judgment
  (api_key, (left(reviewer ->> 'name', 64) collate "C"), reviewer_key)
  where reviewer_key is not null;
