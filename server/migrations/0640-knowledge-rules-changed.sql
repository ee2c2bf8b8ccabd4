-- When an update last changed the rules of a source, in epoch ms. Null: never, so its last change was that of the source.
alter table knowledge_source add column rules_changed_at bigint;
