-- A recording in a document. `record` is what was said of it; the columns beside it are what recordings are found by.
-- An id is unique in its organization, `seq` is the order in which recordings were added.
create table recording (
  api_key text not null,
  organization_key uuid not null,
  key uuid not null,
  id text not null,
  seq bigint generated always as identity,
  document_key uuid not null,
  location_key uuid,
  -- Who made it, where the caller said so.
  user_key uuid,
  record jsonb not null,
  created_at bigint not null default now_ms(),
  updated_at bigint not null default now_ms(),
  primary key (api_key, organization_key, key),
  foreign key (api_key, organization_key, document_key) references document on delete cascade
);

create index recording_order on recording (api_key, organization_key, seq);
create index recording_of_document on recording (api_key, organization_key, document_key, seq);
create index recording_of_user on recording (api_key, user_key, organization_key, seq) where user_key is not null;
-- Location data is deleted by document id over all organizations of a key.
create index recording_at_location on recording (api_key, document_key, location_key) where location_key is not null;
