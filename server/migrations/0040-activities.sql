-- The end of an organization's activity log: how many entries it has and the hash of the last, sealed with the master
-- key. Its row lock makes writers take turns.
create table activity_log (
  api_key text not null,
  organization_key uuid not null,
  count bigint not null,
  head bytea not null,
  -- When the log was last written: never goes back, whatever the clock does.
  at bigint not null,
  seal text not null,
  primary key (api_key, organization_key),
  foreign key (api_key, organization_key) references organization on delete cascade
);

-- One entry of an activity log: a version of a record, the deletion of a record, or an erasure of personal data. An
-- entry stays when its record is overwritten or deleted: it is the history. `hash` covers the entry and the hash of the
-- one before it; of `actor` and `content`, which can be erased, it covers the salted commitments.
create table activity_entry (
  api_key text not null,
  organization_key uuid not null,
  position bigint not null,
  kind text not null check (kind in ('add', 'overwrite', 'update', 'delete', 'erase')),
  at bigint not null,
  -- Null in an erasure, as are the document, the time and the origin.
  activity_key uuid,
  activity_id text,
  document_key uuid,
  document_id text,
  -- When the record was added, and the position of that entry: what lists are ordered by.
  "timestamp" bigint,
  origin bigint,
  -- The version of the same record that this entry takes the place of, and the entry that takes its own.
  supersedes bigint,
  superseded_by bigint,
  -- The version that reads answer.
  current boolean not null generated always as (superseded_by is null and kind not in ('delete', 'erase')) stored,
  target_key uuid,
  user_key uuid,
  record jsonb not null,
  actor jsonb,
  actor_salt bytea,
  actor_commitment bytea,
  content jsonb,
  content_salt bytea,
  content_commitment bytea,
  -- The position of the erasure that replaced personal data of this entry.
  erased_by bigint,
  -- Bytes of the contents, by which batches are cut.
  size integer not null,
  hash bytea not null,
  primary key (api_key, organization_key, position),
  foreign key (api_key, organization_key) references organization on delete cascade
);

create index activity_entry_at on activity_entry (api_key, organization_key, at, position);
create index activity_entry_current on activity_entry (api_key, organization_key, origin) where current;
create index activity_entry_by_id on activity_entry (api_key, organization_key, activity_key) where current;
create index activity_entry_of_document
  on activity_entry (api_key, organization_key, document_key, origin) where current;
create index activity_entry_of_target
  on activity_entry (api_key, organization_key, target_key, origin) where current;

-- Whom an entry names, as actor or in its content, until it is erased.
create table activity_person (
  api_key text not null,
  user_key uuid not null,
  organization_key uuid not null,
  position bigint not null,
  primary key (api_key, user_key, organization_key, position),
  foreign key (api_key, organization_key) references organization on delete cascade
);
