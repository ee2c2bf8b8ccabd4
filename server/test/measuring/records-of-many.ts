/** SQL: one of each record for each row of the table `many`: an API key, an organization and a key. */
export const RECORDS_OF_MANY = `
  insert into app_user (api_key, key, id) select api_key, key, key::text from many;
  insert into document (api_key, organization_key, key, id) select api_key, organization_key, key, key::text from many;
  insert into access_grant (api_key, organization_key, resource_type, resource_key, user_key)
    select api_key, organization_key, 'document', key, key from many;
  insert into user_group (api_key, organization_key, key, id)
    select api_key, organization_key, key, key::text from many;
  insert into user_group_member (api_key, organization_key, group_key, user_key)
    select api_key, organization_key, key, key from many;
  insert into notification_preference (api_key, organization_key, user_key, inbox)
    select api_key, organization_key, key, 'ALL' from many;
  insert into comment_annotation (
      api_key, organization_key, key, id, document_key, number, from_key, status_id, record, created_at, updated_at)
    select api_key, organization_key, key, key::text, key, 1, key, 'OPEN', '{}', 0, 0 from many;
  insert into comment_participant (api_key, organization_key, annotation_key, user_key, person, is_author, is_mentioned)
    select api_key, organization_key, key, key, '{}', true, false from many;
  insert into reaction (api_key, organization_key, key, id, document_key, annotation_key, from_key, record, created_at)
    select api_key, organization_key, key, key::text, key, key, key, '{}', 0 from many;`
