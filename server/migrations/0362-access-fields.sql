-- The access fields (`key:value`) that a grant gives; null: none. Whoever is to see a record with a `context.access` must
-- hold each of its fields.
alter table access_grant add column access_fields jsonb;
