-- outside of a transaction
-- The emails that end when their user is removed. An organization keeps many more that are sent.
create index concurrently email_open on email (api_key, organization_key, user_key)
  where status in ('collecting', 'waiting');
