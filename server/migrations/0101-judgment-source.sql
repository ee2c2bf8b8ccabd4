-- Where a judgment comes from: it goes with its source. One without a named actor has no reviewer.
alter table judgment
  add column source text not null default 'import' check (source in ('thread', 'activity', 'import')),
  alter column reviewer_key drop not null;
update judgment j
set source = 'activity'
where exists (
  select
  from activity_entry e
  where e.api_key = j.api_key and e.organization_key = j.organization_key and e.activity_id = j.record_id
);
-- Ids that callers chose for their imports look otherwise.
update judgment set source = 'thread' where source = 'import' and annotation_key is not null and record_id ~ '^act_[0-9A-Za-z]{20,}$';
alter table judgment alter column source drop default;
