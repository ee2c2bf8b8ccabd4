-- outside of a transaction
-- By which the deletion of an organization finds what it takes along. Without them it reads all folders and all people of
-- activities of the API key.
create index concurrently folder_of_organization on folder (api_key, organization_key);
create index concurrently activity_person_of_organization on activity_person (api_key, organization_key);
