-- outside of a transaction
-- What a user has not read: it is counted for each page that shows a number.
create index concurrently notification_recipient_unread on notification_recipient
  (api_key, user_key, organization_key, due_at, notification_key)
  where read_at is null and not is_deleted;
