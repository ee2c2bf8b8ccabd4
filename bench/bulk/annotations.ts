import { analyze, type Filled, keyInSql as key, repeat, type Subject, statement, storedColumns } from '../subject.ts'
import { median, round } from '../table.ts'

/** The organization of the threads. */
export const ORGANIZATION = 'threads'
const PAGE = 1_000

/**
 * Measures commentannotations/get of a page of 1,000 in a small and in a large table, alternately. The threads of a
 * document are scattered over the whole table. The goal: the time does not grow with the table, ±15 %.
 */
export async function measureAnnotations(
  small: Subject,
  large: Subject,
  counts: { small: number; large: number },
  rounds: number,
): Promise<(string | number)[][]> {
  await fill(small, counts.small)
  await fill(large, counts.large)
  const rows: (string | number)[][] = []
  for (const [what, filter] of [
    ['the newest of the organization', {}],
    ['of one document', { documentId: 'document-0' }],
    ['of one status, oldest first', { statusIds: ['OPEN'], order: 'asc' }],
  ] as const) {
    const data = { organizationId: ORGANIZATION, pageSize: PAGE, ...filter }
    const inSmall: number[] = []
    const inLarge = await repeat(rounds, async () => {
      inSmall.push(await small.time('/v2/commentannotations/get', data))
      return large.time('/v2/commentannotations/get', data)
    })
    const counted = inSmall.slice(-rounds)
    const ratio = round(median(inLarge.map((elapsed, i) => elapsed / (counted[i] ?? 1))))
    rows.push([what, round(median(counted), 1), round(median(inLarge), 1), ratio, '0.85–1.15'])
  }
  return rows
}

/** Writes one thread through the API, multiplies its rows by SQL, and spreads them over documents of 1,000 threads. */
export async function fill({ client, database, apiKey }: Filled, count: number): Promise<void> {
  const organizationId = ORGANIZATION
  await client.organizations.addOrganizations({ organizations: [{ organizationId }] })
  const documents = Array.from({ length: Math.ceil(count / PAGE) }, (_, i) => ({ documentId: `document-${i}` }))
  for (let start = 0; start < documents.length; start += PAGE) {
    await client.documents.addDocuments({ organizationId, documents: documents.slice(start, start + PAGE) })
  }
  const from = { userId: 'maya', name: 'Maya Okafor', email: 'maya@example.com' }
  const commentAnnotations = [
    { annotationId: 'thread-0', commentData: [{ from, commentText: 'Which one do we mean?' }] },
  ]
  await client.comments.addCommentAnnotations({ organizationId, documentId: 'document-0', commentAnnotations })
  const others = `generate_series(1, ${count - 1}) as i`
  const columns = (await storedColumns(database, 'comment_annotation')).map(({ name }) => name)
  for (const text of [
    `insert into comment_annotation (${columns})
     select ${columns.map((name) => `(copy.r).${name}`)}
     from (
       select jsonb_populate_record(a, jsonb_build_object(
         'key', ${key("'thread-' || i")}, 'id', 'thread-' || i, 'document_key', ${key(`'document-' || i % ${documents.length}`)},
         'created_at', a.created_at + i, 'updated_at', a.updated_at + i)) as r
       from comment_annotation a, ${others}
       where a.api_key = '${apiKey}' and a.id = 'thread-0'
     ) copy`,
    `insert into comment (api_key, organization_key, annotation_key, id, record, created_at, updated_at)
     select c.api_key, c.organization_key, ${key("'thread-' || i")}, c.id, c.record, c.created_at + i, c.updated_at + i
     from comment c, ${others}
     where c.api_key = '${apiKey}'`,
    `insert into comment_participant
     select (jsonb_populate_record(p, jsonb_build_object('annotation_key', ${key("'thread-' || i")}))).*
     from comment_participant p, ${others}
     where p.api_key = '${apiKey}'`,
  ]) {
    await statement(database, text)
  }
  await analyze(database)
}
