-- What was learned from the judgments of an API key, by which suggestions are made.
create table judgment_head (
  api_key text not null references api_key on delete cascade,
  -- Another one for each fit.
  version text not null,
  -- What can read it: the versions of its form and of its inputs, and the master key.
  format text not null,
  -- Encrypted under a master key, with a checksum; it is compressed already.
  sealed bytea not null,
  fitted_at bigint not null default now_ms(),
  primary key (api_key)
);

alter table judgment_head alter column sealed set storage external;

-- The fits of an API key: the one that runs, and when to look again.
create table judgment_head_fit (
  api_key text not null references api_key on delete cascade,
  -- The number of claims. A process whose claim is not the last stores nothing.
  attempt integer not null default 0,
  is_running boolean not null default false,
  due_at bigint not null default 0,
  -- It is fitted again once the judgments have seen this change, or after `stale_at` any other.
  next_change bigint not null default 0,
  seen_change bigint not null default 0,
  stale_at bigint not null default 0,
  primary key (api_key)
);

-- Forgets what was learned from judgments that are deleted or say something else now, whichever statement does it. A
-- fit that runs is void. The row of the fit is locked first: a fit that is being stored is then seen, and deleted.
create function forget_judgment_head() returns trigger language plpgsql as $$
begin
  if not exists (select from judgment_head_fit f join gone g on g.api_key = f.api_key) then
    return null;
  end if;
  update judgment_head_fit f
  set attempt = attempt + 1, is_running = false, next_change = 0
  from (
    select distinct g.api_key
    from gone g
    where not exists (
      select
      from judgment j
      where j.api_key = g.api_key and j.key = g.key and j.decision_value = g.decision_value and j.content = g.content
        and j.content_user_key is not distinct from g.content_user_key and j.created_at = g.created_at
    )
  ) t
  where f.api_key = t.api_key;
  delete from judgment_head h
  using judgment_head_fit f
  where f.api_key = h.api_key and f.next_change = 0 and h.api_key in (select api_key from gone);
  return null;
end
$$;

create trigger judgment_changed_in_head after update on judgment
  referencing old table as gone for each statement execute function forget_judgment_head();
create trigger judgment_deleted_from_head after delete on judgment
  referencing old table as gone for each statement execute function forget_judgment_head();
