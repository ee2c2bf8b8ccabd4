import { ruleFile } from '../prototype.ts'
import { type Call, inAcme, plain, user, userOf } from './call.ts'

const ofSource: Call = ({ subject: { sourceId } }) => ({ sourceId })

export const MEMORY: Record<string, Call> = {
  '/v2/memory/judgments/add': ({ i, n }) => ({
    ...inAcme,
    judgments: [{ recordId: `new-${i}`, decision: 'approve', reasoning: 'x', actionUser: user(n) }],
  }),
  '/v2/memory/judgments/delete': ({ n }) => ({ recordIds: [`judgment-${n}`] }),
  '/v2/memory/judgments/query': () => ({ ...inAcme, limit: 10 }),
  '/v2/memory/evaluations/get': plain,
  '/v2/memory/stats/get': plain,
  '/v2/memory/alerts/config/get': plain,
  '/v2/memory/alerts/config/update': () => ({ config: { enabled: true } }),
  '/v2/memory/alerts/list': plain,
  '/v2/memory/patterns/get': plain,
  '/v2/memory/profiles/get': ({ n, subject }) => ({ targetUserId: userOf(n, subject) }),
  '/v2/memory/knowledge/list': plain,
  '/v2/memory/knowledge/download': ofSource,
  '/v2/memory/knowledge/ingest-status': ofSource,
  '/v2/memory/knowledge/search': () => ({ query: 'invoice' }),
  '/v2/memory/knowledge/upload-url': () => ({ mimeType: 'text/plain', fileSize: 10, fileName: 'a.txt' }),
  '/v2/memory/knowledge/ingest': ({ i }) => ({ source: 'inline', file: ruleFile(`- Rule ${i}.`) }),
}
