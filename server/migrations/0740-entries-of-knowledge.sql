-- An update of a source stores the entries of its new text at positions of their own, beside those in use, and then
-- names them. In use are as many as the source has rules and chunks, from `first_position` on.
alter table knowledge_source
  add column first_position integer not null default 0,
  add column next_position integer not null default 0;

update knowledge_source set next_position = rule_count + chunk_count where dedup_of is null;
