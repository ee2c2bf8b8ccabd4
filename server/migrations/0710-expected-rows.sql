-- Refuses a statement that changed another number of rows than its transaction has counted on: another transaction has
-- taken what seemed free. The error is a serialization failure, so that the transaction runs again.
create function expect_rows(expected bigint, actual bigint) returns void language plpgsql as $$
begin
  if actual <> expected then
    raise exception 'What seemed free is taken meanwhile.' using errcode = '40001';
  end if;
end $$;
