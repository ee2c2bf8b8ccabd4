import { keyInSql as key } from '../subject.ts'

const answer = (data: string, more: string, message: string) => `
  json_build_object('result', json_build_object('status', 'success', 'message', '${message}',
    'data', coalesce(json_agg(${data}), '[]'), ${more}))::text as text`

/** One statement that makes what `commentannotations/get` answers of an organization of at most 1,000 threads. */
export function threadsOfPage(apiKey: string, organizationId: string): string {
  const participants = (aggregate: string, condition: string) => `(
    select ${aggregate}
    from comment_participant p
    where p.api_key = a.api_key and p.organization_key = a.organization_key and p.annotation_key = a.key
      and ${condition})`
  const hexId = `substr(encode(sha256(convert_to('["user","${apiKey}",' || to_json(p.person ->> 'userId')::text || ']', 'utf8')), 'hex'), 1, 32)`
  const users = (condition: string) =>
    participants(
      `coalesce(jsonb_object_agg(${hexId}, jsonb_build_object('user', p.person,
        'type', case p.subscription when 'auto' then 'auto' else 'manual' end)), '{}')`,
      condition,
    )
  const ids = (condition: string) =>
    participants(`coalesce(jsonb_agg(p.person -> 'userId' order by p.user_key), '[]')`, condition)
  const comments = `(
    select coalesce(jsonb_agg(c.record || jsonb_build_object('commentId', c.id, 'createdAt', c.created_at,
      'lastUpdated', c.updated_at, 'reactionAnnotationIds', '[]'::jsonb) order by c.seq), '[]')
    from comment c
    where c.api_key = a.api_key and c.organization_key = a.organization_key and c.annotation_key = a.key)`
  return `
    select ${answer('a.thread', `'nextPageToken', null`, 'Annotation(s) fetched successfully.')}
    from (
      select jsonb_build_object('annotationId', a.id, 'annotationNumber', a.number, 'annotationIndex', a.number)
        || a.record
        || jsonb_build_object('comments', ${comments}, 'createdAt', a.created_at, 'lastUpdated', a.updated_at,
          'locationId', null,
          'metadata', jsonb_build_object('apiKey', a.api_key, 'documentId', d.id, 'organizationId', '${organizationId}'),
          'subscribedUsers', ${users(`p.subscription in ('auto', 'manual')`)},
          'unsubscribedUsers', ${users(`p.subscription = 'off'`)},
          'involvedUserIds', ${ids('(p.is_author or p.is_mentioned)')},
          'mentionedUserIds', ${ids('p.is_mentioned')},
          'viewedByUserIds', ${ids('p.viewed_at >= newest.at')},
          'reactionAnnotationIds', '[]'::jsonb, 'commentsCount', newest.count) as thread
      from comment_annotation a
      join document d on d.api_key = a.api_key and d.organization_key = a.organization_key and d.key = a.document_key
      cross join lateral (
        select max(c.created_at) as at, count(*) as count
        from comment c
        where c.api_key = a.api_key and c.organization_key = a.organization_key and c.annotation_key = a.key
      ) newest
      where a.api_key = '${apiKey}' and a.organization_key = ${key(`'${organizationId}'`)}
      order by a.updated_at desc, a.key desc
      limit 1000
    ) a`
}

/** One statement that makes what `folders/get` answers of all folders of an organization. */
export const flatFolders = (apiKey: string, organizationId: string): string => `
  select ${answer('f.record', `'pageToken', null`, 'Folder(s) retrieved successfully.')}
  from (
    select f.metadata || jsonb_build_object('folderId', f.id, 'folderName', coalesce(f.name, ''),
      'organizationId', '${organizationId}', 'parentFolderId', coalesce(u.ids[cardinality(u.ids)], 'root'),
      'apiKey', f.api_key, 'createdAt', f.created_at, 'lastUpdated', f.updated_at,
      'ancestors', array['root'] || u.ids, 'accessType', coalesce(f.access_type, 'public'),
      'inheritAccessFromParent', f.inherit_access) as record
    from folder f
    cross join lateral (
      select coalesce(array_agg(a.id order by p.n), '{}') as ids
      from unnest(f.path) with ordinality as p (key, n)
      join folder a on a.api_key = f.api_key and a.organization_key = f.organization_key and a.key = p.key
    ) u
    where f.api_key = '${apiKey}' and f.organization_key = ${key(`'${organizationId}'`)}
    order by f.seq
  ) f`
