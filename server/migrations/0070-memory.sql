-- How many changes the judgments of an API key have seen. Its row lock is held to the commit, so that changes become
-- visible in the order of their numbers: whoever has read up to one has read all below it.
create table judgment_log (
  api_key text primary key references api_key on delete cascade,
  change bigint not null,
  -- Of the deletions up to this change some have been forgotten: an index that has not read so far starts anew.
  pruned_to bigint not null default 0
);

-- A review decision. `record_id` is unique in the API key, `key` is its key; `change` is the number of its last change.
create table judgment (
  api_key text not null references api_key on delete cascade,
  key uuid not null,
  record_id text not null,
  change bigint not null,
  organization_key uuid,
  document_key uuid,
  -- As it was given; looked up by its key.
  annotation_id text,
  annotation_key uuid,
  -- That of the annotation.
  location_key uuid,
  decision text not null,
  -- As it is filtered and counted: approve for approved.
  decision_value text not null,
  reasoning text not null,
  content text not null,
  -- Who wrote what was reviewed, where it is known.
  content_user_id text,
  content_user_key uuid,
  content_type text,
  confidence double precision not null,
  judge_type text not null check (judge_type in ('human', 'agent')),
  agent jsonb,
  reviewer_key uuid not null,
  reviewer jsonb not null,
  created_at bigint not null,
  primary key (api_key, key)
);

-- What was deleted lately, by the number of that change, for indexes that have read it before.
create table judgment_deletion (
  api_key text not null references api_key on delete cascade,
  key uuid not null,
  change bigint not null,
  deleted_at bigint not null default now_ms(),
  primary key (api_key, key)
);

create index judgment_change on judgment (api_key, change);
create index judgment_deletion_change on judgment_deletion (api_key, change);
create index judgment_order on judgment (api_key, created_at, key);
create index judgment_of_organization on judgment (api_key, organization_key, created_at, key);
create index judgment_of_document on judgment (api_key, organization_key, document_key, created_at, key);
create index judgment_of_annotation on judgment (api_key, organization_key, annotation_key, created_at, key)
  where annotation_key is not null;
create index judgment_at_location on judgment (api_key, document_key, location_key) where location_key is not null;
create index judgment_of_reviewer on judgment (api_key, reviewer_key, created_at, key);
create index judgment_content_of_user on judgment (api_key, content_user_key) where content_user_key is not null;
