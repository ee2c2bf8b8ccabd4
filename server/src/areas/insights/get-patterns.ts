import { operation } from '../../platform/operation.ts'
import { Type } from '../../platform/schema.ts'
import { Pattern } from '../memory/patterns/pattern.ts'

/** Returns the reasons that recur in judgments, with their counts and trend. They are never stored. */
export const getPatterns = operation({
  path: '/v2/memory/patterns/get',
  auth: 'apiKey',
  access: 'read',
  large: true,
  summary: 'Get the recurring reasons of judgments',
  description:
    'Phrases that at least 3 of the newest 2,000 judgments share, the most frequent first, at most 100. Those in mostly the same judgments are one pattern.',
  input: Type.Object({}),
  example: {},
  output: Type.Array(Pattern),
  errors: [],
  message: '',
  bare: true,
}).run(({ db, tenant, patternCache }) => patternCache.find(db, tenant))
