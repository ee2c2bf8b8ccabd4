-- outside of a transaction
-- By which deliveries are listed by how their last attempt was answered. Most succeed; those are in no further index.
create index concurrently webhook_settled_of_class on webhook_settled
  (api_key, (coalesce(http_status / 100, 0)), event_id, endpoint_id)
  where sent_at is not null and coalesce(http_status / 100, 0) <> 2;

-- By which the events of a place are found. A hash keeps the entries short, however long the id is.
create index concurrently event_of_organization on event (api_key, (hashtextextended(organization_id, 0)), id);
create index concurrently event_of_document on event (api_key, (hashtextextended(document_id, 0)), id)
  where document_id is not null;
