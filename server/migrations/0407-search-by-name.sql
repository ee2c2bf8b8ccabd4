-- outside of a transaction
-- By which people and organizations are found by the beginning of a name or an address. Entries hold 64 characters; the
-- order is that of code points, so that a beginning is a range.
create index concurrently app_user_by_name on app_user (api_key, (left(lower(coalesce(name, id)), 64) collate "C"), key);
create index concurrently app_user_by_email on app_user (api_key, (left(lower(email), 64) collate "C"), key);
create index concurrently organization_by_name on organization
  (api_key, (left(lower(coalesce(name, id)), 64) collate "C"), key);
