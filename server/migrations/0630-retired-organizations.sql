-- An organization with much in it is retired when it is deleted: nobody sees it, and jobs remove its rows. Its progress:
-- the threads that it held, and those that are removed.
alter table organization
  add column retired_at bigint,
  add column retired_threads bigint,
  add column removed_threads bigint not null default 0;

create index organization_retired on organization (api_key) where retired_at is not null;

-- A retired organization keeps its key. The keys that organizations of such ids have instead, by their usual keys.
alter table api_key add column organization_keys jsonb;

-- A new organization has the key that its id has now. A request that has read the keys before one was deleted would create
-- it under another. Checked last, so that nobody waits meanwhile for who creates one; 40001 is a serialization failure.
-- A retired one that a restore inserts has its former key.
create function check_organization_key() returns trigger language plpgsql as $$
declare
  usual text := substr(encode(sha256(convert_to(new.id, 'utf8')), 'hex'), 1, 32)::uuid;
  keys jsonb;
begin
  select organization_keys into keys from api_key where id = new.api_key for share;
  if new.key <> coalesce(keys ->> usual, usual)::uuid then
    raise exception 'An organization of this id was deleted meanwhile.' using errcode = '40001';
  end if;
  return null;
end $$;

create constraint trigger organization_has_its_key after insert on organization
  deferrable initially deferred for each row when (new.retired_at is null) execute function check_organization_key();
