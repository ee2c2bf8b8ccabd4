-- outside of a transaction
-- As 0620: without them, the deletion of an organization reads the documents, grants and preferences of all of the API key.
-- The planner takes every API key for a small one, and any index that begins with it for as good as the one that fits; of
-- equals it takes the smaller. So it takes these.
create index concurrently document_of_organization on document (api_key, organization_key);
create index concurrently access_grant_of_organization on access_grant (api_key, organization_key);
create index concurrently notification_preference_of_organization on notification_preference (api_key, organization_key);
