import { expect, test } from 'vitest'
import { shortName } from './email-text.ts'

test.each([
  ['  Ada\r\nLovelace ', 'Ada Lovelace'],
  ['محمد علي', 'محمد علي'],
  ['\u202Egnp.exe', 'gnp.exe'],
  ['\u2067דוד כהן', 'דוד כהן'],
  ['🇩🇪'.repeat(50), `${'🇩🇪'.repeat(39)}…`],
  ['e\u0301'.repeat(60), `${'e\u0301'.repeat(39)}…`],
])('%j is shown in a line as %j', (name, shown) => {
  expect(shortName(name)).toBe(shown)
})
