-- The words of judgments in the form in which an index holds them, so that a process that starts need not read the
-- texts. A chunk holds the judgments whose change is in its range, and all of them.
create table judgment_chunk (
  api_key text not null references api_key on delete cascade,
  first bigint not null,
  last bigint not null,
  -- How many it holds. Negative while it must not be read: -1 is torn, because one of them has changed or is deleted, and
  -- then it holds no words; -2 is stored, but not yet known to be whole.
  judgments integer not null,
  -- What can read it: the versions of the form and of the rules by which texts are cut into words, and the master key.
  format text not null,
  -- Encrypted under a master key; it is compressed already.
  sealed bytea not null,
  primary key (api_key, first)
);

alter table judgment_chunk alter column sealed set storage external;

-- How far the chunks of an API key have been looked after, and when to look again.
create table judgment_chunking (
  api_key text not null references api_key on delete cascade,
  change bigint not null,
  due_at bigint not null,
  primary key (api_key)
);

-- Tears the chunks of judgments that are deleted or get another change number, whichever statement does it: no word of a
-- judgment outlives it.
create function tear_judgment_chunks() returns trigger language plpgsql as $$
begin
  update judgment_chunk c
  set judgments = -1, sealed = ''
  from (
    select distinct g.api_key, n.first
    from gone g
    cross join lateral (
      select first, last
      from judgment_chunk
      where api_key = g.api_key and first <= g.change
      order by first desc
      limit 1
    ) n
    where n.last >= g.change
      and not exists (select from judgment j where j.api_key = g.api_key and j.key = g.key and j.change = g.change)
  ) t
  where c.api_key = t.api_key and c.first = t.first and c.judgments <> -1;
  return null;
end
$$;

create trigger judgment_changed after update on judgment
  referencing old table as gone for each statement execute function tear_judgment_chunks();
create trigger judgment_deleted after delete on judgment
  referencing old table as gone for each statement execute function tear_judgment_chunks();
