-- One chain per workspace, and one of the installation ('') that holds what was recorded before. `position` counts within
-- a chain; null: the record is of an earlier version, and its place is `seq`.
alter table audit_record
  add column chain text not null default '',
  add column position bigint,
  add column request_id text,
  add column before jsonb,
  add column after jsonb;

create sequence audit_record_seq owned by audit_record.seq;
select setval('audit_record_seq', coalesce(max(seq), 0) + 1, false) from audit_record;

create unique index audit_record_of_chain on audit_record (chain, coalesce(position, seq));
create index audit_record_of_key on audit_record (about_key, seq) where about_key is not null;
create index audit_record_of_actor on audit_record (lower(actor), seq);
create index audit_record_of_time on audit_record (at, seq);
