-- An organization with much in it is retired when it is deleted: nobody sees it, and jobs remove its rows. Its progress:
-- the threads that it held, and those that are removed.
alter table organization
  add column retired_at bigint,
  add column retired_threads bigint,
  add column removed_threads bigint not null default 0;

create index organization_retired on organization (api_key) where retired_at is not null;

-- A retired organization keeps its key. The keys that organizations of such ids have instead, by their usual keys.
alter table api_key add column organization_keys jsonb;
