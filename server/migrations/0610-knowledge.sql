-- A document with policies or rules to decide by. `source_id` is unique in the API key, `key` is its key.
create table knowledge_source (
  api_key text not null references api_key on delete cascade,
  key uuid not null,
  source_id text not null,
  organization_key uuid,
  document_key uuid,
  source_type text not null check (source_type in ('inline', 'fileRef')),
  file_name text not null,
  mime_type text not null,
  -- In bytes; before the upload, the size that was announced.
  size integer not null,
  -- Of the file; null before the upload.
  sha256 bytea,
  -- The upload whose parts are the file; null before it is complete.
  file uuid,
  -- An upload is awaited until `expires_at`, and read once it is ingested.
  status text not null check (status in ('awaited', 'uploaded', 'processing', 'completed', 'failed')),
  failure_reason text,
  -- A source with the same bytes and the same place, whose entries stand for this one too.
  dedup_of uuid,
  -- What its text is, as Markdown.
  markdown text,
  used_raw_fallback boolean not null default false,
  version integer not null default 1,
  rule_count integer not null default 0,
  chunk_count integer not null default 0,
  attempt integer not null default 0,
  -- Not worked on before; while a worker reads the file, the end of its lease.
  due_at bigint not null default 0,
  expires_at bigint,
  uploaded_at bigint not null default now_ms(),
  updated_at bigint not null default now_ms(),
  primary key (api_key, key),
  foreign key (api_key, dedup_of) references knowledge_source on delete cascade
);

create index knowledge_source_order on knowledge_source (api_key, uploaded_at, key);
create index knowledge_source_of_bytes on knowledge_source (api_key, sha256) where sha256 is not null;
create index knowledge_source_duplicate on knowledge_source (api_key, dedup_of) where dedup_of is not null;
create index knowledge_source_due on knowledge_source (api_key, due_at) where status = 'processing';

-- The bytes of a file in parts. An upload that was broken off leaves parts of another number.
create table knowledge_part (
  api_key text not null,
  key uuid not null,
  file uuid not null,
  number integer not null,
  bytes bytea not null,
  primary key (api_key, key, file, number),
  foreign key (api_key, key) references knowledge_source on delete cascade
);

alter table knowledge_part alter column bytes set storage external;

-- What is searched: pieces of the text (`chunk`), and its list items and headed paragraphs (`rule`).
create table knowledge_entry (
  api_key text not null,
  key uuid not null,
  position integer not null,
  kind text not null check (kind in ('chunk', 'rule')),
  rule_id text,
  category text,
  content text not null,
  primary key (api_key, key, position),
  foreign key (api_key, key) references knowledge_source on delete cascade
);

-- By stem: the entries that hold it, some hundred a row, with its share of the length of each entry's vector.
create table knowledge_term (
  api_key text not null,
  term text not null collate "C",
  key uuid not null,
  first integer not null,
  positions integer[] not null,
  weights real[] not null,
  primary key (api_key, term, key, first),
  foreign key (api_key, key) references knowledge_source on delete cascade
);

create index knowledge_term_of_source on knowledge_term (api_key, key);
