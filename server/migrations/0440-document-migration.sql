-- Changes of a document's id. Entries of the activity log are never rewritten, so they keep the old id beside the new one.
create table document_migration (
  api_key text not null,
  organization_key uuid not null,
  id text not null,
  document_id text not null,
  new_document_id text not null,
  status text not null default 'pending' check (status in ('pending', 'completed', 'failed')),
  created_at bigint not null default now_ms(),
  primary key (api_key, organization_key, id),
  foreign key (api_key, organization_key) references organization (api_key, key) on delete cascade
);

alter table activity_entry add column current_document_id text;
