-- outside of a transaction
-- The planner takes every API key for a small one, and any index that begins with it for as good as the one that fits. So
-- the deletion of an organization read the documents, grants, members, preferences and reactions of all of the API key.
-- The small indexes of an organization fit best. Those by user begin with the user now.
create index concurrently document_of_organization on document (api_key, organization_key);
create index concurrently access_grant_of_organization on access_grant (api_key, organization_key);
create index concurrently user_group_member_by_user on user_group_member (user_key, api_key, organization_key);
create index concurrently notification_preference_by_user on notification_preference (user_key, api_key);
create index concurrently reaction_by_user on reaction (from_key, api_key, seq);
create index concurrently comment_participant_by_user on comment_participant (
  user_key, api_key, organization_key, annotation_key);
